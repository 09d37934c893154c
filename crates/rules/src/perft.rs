use std::collections::{HashMap, HashSet};

use crate::{Afterstates, Board, Roll, Rules, generate};

/// The counts of one depth of the game tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perft {
    /// Plies from the start.
    pub depth: u32,
    /// Nodes over all 21 rolls: each distinct result of a roll once, a pass counts one, ended games are counted and not
    /// expanded, transpositions are not merged.
    pub nodes: u64,
    /// Distinct positions after exactly this ply, ended ones included.
    pub distinct: u64,
}

/// Counts the game tree from the start, one depth after the other, without end.
///
/// A count that does not fit 64 bits stays at the largest.
pub fn perft(rules: Rules) -> impl Iterator<Item = Perft> {
    let mut level = HashMap::from([(Board::start(rules), 1u64)]);
    let mut afterstates = Afterstates::default();
    (1..).map(move |depth| {
        let mut next: HashMap<Board, u64> = HashMap::new();
        let mut ended = HashSet::new();
        let mut nodes = 0u64;
        #[expect(clippy::iter_over_hash_type, reason = "neither counts nor sets depend on the order")]
        for (board, paths) in level.drain() {
            for roll in Roll::ALL {
                afterstates.boards.clear();
                generate(rules, &board, roll, &mut afterstates);
                if afterstates.boards.is_empty() {
                    afterstates.boards.push(board);
                }
                nodes = nodes.saturating_add(paths.saturating_mul(afterstates.boards.len() as u64));
                for result in &afterstates.boards {
                    if result.ending(rules).is_some() {
                        ended.insert(result.flip());
                    } else {
                        let count = next.entry(result.flip()).or_default();
                        *count = count.saturating_add(paths);
                    }
                }
            }
        }
        level = next;
        Perft { depth, nodes, distinct: (level.len() + ended.len()) as u64 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_two_plies_have_the_known_counts() {
        for rules in [Rules::MAHBUSA, Rules::TAPA] {
            let counts: Vec<_> = perft(rules).take(2).map(|p| (p.depth, p.nodes, p.distinct)).collect();
            assert_eq!(counts, [(1, 59, 49), (2, 3474, 2394)]);
        }
    }
}
