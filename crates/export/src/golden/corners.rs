//! Positions that programs get wrong.

use mahbusa_rules::{Position, Rules};

/// What is special, and the position with dice, without rules and match.
const CORNERS: [(&str, &str); 40] = [
    ("start", "O22o:0.0:w:64"),
    ("start", "O22o:0.0:b:21"),
    ("start, a double", "O22o:0.0:w:33"),
    ("start, a closed start", "O22o:0.0:w:66"),
    ("a pin of one on one", "J5C4A~6A4n:0.0:w:52"),
    ("a pin of one on one, for the other side", "J5C4A~6A4n:0.0:b:31"),
    ("pinned and freed again in one turn", "O3a18n:0.0:w:41"),
    ("a double that pins on its way", "O3a18n:0.0:w:44"),
    ("a checker trapped in its own home bars all bearing off", "4n13GG2a~1:0.0:w:65"),
    ("nothing may land where an enemy traps one of mine", "4n13GG2a~1:0.0:w:41"),
    ("one enemy checker that pins mine is closed", "n10N2a~9:0.0:w:32"),
    ("stacking onto an own pin", "n10N2A~9:0.0:w:33"),
    ("leaving a pin and pinning again", "n10M2B~9:0.0:w:33"),
    ("a closed point between own points", "4m6BbB9K:0.0:w:11"),
    ("bearing off while holding a pin", "4n15AA~2:13.0:w:31"),
    ("bearing off while holding a pin, for the other side", "2a~a15N4:0.13:b:31"),
    ("both off: mars", "4n16B~2:13.0:w:63"),
    ("a checker caught after the enemy began to bear off", "B2a1b17M:0.12:w:32"),
    ("the same for the side that was caught", "m17B1A2b:12.0:b:32"),
    ("the exact point is empty and the higher one blocked", "m18B2bC:10.0:w:33"),
    ("the six takes from the five, the three is lost", "m18B2bC:10.0:w:63"),
    ("two ways to bear off", "o18A2A1:13.0:w:42"),
    ("a double is one turn of four", "o22D:11.0:w:11"),
    ("both bear off: one point", "18b3AA:13.13:w:21"),
    ("both bear off, not yet over", "17b1b2AB:12.11:w:21"),
    ("the mother pinned with the first die", "n15MB5a:0.0:w:61"),
    ("the mother pinned with the first die, for the other side", "A5bm15N:0.0:b:61"),
    ("pinning the mother with the own start occupied", "B3n12M5a:0.0:w:65"),
    ("emptying the own start while the mother is pinned", "B3n12K5B~:0.0:w:65"),
    ("both starts pinned: a forced draw", "n~21Na:0.0:w:61"),
    ("both starts pinned: a forced draw, for the other side", "An21N~:0.0:b:61"),
    ("only one die can be played: the higher", "4m7A6b3N:0.0:w:52"),
    ("the six only after the one", "4k12ANb3b:0.0:w:61"),
    ("both dice must be used", "A3k1b1b7A5M1:0.0:w:62"),
    ("the play that kills the other die is illegal", "4i5A1b1A3b3bM:0.0:w:62"),
    ("a pass", "4k6A1b2b6N:0.0:w:52"),
    ("one step of four", "9d2f1I2e1A1E2:0.0:w:33"),
    ("two steps of four", "5d4B1d3G2F2g1:0.0:w:66"),
    ("three steps of four", "8dL2f3e1C5:0.0:w:33"),
    ("five trapped on either side", "EA~A~A~A~A~12a~a~a~a~a~e:0.0:w:53"),
];

/// The corner cases of a rule set, then those that come out otherwise by the other one, in that. With fewer checkers than 15 only the start.
pub(super) fn of(rules: Rules) -> Vec<(&'static str, Position)> {
    let other = if rules.mother() { Rules::TAPA } else { Rules::MAHBUSA };
    let mut cases: Vec<_> = CORNERS.iter().filter_map(|&(case, text)| Some((case, read(rules, text)?))).collect();
    if cases.is_empty() {
        cases.push(("start", Position::start(rules)));
        return cases;
    }
    let differs = |position: &Position| {
        let ends =
            |position: &Position| -> Vec<_> { position.plays().iter().map(|play| (play.play, play.ending)).collect() };
        ends(position) != ends(&Position { rules: other, ..*position })
    };
    let others: Vec<_> = cases
        .iter()
        .filter(|(_, position)| differs(position))
        .map(|&(case, position)| (case, Position { rules: other, ..position }))
        .collect();
    cases.extend(others);
    cases
}

/// The position, if it can be one by these rules.
fn read(rules: Rules, text: &str) -> Option<Position> {
    format!("{rules}:{text}:0.0.0").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cases_are_positions_and_those_of_the_mother_come_in_both_rule_sets() {
        for (_, text) in CORNERS {
            let position = format!("mahbusa:{text}:0.0.0").parse::<Position>();
            assert!(position.is_ok_and(|position| !position.plays().is_empty()), "{text}");
        }
        for (rules, other) in [(Rules::MAHBUSA, Rules::TAPA), (Rules::TAPA, Rules::MAHBUSA)] {
            let cases = of(rules);
            let others: Vec<_> =
                cases.iter().filter(|(_, position)| position.rules == other).map(|(case, _)| *case).collect();
            assert!(others.contains(&"the mother pinned with the first die"), "{others:?}");
            assert!(!others.contains(&"start"), "{others:?}");
        }
        assert_eq!(of(Rules::TAPA.with_checkers(3).unwrap()).len(), 1);
    }
}
