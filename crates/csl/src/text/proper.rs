//! Words that English always capitalizes: names of days, months, places, peoples, languages and religions
//! that are frequent in titles.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Whether a lowercase word is such a name or its possessive.
pub fn is_name(lower: &str) -> bool {
    let owner = lower
        .strip_suffix("'s")
        .or_else(|| lower.strip_suffix("’s"));
    NAMES.contains(owner.unwrap_or(lower))
}

/// Whether two consecutive words form a name.
pub fn is_pair(first: &str, second: &str) -> bool {
    PAIRS.contains(&(first, second))
}

/// Whether a word belongs to the following name: `North America`.
pub fn leads_name(lower: &str) -> bool {
    LEADS.contains(&lower)
}

/// Whether a word belongs to the preceding name: `Baltic Sea`.
pub fn follows_name(lower: &str) -> bool {
    FOLLOWERS.contains(&lower)
}

const FOLLOWERS: &[&str] = &[
    "dynasty",
    "empire",
    "islands",
    "ocean",
    "peninsula",
    "republic",
    "sea",
];

const LEADS: &[&str] = &[
    "central",
    "east",
    "eastern",
    "great",
    "greater",
    "imperial",
    "latin",
    "new",
    "north",
    "northern",
    "saint",
    "south",
    "southeast",
    "southern",
    "west",
    "western",
];

const PAIRS: &[(&str, &str)] = &[
    ("civil", "war"),
    ("cold", "war"),
    ("european", "union"),
    ("great", "britain"),
    ("hong", "kong"),
    ("los", "angeles"),
    ("middle", "ages"),
    ("middle", "east"),
    ("new", "deal"),
    ("new", "testament"),
    ("new", "york"),
    ("nobel", "prize"),
    ("north", "sea"),
    ("old", "testament"),
    ("san", "francisco"),
    ("saudi", "arabia"),
    ("soviet", "union"),
    ("sri", "lanka"),
    ("supreme", "court"),
    ("united", "kingdom"),
    ("united", "nations"),
    ("united", "states"),
    ("world", "war"),
];

static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let names =
        "afghan afghanistan africa african africans alaska algeria alps amazon america american
        americans amsterdam antarctic antarctica april arab arabia arabian arabic arabs arctic
        argentina armenia armenian asia asian asians athens atlantic august australia australian
        austria austrian babylon babylonian balkan balkans baltic bangladesh bavaria beijing
        belgian belgium berlin bible boston brazil brazilian britain british buddha buddhism
        buddhist bulgaria bulgarian byzantine byzantium cairo california cambodia cameroon
        canada canadian caribbean catholic catholicism catholics celtic chicago chile china
        chinese christ christian christianity christians christmas colombia confucian congo
        croatia croatian cuba cuban cyprus czech danish darwinian december denmark dublin dutch
        easter ecuador edinburgh egypt egyptian egyptians england english estonia ethiopia
        ethiopian euclidean eurasia eurasian europe european europeans february finland finnish
        florence florida france french freudian friday gaussian geneva german germanic germans
        germany ghana gothic greece greek greeks greenland harvard hawaii hebrew himalaya
        himalayan himalayas hindi hindu hinduism hispanic holocaust hungarian hungary iceland
        icelandic india indian indians indonesia indonesian iran iranian iraq iraqi ireland
        irish islam islamic israel israeli istanbul italian italians italy jamaica january japan
        japanese jerusalem jesus jewish jews jordan judaism july june jupiter kantian kazakhstan
        kenya kenyan korea korean latin latino latvia lebanese lebanon libya lisbon lithuania
        london madagascar madrid malawi malaysia malaysian manhattan maori markov marxism
        marxist massachusetts mediterranean melbourne mexican mexico milan mississippi monday
        mongolia mongolian morocco moscow mozambique munich muslim muslims naples nazi nazis
        nepal netherlands newtonian nigeria nigerian nile nordic norway norwegian november
        october ohio olympic olympics ottoman oxford pacific pakistan palestine palestinian
        paris persian peru peruvian philippines platonic poland portugal portuguese prague
        protestant protestants prussia prussian quebec quran roman romania romanian romans rome
        russia russian russians rwanda sahara saharan sanskrit saturday saturn saxon scandinavia
        scandinavian scotland scottish senegal september serbia serbian shanghai siberia
        siberian sicily singapore slavic slovakia slovenia somalia soviet spain spanish sudan
        sunday sweden swedish swiss switzerland sydney syria syrian taiwan taiwanese tanzania
        texas thai thailand thursday tibet tibetan tokyo toronto tuesday tunisia turkish uganda
        ukraine ukrainian uruguay venezuela venice victorian vienna vietnam vietnamese virginia
        wales washington wednesday welsh yemen york yugoslavia zambia zealand zimbabwe zionism
        zurich";
    names.split_whitespace().collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_their_possessives_are_known() {
        assert!(is_name("japan") && is_name("japan's") && is_name("japan’s"));
        assert!(!is_name("land") && !is_name("may"));
    }
}
