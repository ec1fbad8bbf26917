//! RIS: tagged lines, read leniently and written strictly.

pub(crate) mod fields;
pub(crate) mod kinds;
pub mod parse;
pub mod read;
pub mod write;

use crate::format::{Format, KeyRule};

pub static RIS: Format = Format {
    id: "ris",
    title: "RIS",
    media_types: &["application/x-research-info-systems"],
    extensions: &["ris"],
    recognise: |content, _| {
        let typed = |line: &str| parse::is_type_line(line.trim_start());
        !content.is_structured()
            && (content.lines().any(typed) || parse::begins_without_type(content.lines()))
    },
    read: Some(|content, budget| read::read(content.text(), budget)),
    write: Some(|items, _, budget| write::write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[&[
        "TY  - JOUR\n",
        "ER  - \n",
        "AU  - ",
        "TI  - ",
        "PY  - ",
        "DA  - ",
        "SP  - ",
        "DO  - ",
        "UR  - ",
        "KW  - ",
        "N1  - ",
        "\n",
        "Doe, J",
        "2001/2/3",
        "a ",
    ]],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_read;

    #[test]
    fn month_and_day_complete_the_year() {
        check_read(
            &RIS,
            "TY  - JOUR\nTI  - A\nDA  - JUN 13\nPY  - 2019\nER  - \n\n\
             TY  - JOUR\nTI  - B\nPY  - 2020\nDA  - MAR-APR\nER  - \n\n\
             TY  - JOUR\nTI  - C\nPY  - 2020\nDA  - WIN\nER  - \n\n\
             TY  - JOUR\nTI  - D\nPY  - 2020\nDA  - in press\nER  - \n",
            r#"[{"issued": {"date-parts": [[2019, 6, 13]]}}, {"issued": {"date-parts": [[2020, 3], [2020, 4]]}},
                {"issued": {"date-parts": [[2020, 24]]}}, {"issued": {"date-parts": [[2020]]}}]"#,
        );
    }

    #[test]
    fn days_of_a_conference_are_no_access_date() {
        check_read(
            &RIS,
            "TY  - CONF\nTI  - A\nC3  - Proc\nY2  - 3 May 1999 through 5 May 1999\nER  - \n\n\
             TY  - JOUR\nTI  - B\nY2  - 2018-03-21 18:19:45\nER  - \n",
            r#"[{"accessed": null, "event-date": {"date-parts": [[1999, 5, 3], [1999, 5, 5]]}},
                {"accessed": {"date-parts": [[2018, 3, 21]]}}]"#,
        );
    }

    #[test]
    fn records_without_types_are_recognised() {
        check_read(
            &RIS,
            "AU  - Doe, Jane\nTI  - A\nJO  - Annals\nVL  - 3\nER  - \n\nAU  - Roe, Al\nTI  - B\nER  - \n",
            r#"[{"type": "article-journal", "title": "A", "container-title": "Annals"}, {"title": "B"}]"#,
        );
        for other in [
            "TI  - A\nAU  - Doe J\n",
            "a  - b\nER  -\n",
            "TI - A\nER  -\n",
        ] {
            assert!(
                !(RIS.recognise)(
                    &crate::Content::of_text(other),
                    &citation_model::budget::Budget::unlimited()
                ),
                "{other}"
            );
        }
    }
}
