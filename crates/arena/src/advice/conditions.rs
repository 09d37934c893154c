use mahbusa_rules::{Board, POINTS, Rules};
use serde::{Deserialize, Serialize};

/// A piece of what players of pinning games have always been told, as a condition on plays.
///
/// "My point" counts from my home: I start on my 24-point, they start on my 1-point and have their home on my points 19 to 24.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advice {
    /// Leave the corner in pairs: two checkers leave my start, not one alone. The corner is my start. Plays that move none, three or four from
    /// there are aside.
    Pairs,
    /// Pin as far from their home as you can: of all enemy checkers that can be pinned, the one that is farthest from their home. A pin is one that stands
    /// after the turn and did not before it. Plays that pin nothing are aside. Their last checker on its start is another matter: turns that can pin that
    /// are not asked about.
    FarPin,
    /// Pin at all rather than not. Again turns are left out that can pin their last checker on its start.
    Pin,
    /// Build points in a row in front of their checkers. A point is closed to them where I have two free checkers or more, or one that pins. The row is the
    /// longest run of closed points in front of their rearmost checker, trapped or not; a play follows that makes it longer, and at least two.
    Row,
    /// Guard the last checker in the corner: no play may leave a lone checker on my start that could be pinned. Whoever has two or more there keeps two or
    /// takes all away; whoever has one takes it away.
    Guard,
}

/// Where a play stands towards a piece of advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    /// It does what the advice says.
    Follows,
    /// It does the opposite.
    Against,
    /// The advice has nothing to say about it.
    Aside,
}

/// A turn that a piece of advice is about: there are plays that follow it and plays that go against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Of each play, in wire order.
    pub stances: Vec<Stance>,
    /// Which of the advice's [groups](Advice::groups) the turn belongs to.
    pub group: usize,
}

const START: usize = POINTS - 1;
const HOME: usize = 6;

impl Advice {
    /// All of it.
    pub const ALL: [Advice; 5] = [Advice::Pairs, Advice::FarPin, Advice::Pin, Advice::Row, Advice::Guard];

    /// What tells the turns apart that it is about.
    pub fn groups(self) -> &'static [&'static str] {
        match self {
            Advice::Pairs => &[
                "all checkers in the corner",
                "10 or more in the corner",
                "5 to 9 in the corner",
                "2 to 4 in the corner",
            ],
            Advice::FarPin | Advice::Pin => &[
                "farthest pin on my points 2 to 6",
                "farthest pin on my points 7 to 12",
                "farthest pin on my points 13 to 18",
                "farthest pin on my points 19 to 24",
            ],
            Advice::Row => &["a row of 2 can be made", "a row of 3", "a row of 4", "a row of 5", "a row of 6 or more"],
            Advice::Guard => &[
                "one left, an enemy within 6 points",
                "one left, the nearest 7 to 12 away",
                "one left, the nearest farther away",
                "two or more left, an enemy within 6 points",
                "two or more left, the nearest 7 to 12 away",
                "two or more left, the nearest farther away",
            ],
        }
    }

    /// What it says about the plays of a turn, given the boards after them, all seen by the side that plays; `None` if nothing, or if a play ends the
    /// game.
    pub fn asks(self, rules: Rules, board: &Board, afterstates: &[Board]) -> Option<Question> {
        if afterstates.len() < 2 || afterstates.iter().any(|after| after.ending(rules).is_some()) {
            return None;
        }
        let question = match self {
            Advice::Pairs => pairs(rules, board, afterstates),
            Advice::FarPin => far_pin(board, afterstates)?,
            Advice::Pin => pin(board, afterstates)?,
            Advice::Row => row(board, afterstates),
            Advice::Guard => guard(board, afterstates)?,
        };
        let has = |stance| question.stances.contains(&stance);
        (has(Stance::Follows) && has(Stance::Against)).then_some(question)
    }
}

fn pairs(rules: Rules, board: &Board, afterstates: &[Board]) -> Question {
    let before = board.free()[START];
    let stance = |after: &Board| match before - after.free()[START] {
        2 => Stance::Follows,
        1 => Stance::Against,
        _ => Stance::Aside,
    };
    let group = match before {
        all if all == rules.checkers() as i8 => 0,
        10.. => 1,
        5.. => 2,
        _ => 3,
    };
    Question { stances: afterstates.iter().map(stance).collect(), group }
}

/// The index of the point of the farthest new pin of each play; `None` if a play pins on their start.
fn farthest_pins(board: &Board, afterstates: &[Board]) -> Option<Vec<Option<usize>>> {
    let farthest = |after: &Board| match (after.their_trapped() & !board.their_trapped()).trailing_zeros() as usize {
        0 => None,
        index if index < POINTS => Some(Some(index)),
        _ => Some(None),
    };
    afterstates.iter().map(farthest).collect()
}

fn by_point(index: usize) -> usize {
    index / HOME
}

fn far_pin(board: &Board, afterstates: &[Board]) -> Option<Question> {
    let pins = farthest_pins(board, afterstates)?;
    let farthest = pins.iter().flatten().copied().min()?;
    let stance = |pin: &Option<usize>| match pin {
        Some(index) if *index == farthest => Stance::Follows,
        Some(_) => Stance::Against,
        None => Stance::Aside,
    };
    Some(Question { stances: pins.iter().map(stance).collect(), group: by_point(farthest) })
}

fn pin(board: &Board, afterstates: &[Board]) -> Option<Question> {
    let pins = farthest_pins(board, afterstates)?;
    let farthest = pins.iter().flatten().copied().min()?;
    let stance = |pin: &Option<usize>| if pin.is_some() { Stance::Follows } else { Stance::Against };
    Some(Question { stances: pins.iter().map(stance).collect(), group: by_point(farthest) })
}

fn row(board: &Board, afterstates: &[Board]) -> Question {
    let before = longest_row(board);
    let rows: Vec<u32> = afterstates.iter().map(longest_row).collect();
    let longest = rows.iter().copied().max().unwrap_or(0);
    let stance = |row: &u32| if *row > before && *row >= 2 { Stance::Follows } else { Stance::Against };
    Question { stances: rows.iter().map(stance).collect(), group: longest.clamp(2, 6) as usize - 2 }
}

/// The longest run of points that are closed to them and lie in front of their rearmost checker.
pub(super) fn longest_row(board: &Board) -> u32 {
    let rearmost = (board.their_free() | board.their_trapped()).trailing_zeros();
    if rearmost as usize >= POINTS {
        return 0;
    }
    let closed = board.my_free() & !board.my_blots();
    // Their rearmost checker may be trapped under a point of mine, which is not in front of it.
    let mut ahead = closed >> (rearmost + 1);
    let mut longest = 0;
    while ahead != 0 {
        longest += 1;
        ahead &= ahead >> 1;
    }
    longest
}

fn guard(board: &Board, afterstates: &[Board]) -> Option<Question> {
    let before = board.free()[START];
    if before < 1 {
        return None;
    }
    // The nearest of those that can come, which walk towards my start. One that is trapped, or off, does not.
    let nearest = (board.their_free() & !(1 << START)).checked_ilog2()?;
    let group = match START as u32 - nearest {
        0..=6 => 0,
        7..=12 => 1,
        _ => 2,
    };
    let stance = |after: &Board| match after.my_blots() >> START & 1 {
        1 => Stance::Against,
        _ => Stance::Follows,
    };
    let stances = afterstates.iter().map(stance).collect();
    Some(Question { stances, group: group + if before == 1 { 0 } else { 3 } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_rules::{Play, Position};

    /// The plays of a position with dice that stand so towards the advice, and the group of the turn.
    fn asked(advice: Advice, text: &str, stance: Stance) -> Option<(Vec<String>, usize)> {
        let position: Position = text.parse().unwrap();
        let plays = position.plays();
        let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
        let question = advice.asks(position.rules, &position.board, &afterstates)?;
        assert!(question.group < advice.groups().len());
        let chosen = plays.iter().zip(question.stances).filter(|(_, its)| *its == stance);
        Some((chosen.map(|(play, _)| play.play.to_string()).collect(), question.group))
    }

    fn follows(advice: Advice, text: &str) -> Option<(Vec<String>, usize)> {
        asked(advice, text, Stance::Follows)
    }

    fn against(advice: Advice, text: &str) -> Option<(Vec<String>, usize)> {
        asked(advice, text, Stance::Against)
    }

    fn plays(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| text.parse::<Play>().unwrap().to_string()).collect()
    }

    #[test]
    fn pairs_leave_the_corner_together() {
        let start = "mahbusa:O22o:0.0:w:64:0.0.0";
        assert_eq!(follows(Advice::Pairs, start), Some((plays(&["24/18 24/20"]), 0)));
        assert_eq!(against(Advice::Pairs, start), Some((plays(&["24/18 18/14"]), 0)));
        // Four ways with a double: two of the five results move two checkers, one moves one.
        let double = "mahbusa:O22o:0.0:w:22:0.0.0";
        assert_eq!(asked(Advice::Pairs, double, Stance::Aside).unwrap().0.len(), 2);
        assert_eq!(follows(Advice::Pairs, double).unwrap().0.len(), 2);
        assert_eq!(against(Advice::Pairs, double).unwrap().0.len(), 1);
        // With one checker in the corner there are no pairs.
        assert_eq!(follows(Advice::Pairs, "mahbusa:A8N13o:0.0:w:64:0.0.0"), None);
    }

    #[test]
    fn the_farthest_pin_is_the_one_nearest_to_their_start() {
        // Black, on White's 20-point and 14-point alone, can be pinned by a 4 from 24, and by a 6 and a 4.
        let both = "mahbusa:O3a5a12m:0.0:w:64:0.0.0";
        assert_eq!(follows(Advice::FarPin, both), Some((plays(&["24/18 18/14"]), 2)));
        assert_eq!(against(Advice::FarPin, both), Some((plays(&["24/18 24/20"]), 2)));
        // Only one of them in reach: nothing to choose, but pin or not.
        let one = "mahbusa:O3a18n:0.0:w:42:0.0.0";
        assert_eq!(follows(Advice::FarPin, one), None);
        assert_eq!(follows(Advice::Pin, one), Some((plays(&["24/20 24/22"]), 3)));
        assert_eq!(against(Advice::Pin, one), Some((plays(&["24/20 20/18"]), 3)));
    }

    #[test]
    fn their_last_checker_on_its_start_is_not_asked_about() {
        // White can pin on its own 6-point with the 1, and Black's last checker on its start with the 6.
        let mother = "tapa,checkers=3:A15AAa4a:0.1:w:61:0.0.0";
        assert_eq!(follows(Advice::Pin, mother), None);
        assert_eq!(follows(Advice::FarPin, mother), None);
        assert!(follows(Advice::Pin, &mother.replace("61", "41")).is_some());
    }

    #[test]
    fn a_row_is_a_run_of_points_closed_to_their_rearmost_checker() {
        for (text, row, why) in [
            ("mahbusa:JBB1A18o:0.0:w:-:0.0.0", 3, "24, 23, 22; a lone checker closes nothing"),
            ("mahbusa:IBBA~A18n:0.0:w:-:0.0.0", 4, "but one that pins does"),
            ("mahbusa:J17nBC2a:0.0:w:-:0.0.0", 2, "5 and 4 before their checker on the 1"),
            ("mahbusa:J17nBC3:0.1:w:-:0.0.0", 1, "they have passed 5 and 4"),
            (
                "mahbusa:n13KBB~7:0.0:w:-:0.0.0",
                2,
                "10 and 9; their rearmost is trapped on the 8, which is not before it",
            ),
            ("mahbusa:O23:0.15:w:-:0.0.0", 0, "nobody is left to be stopped"),
        ] {
            let position: Position = text.parse().unwrap();
            assert_eq!(longest_row(&position.board), row, "{text}: {why}");
        }
    }

    #[test]
    fn a_play_follows_that_makes_the_row_longer() {
        let turn = "mahbusa:LBA20o:0.0:w:21:0.0.0";
        assert_eq!(follows(Advice::Row, turn), Some((plays(&["24/22 24/23"]), 1)));
        assert!(against(Advice::Row, turn).unwrap().0.len() > 5);
    }

    #[test]
    fn a_lone_checker_left_in_the_corner_is_unguarded() {
        let left = |play: &String| play.matches("24/").count();
        // Two there: both go, or none, or one. The nearest enemy is ten points away.
        let two = "mahbusa,checkers=5:B9b2B3A5c:0.0:w:41:0.0.0";
        let (lone, group) = against(Advice::Guard, two).unwrap();
        assert!(group == 4 && lone.iter().all(|play| left(play) == 1), "{lone:?}");
        let (guarded, _) = follows(Advice::Guard, two).unwrap();
        assert!(guarded.iter().all(|play| left(play) != 1), "{guarded:?}");
        // One there: it goes or stays.
        let one = "mahbusa,checkers=5:A9b2C3A5c:0.0:w:31:0.0.0";
        let (gone, group) = follows(Advice::Guard, one).unwrap();
        assert!(group == 1 && gone.iter().all(|play| left(play) == 1), "{gone:?}");
        let (stays, _) = against(Advice::Guard, one).unwrap();
        assert!(stays.iter().all(|play| left(play) == 0), "{stays:?}");
    }
}
