//! Matches are written down, read back, and refused where they cannot be.

#![allow(clippy::panic, clippy::unwrap_used, reason = "this is a test as a whole, its helpers included")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use mahbusa_players::{GameDice, Ply};
use mahbusa_rules::{Board, Play, Position, Rules, Side};
use mahbusa_transcript::{
    DiceSource, Head, How, LevelSeat, NetSeat, Now, Seat, TranscriptError, TranscriptFile, read, write_game,
};

/// A path for a test, whose file is gone when the test is over.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Place(std::env::temp_dir().join(format!("mahbusa-transcript-{}-{number}.jsonl", std::process::id())))
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }

    fn write(&self, text: impl AsRef<[u8]>) -> &Path {
        std::fs::write(&self.0, text).unwrap();
        &self.0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn head(rules: &str, length: u16) -> Head {
    let net = NetSeat {
        model: Some("models/some".to_owned()),
        sha256: "0".repeat(64),
        ply: Ply::Two,
        level: Some(LevelSeat { number: "3".parse().unwrap(), noise: 0.1, cap: 0.3 }),
    };
    Head {
        rules: rules.parse().unwrap(),
        length,
        // Black opens with 31, then White has 54.
        dice: DiceSource::Seed(2336),
        white: Seat { name: "you".to_owned(), net: None },
        black: Seat { name: "a net".to_owned(), net: Some(net) },
    }
}

/// Plays the first or the last legal play of each turn, until the match is over or so many turns were played.
fn play(file: &mut TranscriptFile, turns: usize) {
    for turn in 0..turns {
        let Now::Play(position) = file.transcript().now() else { return };
        let plays = position.plays();
        let chosen = if turn % 3 == 0 { plays.len() - 1 } else { 0 };
        file.play(plays[chosen].play).unwrap();
    }
}

#[test]
fn a_match_reads_back_as_it_was_played() {
    for (rules, length) in [("mahbusa", 0), ("tapa", 3), ("mahbusa,checkers=3", 7)] {
        let place = Place::new();
        let mut file = TranscriptFile::create(&place.0, head(rules, length)).unwrap();
        play(&mut file, 20_000);
        let played = file.transcript();
        let Now::Over(winner) = played.now() else { panic!("{:?}", played.now()) };
        if length > 0 {
            let winner = winner.unwrap();
            assert!(played.points(winner) >= u32::from(length) && played.points(winner.other()) < u32::from(length));
            assert!(played.games().len() > 1);
        }
        let again = read(&place.0).unwrap();
        assert_eq!((again.head(), again.games(), again.now()), (played.head(), played.games(), played.now()));
    }
}

#[test]
fn the_winner_opens_the_next_game_and_a_new_game_has_dice_of_its_own() {
    let place = Place::new();
    let mut file = TranscriptFile::create(&place.0, head("mahbusa", 5)).unwrap();
    let loser = file.transcript().games()[0].opener;
    file.resign(loser).unwrap();
    let [first, second] = file.transcript().games() else { panic!("two games") };
    assert_eq!(first.end.map(|end| (end.how, end.winner, end.points)), Some((How::Resigned, Some(loser.other()), 2)));
    assert_eq!((second.opener, second.opening.len(), second.score.of(loser.other())), (loser.other(), 0, 2));
    assert!(!first.opening.is_empty());
}

/// What a kill leaves at any moment can be played on, and loses no more than the line that was being written.
#[test]
fn a_file_that_was_cut_off_anywhere_is_resumed_as_if_nothing_had_happened() {
    let place = Place::new();
    let mut file = TranscriptFile::create(&place.0, head("mahbusa,checkers=2", 3)).unwrap();
    play(&mut file, 20_000);
    let games = file.transcript().games().to_vec();
    drop(file);
    let whole = place.text();
    let first = whole.find('\n').unwrap();
    // Every place in a line, and another line each time.
    for cut in (first..whole.len()).step_by(101).chain([whole.len() - 1, whole.len()]) {
        let path = place.write(&whole[..cut]);
        let seen = read(path).unwrap();
        let mut file = TranscriptFile::open(path).unwrap();
        assert!(file.transcript().games().len() >= seen.games().len());
        for _ in 0..2 {
            let now = file.transcript().games();
            let (game, turn) = (now.len() - 1, now[now.len() - 1].turns.len());
            if let Some(turn) = games[game].turns.get(turn) {
                file.play(turn.played.play).unwrap();
            }
        }
        drop(file);
        let text = place.text();
        assert!(whole.starts_with(&text) && text.len() >= cut, "cut at {cut}");
    }
    assert!(matches!(read(place.write(&whole[..first - 1])), Err(TranscriptError::Foreign(_))));
}

#[test]
fn what_is_taken_back_is_played_again_with_the_same_dice() {
    let place = Place::new();
    let mut file = TranscriptFile::create(&place.0, head("tapa", 0)).unwrap();
    play(&mut file, 9);
    let before = file.transcript().games()[0].clone();
    let turn = file.transcript().last_choice(Side::White).unwrap();
    let there = before.turns[turn as usize - 1].position;
    assert_eq!(there.turn, Side::White);
    file.take_back(turn).unwrap();
    assert_eq!(file.transcript().now(), Now::Play(there));
    for turn in &before.turns[turn as usize - 1..] {
        file.play(turn.played.play).unwrap();
    }
    let after = read(&place.0).unwrap().games()[0].clone();
    assert_eq!(after.turns, before.turns);
    assert_eq!(after.taken_back, 10 - turn);
    assert!(file.take_back(10).is_err() && file.take_back(0).is_err());
}

#[test]
fn a_match_is_played_by_one_process_and_replaces_nothing() {
    let place = Place::new();
    let file = TranscriptFile::create(&place.0, head("tapa", 0)).unwrap();
    assert!(matches!(TranscriptFile::create(&place.0, head("tapa", 0)), Err(TranscriptError::Occupied(_))));
    assert!(matches!(TranscriptFile::open(&place.0), Err(TranscriptError::Locked(_))));
    drop(file);
    assert!(TranscriptFile::open(&place.0).is_ok());
}

#[test]
fn illegal_plays_are_refused_and_not_written() {
    let place = Place::new();
    let mut file = TranscriptFile::create(&place.0, head("tapa", 0)).unwrap();
    let before = place.text();
    assert!(file.play(Play::PASS).is_err());
    assert!(file.play("24/23".parse().unwrap()).is_err());
    assert_eq!(place.text(), before);
}

#[test]
fn a_line_that_cannot_be_is_refused_with_its_number() {
    let place = Place::new();
    let mut file = TranscriptFile::create(&place.0, head("mahbusa", 3)).unwrap();
    play(&mut file, 4);
    drop(file);
    let whole = place.text();
    let line = |number: usize| whole.lines().nth(number - 1).unwrap();
    let refused = |wrong: String, number: usize, says: &str| {
        let error = read(place.write(&wrong)).unwrap_err().to_string();
        assert!(error.contains(&format!(".jsonl:{number}: ")) && error.contains(says), "{says}: {error}");
    };
    let with = |number: usize, from: &str, to: &str| {
        assert!(line(number).contains(from), "{}", line(number));
        let lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        let mut lines = lines;
        lines[number - 1] = lines[number - 1].replace(from, to);
        lines.join("\n") + "\n"
    };
    refused(with(1, "\"rules\":\"mahbusa\"", "\"rules\":\"chess\""), 1, "`mahbusa`, `plakoto` or `tapa`");
    refused(with(1, "\"ply\":2", "\"ply\":4"), 1, "black: ply: expected 1, 2 or 3, found 4");
    refused(with(1, "\"name\":\"you\"", "\"name\":\"\\u001b[2J\""), 1, "white: name: expected a text without control");
    refused(with(1, "\"cap\":0.3", "\"cap\":9"), 1, "black: level, cap: expected a number in 0..=4, found 9");
    refused(with(1, "\"length\"", "\"lenght\""), 1, "unknown field `lenght`");
    refused(with(1, "\"seed\":2336", "\"seed\":8"), 2, "by the seed");
    refused(with(2, "\"game\":1", "\"game\":2"), 2, "game: expected 1, found 2");
    refused(with(2, "\"opening\":[\"45\"]", "\"opening\":[\"55\"]"), 2, "then one of different dice");
    refused(with(2, "\"opener\":\"black\"", "\"opener\":\"white\""), 2, "opener: expected black");
    refused(with(3, "\"turn\":1", "\"turn\":2"), 3, "turn: expected 1, found 2");
    refused(with(3, ":31:", ":32:"), 3, "position: expected mahbusa:O22o:0.0:b:31:0.0.3, found");
    refused(with(3, ":31:", ":-:"), 3, "expected two dice");
    refused(with(3, "\"play\":\"", "\"play\":\"x"), 3, "play: expected a step");
    refused(with(3, "\"play\":\"24/", "\"play\":\"23/"), 3, "play: ");
    refused(with(4, "\"turn\":2", "\"back\":2"), 4, "unknown field `position`");
    refused(with(4, "{", ""), 4, "");
    refused(format!("{}\n{}\n{}\n", line(1), line(2), line(2)), 3, "expected a line with `turn`, found `game`");
    refused(format!("{whole}{{\"back\":5}}\n"), 7, "expected a turn of a game that goes on, found 5");
    refused(whole.replacen('\n', "\n\n", 1), 2, "");
    refused(
        format!("{whole}{{\"end\":\"mars\",\"winner\":\"white\",\"points\":2,\"white\":2,\"black\":0}}\n"),
        7,
        "expected a line with `turn`",
    );
    refused(
        format!("{whole}{{\"end\":\"resigned\",\"winner\":\"white\",\"points\":1,\"white\":1,\"black\":0}}\n"),
        7,
        "\"points\":2",
    );

    for foreign in ["", "\n", "{}", "x\n", "{\"mahbusa\":\"pairs\",\"format\":1}\n", "\u{fffd}"] {
        assert!(matches!(read(place.write(foreign)), Err(TranscriptError::Foreign(_))), "{foreign}");
    }
    let other = with(1, "\"format\":2", "\"format\":1");
    assert!(matches!(read(place.write(&other)), Err(TranscriptError::Format { found: 1, .. })));
    for no_file in [std::env::temp_dir().as_path(), Path::new("no-such-file")] {
        assert!(matches!(read(no_file), Err(TranscriptError::Io { .. })), "{}", no_file.display());
    }
}

/// A game of a pair in which the first legal play is taken each time, on dice asked for apart from the transcript.
fn game_of_pair(head: &Head, pair: u64, opener: Side) -> Vec<Board> {
    let mut dice = GameDice::new(9, pair);
    let mut position = Position { turn: opener, ..Position::start(head.rules) };
    let mut boards = Vec::new();
    while position.ending().is_none() {
        position.dice = Some(dice.roll(boards.len()));
        position = position.plays()[0].position;
        boards.push(position.board.flip());
    }
    boards
}

#[test]
fn a_game_of_a_pair_is_written_down_on_the_dice_of_the_pair() {
    let place = Place::new();
    for (rules, pair) in [("mahbusa", 0), ("tapa", 17), ("mahbusa,checkers=2", u64::MAX)] {
        let head = Head { dice: DiceSource::Pair { seed: 9, pair }, ..head(rules, 0) };
        for opener in [Side::White, Side::Black] {
            let boards = game_of_pair(&head, pair, opener);
            let text = write_game(head.clone(), opener, &boards).unwrap();
            let transcript = read(place.write(&text)).unwrap();
            let [game] = transcript.games() else { panic!("one game") };
            assert_eq!((transcript.head(), game.opener, game.turns.len()), (&head, opener, boards.len()));
            assert!(matches!(transcript.now(), Now::Over(winner) if winner == game.end.unwrap().winner));
            assert!(game.opening.is_empty());
            // Other dice are noticed, and so are other turns.
            let other = text.replace(&format!("\"pair\":{pair}"), &format!("\"pair\":{}", pair ^ 1));
            assert!(read(place.write(other)).unwrap_err().to_string().contains(": position: expected"));
            for wrong in [&boards[1..], &boards[..boards.len() - 1], &[&boards[..], &boards[..1]].concat()] {
                assert!(matches!(write_game(head.clone(), opener, wrong), Err(TranscriptError::Refused(_))));
            }
        }
    }
    let head = Head { dice: DiceSource::Pair { seed: 9, pair: 0 }, ..head("tapa", 0) };
    let text = write_game(head.clone(), Side::White, &game_of_pair(&head, 0, Side::White)).unwrap();
    for (from, to, says) in [
        ("\"length\":0", "\"length\":3", "1: pair: expected a seed, and a single game, of length 0"),
        ("\"seed\":9", "\"seed\":null", "1: pair: expected a seed"),
        ("\"opening\":[]", "\"opening\":[\"61\"]", "2: opening: expected [] by the seed"),
    ] {
        let error = read(place.write(text.replacen(from, to, 1))).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn dice_that_were_thrown_elsewhere_are_taken_as_they_are() {
    let place = Place::new();
    let text = "{\"mahbusa\":\"match\",\"format\":2,\"version\":\"0.1.0\",\"rules\":\"mahbusa\",\"length\":0,\"seed\":null,\
                \"white\":{\"name\":\"Amal\"},\"black\":{\"name\":\"Karim\"}}\n\
                {\"game\":1,\"opening\":[],\"opener\":\"black\"}\n\
                {\"turn\":1,\"position\":\"mahbusa:O22o:0.0:b:64:0.0.0\",\"play\":\"24/20 24/18\"}";
    let transcript = read(place.write(text)).unwrap();
    let turn = transcript.games()[0].turns[0];
    assert_eq!(turn.played.play.to_string(), "24/18 24/20");
    let Now::Play(position) = transcript.now() else { panic!("a turn") };
    assert_eq!((position.dice, position.turn, position.rules), (None, Side::White, Rules::MAHBUSA));

    // Nobody knows who begins.
    let head = text.lines().next().unwrap().to_owned() + "\n";
    assert_eq!(TranscriptFile::open(place.write(&head)).unwrap().transcript().now(), Now::Begin);
    assert_eq!(place.text(), head);
}
