//! Parses the texts of visible bylines.

use citation_model::lists::{phrases, words};
use citation_model::name::{Name, is_particle};

use super::{dates, given_names, labels, people, segments};

/// The start of lines that name people other than authors.
const OTHERS: [&str; 14] = phrases(
    "edited by|illustration|photo|translated by|reviewed by|medically reviewed|fact|foto|bild|\
     updated|image|narrated|produced by|with contributions",
);

/// The text behind a date at the start of a byline: `3 May 2021 · Jane Roe`.
pub(super) fn behind_date(line: &str) -> &str {
    let date = dates::mentions(line).into_iter().next();
    let first = date.filter(|date| date.start == 0 && dates::precision(&date.date) > 1);
    let rest = first.and_then(|date| line.get(date.end..));
    let rest = rest.map(|rest| rest.trim_start_matches(|c: char| !c.is_alphanumeric()));
    rest.filter(|rest| !rest.is_empty()).unwrap_or(line)
}

/// The people in a byline; empty for other text. A single word counts as a name if the element is reliable
/// or «By» precedes it.
pub(super) fn names_in(text: &str, is_sure: bool) -> Vec<Name> {
    let mut found = Vec::new();
    let mut goes_on = true;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let lower = line.to_lowercase();
        if OTHERS.iter().any(|other| lower.starts_with(other)) {
            break;
        }
        let is_joint = matches!(
            lower.as_str(),
            "and" | "&" | "," | "und" | "et" | "y" | "/" | "•"
        );
        if is_joint {
            goes_on = true;
            continue;
        }
        let joins = ["and ", "& ", ", "]
            .iter()
            .any(|word| lower.starts_with(word));
        if !(goes_on || joins) {
            break;
        }
        let line = line
            .trim_start_matches(", ")
            .trim_start_matches("and ")
            .trim_start_matches("& ");
        let (rest, is_labelled) = people::without_label(behind_date(line));
        let (rest, is_cut) = dates::before(rest);
        // Behind it are a category, a place, an agency.
        let ends = [" | ", " — ", " – ", " - ", " · ", " ("];
        let ends = ends.iter().filter_map(|mark| rest.find(mark)).min();
        let rest = ends.and_then(|at| rest.get(..at)).unwrap_or(rest);
        let rest = [" and", " &", ","]
            .iter()
            .find_map(|joint| rest.strip_suffix(joint))
            .unwrap_or(rest);
        let names = people::list(rest);
        let fits = |name: &Name| is_plausible(name, is_sure || is_labelled && !is_cut);
        if !names.is_empty() && names.len() <= 24 && names.iter().all(fits) {
            found.extend(names);
            goes_on = line.ends_with([',', '&']) || lower.ends_with(" and");
        } else if !found.is_empty() {
            break;
        }
    }
    people::distinct(found)
}

/// Whether a text has a sentence, as the caption of a picture has behind the names of the people on it.
pub(super) fn has_sentence(text: &str) -> bool {
    const WORDS: usize = 4;
    let words = text.split(|c: char| !c.is_alphabetic());
    let is_plain = |word: &&str| {
        let is_long = word.chars().count() > 3;
        is_long && word.chars().all(char::is_lowercase) && !is_particle(word)
    };
    words.filter(is_plain).take(WORDS).count() == WORDS
}

/// Words that do not occur in names.
const NO_NAMES: [&str; 47] = words(
    "about abstract advertisement all article articles author authors blog by comment comments conference contact \
     copyright email facebook follow home is latest login minutes min more news newsletter proceedings materials \
     posted posts print profile published read search share subscribe this topics twitter \
     updated view was with you your",
);

/// Buttons and labels in East Asian characters.
const EAST_ASIAN_NO_NAMES: [&str; 26] = words(
    "登录 登入 注册 全部 更多 关注 分享 收藏 评论 最新文章 最后更新 首页 返回 下载 搜索 打印 会员 编辑 检索 検索 会員登録 記事一覧 \
     로그인 검색 구독 공유",
);

/// Lower-case words between names.
const BETWEEN_NAMES: [&str; 4] = ["and", "e", "of", "y"];

pub(super) fn is_plausible(name: &Name, may_be_short: bool) -> bool {
    let shown = name.display();
    // The label of a byline stands in an element of its own: `著者`.
    if labels::is_any(&shown) || people::is_phrase(name) || segments::is_title_alone(&shown) {
        return false;
    }
    if people::is_east_asian(&shown) {
        if EAST_ASIAN_NO_NAMES.contains(&shown.as_str()) {
            return false;
        }
        let are_letters = shown
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '·' | '・' | '\u{3000}'));
        return are_letters && (2..=8).contains(&shown.chars().count());
    }
    let words: Vec<&str> = shown.split_whitespace().collect();
    let most = if name.literal.is_some() { 8 } else { 5 };
    let least = if may_be_short || name.literal.is_some() {
        1
    } else {
        2
    };
    let is_small = may_be_short
        && (2..=3).contains(&words.len())
        && !shown.contains(char::is_uppercase)
        && given_names::begins_with_one(words.first().copied().unwrap_or_default());
    let is_word = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = bare.to_lowercase();
        let is_capital = bare.chars().next().is_some_and(|c| !c.is_lowercase());
        !NO_NAMES.contains(&lower.as_str())
            && (is_capital
                || is_small
                || is_particle(&lower)
                || BETWEEN_NAMES.contains(&lower.as_str())
                || may_be_short && words.len() == 1)
    };
    let ends_open = words.len() > 1 && words.last().is_some_and(|last| is_particle(last));
    !ends_open
        && (least..=most).contains(&words.len())
        && words.iter().all(is_word)
        && !shown.contains(|c: char| {
            c.is_ascii_digit() && !(may_be_short && words.len() == 1)
                || "?!:：<>{}[]\"“”".contains(c)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let read: Vec<String> = names_in(text, false).iter().map(Name::display).collect();
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn bylines_end_at_dates_and_other_roles() {
        check("By Jane Roe\nDecember 16, 2016, 4:19 PM", &["Jane Roe"]);
        check(
            "by JANE ROE, JOHN DOE and MAX MUSTER December 16, 2016, 4:19 PM",
            &["JANE ROE", "JOHN DOE", "MAX MUSTER"],
        );
        check("Written by Jane Roe\nEdited by John Doe", &["Jane Roe"]);
        check("By Jane Roe | Photos by John Doe", &["Jane Roe"]);
        check(
            "Jane Roe and\nJohn Doe\nSenior Editor",
            &["Jane Roe", "John Doe"],
        );
        check("By Jane Roe in London", &["Jane Roe"]);
        check(
            "Jane Roe, Senior Technologist, Speech, and Privacy Project",
            &["Jane Roe"],
        );
        check("By Jane Roe For The Example", &["Jane Roe"]);
        check("Follow us on Twitter", &[]);
        check("View all posts", &[]);
        check("Posted by jane on July 3, 2010", &[]);
        check("By jane roe", &["jane roe"]);
        check("By mutual agreement", &[]);
        check("Contributing Reporter", &[]);
    }
}
