//! Month names in the languages of many pages. Exact matches, because `Jane` and `Marc` are not months and
//! may be near dates.

/// The names of each month in English, German, French, Spanish, Portuguese, Italian, Dutch, Scandinavian
/// and other languages, and their abbreviations.
const NAMES: [&str; 12] = [
    "january jan januar jänner jän janvier janv enero ene janeiro gennaio gen januari januar tammikuuta leden ianuarie ιανουαρίου január januára януари gener jaanuar sausio يناير בינואר siječnja جانفي",
    "february feb februar feber février fevrier févr fév febrero fevereiro fev febbraio februari helmikuuta únor φεβρουαρίου február februára февруари febrer veebruar vasario فبراير בפברואר veljače فيفري شباط",
    "march mar märz mrz mär mars marzo março maart mrt marts maaliskuuta březen martie μαρτίου március март març märts kovo مارس במרץ ožujka maret آذار",
    "april apr avril avr abril abr aprile april huhtikuuta duben aprilie απριλίου április apríla април aprill balandžio أبريل באפריל travnja أفريل نيسان",
    "may mai mayo maio maggio mag mei maj toukokuuta květen μαΐου május mája май maig gegužės مايو במאי svibnja ماي أيار",
    "june jun juni juin junio junho giugno giu kesäkuuta červen iunie ιουνίου június júna юни juny juuni birželio يونيو ביוני lipnja جوان حزيران",
    "july jul juli juillet juil julio julho luglio lug heinäkuuta červenec iulie ιουλίου július júla юли juliol juuli liepos يوليو ביולי srpnja جويلية تموز",
    "august aug août aout agosto ago augustus augusti elokuuta srpen αυγούστου augusztus agost rugpjūčio أغسطس באוגוסט kolovoza agustus أوت آب",
    "september sep sept septembre septiembre setembro set settembre syyskuuta září septembrie σεπτεμβρίου szeptember septembra септември setembre rugsėjo سبتمبر בספטמבר rujna أيلول",
    "october oct oktober okt octobre octubre outubro out ottobre ott lokakuuta říjen octombrie οκτωβρίου október októbra октомври oktoober spalio أكتوبر באוקטובר",
    "november nov novembre noviembre novembro marraskuuta listopad noiembrie νοεμβρίου novembra ноември lapkričio نوفمبر בנובמבר studenoga",
    "december dec dezember dez décembre decembre déc diciembre dic dezembro dicembre desember joulukuuta prosinec decembrie δεκεμβρίου decembra декември desembre detsember gruodžio ديسمبر בדצמבר prosinca",
];

/// Stems of month names in inflected languages: Russian, Ukrainian, Polish, Czech, Turkish.
const STEMS: [&str; 12] = [
    "январ січн stycz ledna ocak",
    "феврал лютог luteg února şubat",
    "март берез marca března",
    "апрел квіт kwiet dubna nisan",
    "мая трав maja května mayıs",
    "июн черв czerw června haziran",
    "июл лип lipca července temmuz",
    "август серп sierp srpna ağustos",
    "сентяб верес wrześ eylül",
    "октяб жовт paźdz října ekim",
    "нояб листоп listop kasım",
    "декаб груд grudn prosince aralık",
];

/// The month of a word, 1 to 12.
pub(super) fn of_word(word: &str) -> Option<u8> {
    let first = word.chars().next()?;
    if !first.is_alphabetic() || word.chars().nth(2).is_none() {
        return None;
    }
    let word = word.to_lowercase();
    let named = |names: &str| names.split(' ').any(|name| name == word);
    let begun = |stems: &str| stems.split(' ').any(|stem| word.starts_with(stem));
    let at = NAMES.iter().position(|names| named(names));
    let at = at.or_else(|| STEMS.iter().position(|stems| begun(stems)))?;
    u8::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_told_from_names_of_people() {
        assert_eq!(of_word("July"), Some(7));
        assert_eq!(of_word("Sept"), Some(9));
        assert_eq!(of_word("März"), Some(3));
        assert_eq!(of_word("июля"), Some(7));
        for name in [
            "Jane", "Marc", "Augusta", "Junker", "Decker", "Mayer", "Octavia", "5",
        ] {
            assert_eq!(of_word(name), None, "{name}");
        }
    }
}
