//! What a mistyped word was perhaps meant to be.

/// The nearest of some names, the first of equally near ones; none when all are too far to be meant.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().filter_map(|name| Some((distance_if_near(word, name)?, name)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// How many letters are wrong, if a third of them at most.
pub(crate) fn distance_if_near(word: &str, name: &str) -> Option<usize> {
    let limit = (word.chars().count().max(name.chars().count()) + 1) / 3;
    Some(distance(word, name)).filter(|distance| *distance <= limit)
}

/// Letters to insert, remove, replace, or exchange with their neighbour (Damerau 1964, no letter being touched twice).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_wrong_letters() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("games", "games", 0),
            ("gmaes", "games", 1),
            ("game", "games", 1),
            ("stairs", "staircase", 3),
            ("ca", "abc", 3),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn only_what_is_near_is_meant() {
        assert_eq!(nearest("lamda", ["games", "lambda"]), Some("lambda"));
        assert_eq!(nearest("chess", ["mahbusa", "tapa"]), None);
        assert_eq!(nearest("", ["a"]), None);
    }
}
