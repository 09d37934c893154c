//! How things are said.

use std::fmt::Display;
use std::path::Path;

/// So many of something: `1 run`, `2 runs`.
pub fn counted<N: Copy + Display + PartialEq + TryFrom<u8>>(count: N, one: &str) -> String {
    let is_one = N::try_from(1).is_ok_and(|single| single == count);
    format!("{count} {one}{}", if is_one { "" } else { "s" })
}

/// A command on a file or folder, as it can be typed.
pub fn command(verb: &str, path: &Path) -> String {
    format!("{verb} {}", for_a_shell(&path.display().to_string()))
}

/// A name as a shell takes it: in quotes, where there is anything in it that a shell might not take as it is.
pub fn for_a_shell(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/.-_@+=:,%\\".contains(c);
    if !name.is_empty() && name.chars().all(|c| plain(c) && (c != '\\' || cfg!(windows))) {
        return name.to_owned();
    }
    if cfg!(windows) { format!("\"{name}\"") } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// A text whose lines have so many columns at most, if that is known: broken between words, and not within a command in backquotes. What is longer stays whole.
pub fn wrapped(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return text.to_owned() };
    text.split('\n').map(|line| wrapped_line(line, columns, "")).collect::<Vec<_>>().join("\n")
}

/// The same of one line; those that follow from it begin with the indent.
pub fn wrapped_line(line: &str, columns: usize, indent: &str) -> String {
    let mut wrapped = String::with_capacity(line.len());
    let mut taken = 0;
    // Spaces between words are those that were there; the one that a line is broken at goes.
    let mut gap = "";
    for (word, spaces) in words(line) {
        let width = word.chars().count();
        if taken > 0 && taken + gap.len() + width > columns {
            wrapped.push('\n');
            wrapped.push_str(indent);
            taken = indent.chars().count();
        } else {
            wrapped.push_str(gap);
            taken += gap.len();
        }
        wrapped.push_str(word);
        taken += width;
        gap = spaces;
    }
    wrapped
}

/// The lines of a table. Where they are to have so many columns at most, cells stand closer together if need be, and if that is not enough, cells at the end are left out,
/// the first never.
pub fn table<const CELLS: usize>(rows: &[[String; CELLS]], columns: Option<usize>) -> Vec<String> {
    let width = |index: usize| rows.iter().map(|row| row[index].chars().count()).max().unwrap_or(0);
    let widths: [usize; CELLS] = std::array::from_fn(width);
    let fits = |cells: usize, gap: usize| {
        let whole = widths[..cells].iter().sum::<usize>() + gap * cells.saturating_sub(1);
        columns.is_none_or(|columns| whole <= columns)
    };
    let forms = (1..=CELLS).rev().flat_map(|cells| [(cells, 2), (cells, 1)]);
    let (cells, gap) = forms.into_iter().find(|&(cells, gap)| fits(cells, gap)).unwrap_or((1, 0));
    let line = |row: &[String; CELLS]| {
        let padded = row[..cells].iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        padded.collect::<Vec<_>>().join(&" ".repeat(gap)).trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The words of a line, each with the spaces behind it; what stands in backquotes is one word with what touches it.
fn words(line: &str) -> Vec<(&str, &str)> {
    let mut words = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let mut quoted = false;
        let end = rest.find(|letter| {
            quoted ^= letter == '`';
            letter == ' ' && !quoted
        });
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let spaces = behind.len() - behind.trim_start_matches(' ').len();
        words.push((word, &behind[..spaces]));
        rest = &behind[spaces..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{counted, for_a_shell, table, wrapped, wrapped_line};

    #[test]
    fn a_table_takes_the_room_that_there_is() {
        let rows = [["run", "state", "size"], ["runs/a", "paused", "5 MB"]].map(|row| row.map(str::to_owned));
        for (columns, shown) in [
            (None, "runs/a  paused  5 MB"),
            (Some(20), "runs/a  paused  5 MB"),
            (Some(19), "runs/a paused 5 MB"),
            (Some(17), "runs/a  paused"),
            (Some(13), "runs/a paused"),
            (Some(12), "runs/a"),
            (Some(3), "runs/a"),
        ] {
            assert_eq!(table(&rows, columns)[1], shown);
        }
    }

    #[test]
    fn lines_are_broken_between_words() {
        let train = "run folder runs/quick: mahbusa, 128 squared hidden units, 350000 games\n  so  it is";
        let broken = "run folder runs/quick: mahbusa, 128\nsquared hidden units, 350000 games\n  so  it is";
        assert_eq!(wrapped(train, Some(36)), broken);
        assert_eq!(wrapped(train, None), train);
        assert_eq!(wrapped(train, Some(70)), train);
        let command = "saved in games/m.jsonl; `play --resume games/m.jsonl` goes on";
        assert_eq!(wrapped(command, Some(40)), "saved in games/m.jsonl;\n`play --resume games/m.jsonl` goes on");
        assert_eq!(wrapped("it's `open and so on", Some(10)), "it's\n`open and so on");
        assert_eq!(wrapped("somewhat-longer-than-that, yes", Some(10)), "somewhat-longer-than-that,\nyes");
        assert_eq!(wrapped("  é é é", Some(5)), "  é é\né");
        assert_eq!(wrapped("a\n\nb ", Some(1)), "a\n\nb");
        assert_eq!(wrapped_line("* an item of a list", 10, "  "), "* an item\n  of a\n  list");
    }

    #[cfg(unix)]
    #[test]
    fn names_are_quoted_where_a_shell_would_take_them_apart() {
        for (name, shown) in [
            ("runs/quick-2", "runs/quick-2"),
            ("new file.toml", "'new file.toml'"),
            ("it's", "'it'\\''s'"),
            ("a;b", "'a;b'"),
            ("a\\b", "'a\\b'"),
            ("é", "é"),
            ("", "''"),
        ] {
            assert_eq!(for_a_shell(name), shown);
        }
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count: u64| counted(count, "run")), ["0 runs", "1 run", "2 runs"]);
    }
}
