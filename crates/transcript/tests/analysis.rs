//! What an analysis says of matches whose plays are known to be good or bad.

#![allow(clippy::unwrap_used, reason = "this is a test as a whole, its helpers included")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use mahbusa_players::{NetPlayer, Ply, td_200k};
use mahbusa_rules::{MatchScore, Position, PositionPlay, Roll, Rules, Side};
use mahbusa_transcript::{
    Analysis, DiceSource, Grade, Head, Judge, JudgedPlay, Now, Opponent, Seat, Transcript, TranscriptFile, analyze,
    read,
};

fn judge(ply: Ply) -> Judge {
    Judge::new(NetPlayer::new(&td_200k(Rules::MAHBUSA).unwrap().weights), ply, Rules::MAHBUSA)
}

/// A match in which White and Black choose so among ranked plays.
fn played(length: u16, seed: u64, ply: Ply, white: impl Fn(&[JudgedPlay]) -> PositionPlay) -> Transcript {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path: PathBuf = std::env::temp_dir().join(format!("mahbusa-analysis-{}-{number}.jsonl", std::process::id()));
    let seat = |name: &str| Seat { name: name.to_owned(), net: None };
    let head =
        Head { rules: Rules::MAHBUSA, length, dice: DiceSource::Seed(seed), white: seat("one"), black: seat("other") };
    let mut file = TranscriptFile::create(&path, head).unwrap();
    let mut judge = judge(ply);
    while let Now::Play(position) = file.transcript().now() {
        let ranked = judge.ranked(&position);
        let chosen = if position.turn == Side::White { white(&ranked) } else { ranked[0].play };
        file.play(chosen.play).unwrap();
    }
    let transcript = file.transcript().clone();
    drop(file);
    std::fs::remove_file(path).unwrap();
    transcript
}

fn analysis(transcript: &Transcript, ply: Ply) -> Analysis {
    let mut judged = 0;
    let analysis = analyze(transcript, &mut judge(ply), || judged += 1);
    assert_eq!(judged, analysis.turns.len());
    analysis
}

#[test]
fn the_judge_finds_no_fault_with_its_own_plays() {
    for (length, ply) in [(0, Ply::One), (3, Ply::One), (0, Ply::Two)] {
        let transcript = played(length, 2, ply, |ranked| ranked[0].play);
        let analysis = analysis(&transcript, ply);
        for totals in [analysis.white, analysis.black] {
            assert_eq!((totals.lost, totals.error_rate, totals.blunders), (0.0, Some(0.0), 0));
            assert_eq!(totals.best, totals.decisions);
            assert!(totals.turns >= totals.decisions && totals.decisions > 10);
        }
        assert!(analysis.turns.iter().all(|turn| turn.played == turn.best && turn.grade == Grade::Fine));
    }
}

#[test]
fn bad_plays_cost_what_they_lose_and_luck_explains_the_rest() {
    for length in [0, 3] {
        let transcript = played(length, 2, Ply::One, |ranked| ranked[1.min(ranked.len() - 1)].play);
        let analysis = analysis(&transcript, Ply::One);
        assert!(analysis.white.lost > 0.5 && analysis.white.doubtful > 1, "{:?}", analysis.white);
        assert_eq!(analysis.black.lost, 0.0);
        let sum: f64 = analysis.turns.iter().map(|turn| turn.lost).sum();
        assert!((sum - analysis.white.lost).abs() < 1e-9);
        let graded = analysis.turns.iter().filter(|turn| turn.grade > Grade::Fine).count() as u32;
        assert_eq!(graded, analysis.white.doubtful + analysis.white.mistakes + analysis.white.blunders);
    }
}

/// Without luck the mean of results is the same, and their spread is smaller: the figures for `docs/analysis.md`.
#[test]
#[ignore = "takes minutes"]
fn results_without_luck_have_the_same_mean() {
    for length in [0, 3] {
        let mut scores = Vec::new();
        for seed in 1..=400 {
            // Plays that seem nearly as good as the best.
            let transcript = played(length, seed, Ply::One, |ranked| {
                let near = ranked.iter().rfind(|judged| judged.worth > ranked[0].worth - 0.02);
                near.unwrap_or(&ranked[0]).play
            });
            let score = analysis(&transcript, Ply::One).score.unwrap();
            scores.push([score.result, score.without_luck]);
        }
        let count = scores.len() as f64;
        let moments = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / count;
            (mean, (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt())
        };
        let [result, without] =
            [0, 1].map(|which| moments(&scores.iter().map(|score| score[which]).collect::<Vec<_>>()));
        let (difference, spread) =
            moments(&scores.iter().map(|[result, without]| result - without).collect::<Vec<_>>());
        println!(
            "length {length}: result {result:?}, without luck {without:?}, difference {difference:.3} +- {:.3}",
            spread / count.sqrt()
        );
        assert!(difference.abs() < 3.29 * spread / count.sqrt());
        assert!(without.1 < result.1);
    }
}

/// The first turn of a match to three, with each roll, in files whose dice were thrown by hand.
#[test]
fn luck_is_zero_on_average_over_all_rolls() {
    let path = std::env::temp_dir().join(format!("mahbusa-luck-{}.jsonl", std::process::id()));
    let (mut mean, mut largest) = (0.0, 0.0f64);
    for roll in Roll::ALL {
        let position =
            Position { score: MatchScore::new(0, 0, 3).unwrap(), ..Position::start(Rules::MAHBUSA) }.with_dice(roll);
        let text = format!(
            "{{\"mahbusa\":\"match\",\"format\":2,\"version\":\"\",\"rules\":\"mahbusa\",\"length\":3,\"seed\":null,\
             \"white\":{{\"name\":\"\"}},\"black\":{{\"name\":\"\"}}}}\n\
             {{\"game\":1,\"opening\":[],\"opener\":\"white\"}}\n\
             {{\"turn\":1,\"position\":\"{position}\",\"play\":\"{}\"}}\n",
            position.plays()[0].play
        );
        std::fs::write(&path, text).unwrap();
        let analysis = analysis(&read(&path).unwrap(), Ply::Two);
        let luck = analysis.turns[0].luck;
        assert_eq!(analysis.white.luck, luck, "nothing was rolled for");
        mean += f64::from(roll.weight()) / f64::from(Roll::THROWS) * luck;
        largest = largest.max(luck);
    }
    std::fs::remove_file(path).unwrap();
    assert!(mean.abs() < 1e-6 && largest > 0.05, "{mean} {largest}");
}

#[test]
fn an_opponent_without_a_level_plays_the_best() {
    let transcript = played(0, 2, Ply::One, |ranked| ranked[0].play);
    let mut opponent = Opponent::new(judge(Ply::One), None, 1);
    for turn in &transcript.games()[0].turns {
        assert_eq!(opponent.choose(&turn.position, 1), Some(turn.played));
    }
    assert_eq!(opponent.choose(&transcript.games()[0].turns[0].played.position, 1), None);
}
