//! Converts MathML to text with `<sub>` and `<sup>` for simple formulas.

use citation_model::lists::words;

use super::tags::{Tag, Token, next_token};

/// Maximum nesting of elements; deeper content is read as one row.
const MAX_DEPTH: usize = 48;

/// Reads the formula after an opening `<math>`; returns its text and the rest. If the elements have no
/// text, uses the attribute `alttext`.
pub fn formula<'a>(math: &Tag<'_>, text: &'a str) -> (String, &'a str) {
    let mut frames = vec![Frame::new("math")];
    let mut too_deep = 0_usize;
    let mut rest = text;
    while !math.is_empty && !rest.is_empty() {
        let (token, tail) = next_token(rest);
        rest = tail;
        match token {
            Token::Text(text) => add_text(&mut frames, text),
            Token::Open(tag) if tag.is_empty => add_part(&mut frames, empty(&tag.name)),
            Token::Open(_) if frames.len() >= MAX_DEPTH => too_deep += 1,
            Token::Open(tag) => frames.push(Frame::new(&tag.name)),
            Token::Close(name) if name == "math" => break,
            Token::Close(_) if too_deep > 0 => too_deep -= 1,
            Token::Close(_) => close(&mut frames),
            Token::Hidden => {}
        }
    }
    while frames.len() > 1 {
        close(&mut frames);
    }
    let formula = frames.pop().map(Frame::render).unwrap_or_default();
    if formula.trim().is_empty() {
        let alternative = math.attribute("alttext").unwrap_or_default();
        return (alternative.trim_matches(['$', ' ']).to_owned(), rest);
    }
    (formula, rest)
}

/// An open element and the texts of its children.
struct Frame {
    name: String,
    parts: Vec<String>,
}

impl Frame {
    fn new(name: &str) -> Frame {
        Frame {
            name: name.to_owned(),
            parts: Vec::new(),
        }
    }

    fn render(self) -> String {
        let part = |at: usize| self.parts.get(at).map_or("", String::as_str);
        match self.name.as_str() {
            "msub" => format!("{}{}", part(0), script("sub", part(1))),
            "msup" => format!("{}{}", part(0), script("sup", part(1))),
            "munder" => format!("{}{}", part(0), script("sub", part(1))),
            "msubsup" | "munderover" => {
                let (sub, sup) = (script("sub", part(1)), script("sup", part(2)));
                format!("{}{sub}{sup}", part(0))
            }
            "mmultiscripts" => multiscripts(&self.parts),
            "mover" => accented(part(0), part(1)),
            "mfrac" => format!("{}/{}", grouped(part(0)), grouped(part(1))),
            "msqrt" => format!("√{}", grouped(&self.parts.concat())),
            "mroot" => format!("{}√{}", script("sup", part(1)), grouped(part(0))),
            "mfenced" => format!("({})", self.parts.join(", ")),
            "mo" => operator(self.parts.concat().trim()),
            "annotation" | "annotation-xml" => String::new(),
            _ => self.parts.concat(),
        }
    }
}

fn close(frames: &mut Vec<Frame>) {
    if frames.len() < 2 {
        return;
    }
    if let (Some(frame), Some(parent)) = (frames.pop(), frames.last_mut()) {
        parent.parts.push(frame.render());
    }
}

fn add_part(frames: &mut [Frame], part: &str) {
    if let Some(frame) = frames.last_mut() {
        frame.parts.push(part.to_owned());
    }
}

/// White space around tokens and between elements is layout, except in `mtext`.
fn add_text(frames: &mut [Frame], text: &str) {
    let Some(frame) = frames.last_mut() else {
        return;
    };
    let trimmed = text.trim_matches(|c: char| c.is_ascii_whitespace());
    // The invisible operators U+2061 to U+2064 are only for machines.
    let seen: String = trimmed
        .chars()
        .filter(|c| !matches!(c, '\u{2061}'..='\u{2064}'))
        .collect();
    if frame.name == "mtext" && text.starts_with(' ') {
        frame.parts.push(" ".into());
    }
    if !seen.is_empty() {
        frame.parts.push(seen);
    }
    if frame.name == "mtext" && text.len() > 1 && text.ends_with(' ') {
        frame.parts.push(" ".into());
    }
}

/// The text of an empty element. `none` and empty rows are placeholders in scripts.
fn empty(name: &str) -> &'static str {
    match name {
        "mspace" => " ",
        "mprescripts" => PRESCRIPTS,
        _ => "",
    }
}

/// Relations have spaces around them, as in running text; other operators have none.
fn operator(sign: &str) -> String {
    const RELATIONS: [&str; 25] = words("= < > ≤ ≥ ≠ ≈ ≃ ≅ ≡ ∼ ~ → ← ↔ ⟶ ⇒ ∈ ⊂ ⊆ ≪ ≫ ∝ ⩽ ⩾");
    let is_relation = RELATIONS.contains(&sign);
    if is_relation {
        format!(" {sign} ")
    } else {
        sign.to_owned()
    }
}

/// A script; a relation in it has no spaces.
fn script(tag: &str, text: &str) -> String {
    let text = text.trim().replace(" = ", "=");
    match text.as_str() {
        "" => String::new(),
        // Primes are already raised.
        "′" | "″" | "'" => text,
        _ => format!("<{tag}>{text}</{tag}>"),
    }
}

/// Base, then pairs of scripts; after `mprescripts`, the pairs before the base.
fn multiscripts(parts: &[String]) -> String {
    let Some((base, scripts)) = parts.split_first() else {
        return String::new();
    };
    let split = scripts.iter().position(|part| part == PRESCRIPTS);
    let (behind, before) = scripts.split_at(split.unwrap_or(scripts.len()));
    let pairs = |parts: &[String]| -> String {
        let pair = |pair: &[String]| {
            let at = |place: usize| pair.get(place).map_or("", String::as_str);
            format!("{}{}", script("sub", at(0)), script("sup", at(1)))
        };
        parts.chunks(2).map(pair).collect()
    };
    let before = before.get(1..).unwrap_or_default();
    format!("{}{base}{}", pairs(before), pairs(behind))
}

/// Placeholder for `<mprescripts/>` in a frame.
const PRESCRIPTS: &str = "\u{fdd0}";

/// A letter with an accent; for wider accents only the base is kept.
fn accented(base: &str, accent: &str) -> String {
    let combining = match accent.trim() {
        "¯" | "‾" | "\u{304}" | "_" | "−" | "-" => '\u{304}',
        "~" | "˜" | "∼" => '\u{303}',
        "^" | "ˆ" => '\u{302}',
        "→" | "⃗" => '\u{20d7}',
        "˙" | "." => '\u{307}',
        "¨" => '\u{308}',
        "ˇ" => '\u{30c}',
        _ => return base.to_owned(),
    };
    if base.chars().count() == 1 {
        format!("{base}{combining}")
    } else {
        base.to_owned()
    }
}

/// In brackets if it is more than one word or number.
fn grouped(text: &str) -> String {
    let text = text.trim();
    if text.chars().all(char::is_alphanumeric) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

#[cfg(test)]
mod tests {
    use super::super::markup::{Tags, inline};

    fn check(math: &str, expected: &str) {
        let text = inline(&format!("<math>{math}</math>"), Tags::Keep);
        assert_eq!(text, expected, "{math}");
    }

    #[test]
    fn scripts_are_kept() {
        check(
            "<msub><mi>LaSrVO</mi><mn>4</mn></msub>",
            "LaSrVO<sub>4</sub>",
        );
        check(
            "<msubsup><mi>B</mi><mi>s</mi><mn>0</mn></msubsup>",
            "B<sub>s</sub><sup>0</sup>",
        );
        check(
            "<mmultiscripts><mi>Zr</mi><mprescripts/><none/><mn>89</mn></mmultiscripts>",
            "<sup>89</sup>Zr",
        );
        check("<msup><mi>f</mi><mo>′</mo></msup>", "f′");
    }

    #[test]
    fn rows_read_as_text() {
        check(
            "<msqrt><mi>s</mi></msqrt><mo>=</mo><mn>13</mn><mspace width='1em'/><mtext>TeV</mtext>",
            "√s = 13 TeV",
        );
        check("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2");
        check("<mi>p</mi><mover><mi>p</mi><mo>¯</mo></mover>", "pp\u{304}");
        check(
            "<semantics><mi>x</mi><annotation encoding='TeX'>\\x</annotation></semantics>",
            "x",
        );
    }

    #[test]
    fn the_alternative_text_speaks_for_an_empty_formula() {
        let text = inline("a <math alttext=\"$k$\"/>-mean", Tags::Keep);
        assert_eq!(text, "a k-mean");
    }
}
