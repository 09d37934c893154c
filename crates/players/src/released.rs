use mahbusa_net::{NetFile, NetFileError};
use mahbusa_rules::Rules;

/// A net that comes with the program: `net.mnet` in its folder `models/NAME`.
#[derive(Debug)]
pub struct Released {
    /// The name of the folder, by which people call it.
    pub name: &'static str,
    /// The text of `MODEL_CARD.md` there: what it is and how strong.
    pub card: &'static str,
    /// The text of `levels.json` there.
    pub levels: Option<&'static str>,
    /// The small net that belongs to it.
    pub small: Option<&'static Released>,
    net: &'static [u8],
}

/// A released net, its levels if it has some, and its small net.
macro_rules! released {
    ($name:literal, $levels:expr, $small:expr) => {
        Released {
            name: $name,
            card: include_str!(concat!("../../../models/", $name, "/MODEL_CARD.md")),
            levels: $levels,
            small: $small,
            net: include_bytes!(concat!("../../../models/", $name, "/net.mnet")),
        }
    };
}

static MAHBUSA: Released =
    released!("mahbusa-2", Some(include_str!("../../../models/mahbusa-2/levels.json")), Some(&MAHBUSA_SMALL));
static MAHBUSA_SMALL: Released = released!("mahbusa-2-small", None, None);
static MAHBUSA_1: Released =
    released!("mahbusa-1", Some(include_str!("../../../models/mahbusa-1/levels.json")), Some(&MAHBUSA_1_SMALL));
static MAHBUSA_1_SMALL: Released = released!("mahbusa-1-small", None, None);
static TAPA: Released =
    released!("tapa-1", Some(include_str!("../../../models/tapa-1/levels.json")), Some(&TAPA_SMALL));
static TAPA_SMALL: Released = released!("tapa-1-small", None, None);

/// For each game the newest first, which is the strongest. An old one stays: what was measured by it can be measured again.
static RELEASED: [&Released; 6] = [&MAHBUSA, &MAHBUSA_SMALL, &MAHBUSA_1, &MAHBUSA_1_SMALL, &TAPA, &TAPA_SMALL];

impl Released {
    /// All of them.
    pub fn all() -> impl Iterator<Item = &'static Released> {
        RELEASED.into_iter()
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Released> {
        Released::all().find(|released| released.name == name)
    }

    /// The strongest for a game: it was trained on [`Rules::MAHBUSA`] where pinning the mother wins, else on [`Rules::TAPA`].
    pub fn strongest(rules: Rules) -> &'static Released {
        if rules.mother() { &MAHBUSA } else { &TAPA }
    }

    /// The net.
    ///
    /// # Errors
    /// None, as long as this program reads the format that it was built with.
    pub fn net(&self) -> Result<NetFile, NetFileError> {
        NetFile::from_bytes(self.net)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Levels, NetSize};

    #[test]
    fn every_net_is_of_its_game_and_its_levels_are_its_own() {
        for released in Released::all() {
            let net = released.net().unwrap();
            assert!(released.name.starts_with(&net.rules.to_string()), "{}", released.name);
            assert_eq!(Released::named(released.name).unwrap().name, released.name);
            let Some(levels) = released.levels else { continue };
            let levels = Levels::from_json(levels).unwrap();
            let small = released.small.unwrap().net().unwrap();
            for (size, net) in [(NetSize::Full, net), (NetSize::Small, small)] {
                assert_eq!(levels.check(size, &net.hash(), net.rules), Ok(()));
            }
        }
        for rules in [Rules::MAHBUSA, Rules::TAPA] {
            assert_eq!(Released::strongest(rules).net().unwrap().rules, rules);
        }
        assert!(Released::named("mahbusa-0").is_none());
    }
}
