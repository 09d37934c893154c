use std::io::Write;
use std::ops::ControlFlow;

use mahbusa_arena::{Contest, Estimate, Halt, Losses, Next, NoiseSearch, Pair, Probe, Record, STEP, Verdict, designs};
use mahbusa_net::NetFile;
use mahbusa_players::{GradedLevel, Level, LevelNumber, LevelPlayer, LevelResult, Levels, NetSize, Player};

use crate::args::LevelsArgs;
use crate::evaluate::{points, wins};
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::level;
use crate::meeting::Host;
use crate::model;
use crate::place;
use crate::stderr::say;

/// How often a noise is looked for, as long as the games that measure it say that it is wrong.
const ATTEMPTS: u64 = 3;

/// `mahbusa levels`.
pub fn levels(args: &LevelsArgs) -> Result<(), Failure> {
    place::check(&args.out, args.force)?;
    place::check_apart(&[("--out", Some(&args.out)), ("--save", args.kept.save.as_deref())])?;
    let found = model::find(&args.model)?;
    let small = model::small_of(&found, args.small.as_deref())?;
    let full = found.net;
    if small.rules != full.rules {
        return Err(Failure::usage(format!(
            "the small net was trained on {}, the full one on {}: expected the same game",
            small.rules, full.rules
        )));
    }
    let host = Host {
        pool: args.workers.pool()?,
        stop: interrupted("finishing the games in hand"),
        record: args.kept.save.as_deref().map(Record::open).transpose()?,
        quiet: args.progress.quiet,
    };
    let mut workshop = Workshop { host, full: full.into(), small: small.into(), games: args.games, seed: args.seed };
    let levels = workshop.calibrate()?;
    let written = levels.write(&args.out).map_err(|error| {
        Failure::of_place(error).about(format!("cannot write {}; on standard output is all of it", args.out.display()))
    });

    let mut out = std::io::stdout().lock();
    if args.json || written.is_err() {
        writeln!(out, "{}", serde_json::to_string(&levels)?)?;
    } else {
        writeln!(out, "{}: {}", args.out.display(), levels.rules)?;
        write!(out, "{}", table(&levels))?;
    }
    written?;
    if tell_misses(&levels) { Err(Failure::Negative) } else { Ok(()) }
}

/// Where levels are made.
struct Workshop {
    host: Host,
    full: Net,
    small: Net,
    /// Games of each measurement.
    games: u64,
    seed: u64,
}

/// A net and its hash.
struct Net {
    file: NetFile,
    hash: String,
}

impl From<NetFile> for Net {
    fn from(file: NetFile) -> Net {
        Net { hash: file.hash(), file }
    }
}

/// A level that can play.
struct Seat {
    player: LevelPlayer,
    id: String,
}

impl Seat {
    fn level(&self) -> &Level {
        self.player.level()
    }
}

impl Workshop {
    /// All levels, from the top down: each is made as much weaker than the one above as it should be.
    fn calibrate(&mut self) -> Result<Levels, Failure> {
        let mut levels = designs();
        let mut results = [None; LevelNumber::ALL.len()];
        for number in LevelNumber::ALL.into_iter().rev() {
            let Some(below) = number.below() else { break };
            let above = self.seat(levels[number.index()].clone());
            let (level, result) = self.make(&above, &levels[below.index()])?;
            levels[below.index()] = level;
            results[number.index()] = Some(result);
        }
        let losses = self.losses(&levels);
        Ok(Levels {
            rules: self.full.file.rules,
            full: self.full.hash.clone(),
            small: self.small.hash.clone(),
            levels: LevelNumber::ALL.map(|number| GradedLevel {
                level: levels[number.index()].clone(),
                loss: losses[number.index()],
                against_below: results[number.index()],
            }),
        })
    }

    /// The level out of its design, and how the one above did against it.
    fn make(&mut self, above: &Seat, design: &Level) -> Result<(Level, LevelResult), Failure> {
        let mut search = NoiseSearch::new(design);
        let mut attempt = 0;
        loop {
            // Other dice for each attempt, and for each measurement others than those of the search.
            let seed = self.seed.wrapping_add(2 * attempt);
            let (noise, reached) = loop {
                match search.next() {
                    Next::Try(noise) => search.add(noise, self.probe(above, Level { noise, ..design.clone() }, seed)?),
                    Next::Found(noise) => break (noise, true),
                    Next::OutOfReach(noise) => break (noise, false),
                }
            };
            let level = Level { noise, ..design.clone() };
            let result = self.measure(above, level.clone(), seed.wrapping_add(1))?;
            attempt += 1;
            if STEP.contains(&result.win_rate.mean) || !reached || attempt == ATTEMPTS {
                return Ok((level, result));
            }
            search.exclude(noise, result.win_rate.mean);
        }
    }

    /// About how often a level wins against one below.
    fn probe(&mut self, above: &Seat, below: Level, seed: u64) -> Result<f64, Failure> {
        let mut probe = Probe::default();
        let below = self.seat(below);
        self.play(above, &below, (self.games / 4).max(1), seed, |pairs| {
            probe.extend(&pairs[probe.pairs() as usize..])
        })?;
        self.tell(above, &below, 2 * probe.pairs(), &probe.win_rate());
        Ok(probe.win_rate().mean)
    }

    /// How often a level wins against one below.
    fn measure(&mut self, above: &Seat, below: Level, seed: u64) -> Result<LevelResult, Failure> {
        let below = self.seat(below);
        let pairs = self.play(above, &below, self.games / 2, seed, |_| ControlFlow::Continue(()))?;
        let Verdict { games, win_rate, points_per_game, .. } = Verdict::of(&pairs);
        self.tell(above, &below, games, &win_rate);
        Ok(LevelResult { games, seed, win_rate, points_per_game })
    }

    fn play(
        &mut self,
        above: &Seat,
        below: &Seat,
        pairs: u64,
        seed: u64,
        mut enough: impl FnMut(&[Pair]) -> ControlFlow<()> + Send,
    ) -> Result<Vec<Pair>, Failure> {
        let contest = Contest { rules: self.full.file.rules, player: &above.player, opponent: &below.player, seed };
        let names = format!("level {} against {}", above.level().number, described(below.level()));
        let played = self.host.play(contest, [&above.id, &below.id], pairs, &names, |pairs, _| enough(pairs));
        match played.halt? {
            Halt::Stopped => Err(Failure::Interrupted),
            Halt::Complete | Halt::Decided => Ok(played.pairs),
        }
    }

    fn tell(&self, above: &Seat, below: &Seat, games: u64, win_rate: &Estimate) {
        if !self.host.quiet {
            let (above, below) = (above.level().number, described(below.level()));
            say(&format!("level {above} wins {} of {games} games against {below}", wins(win_rate)));
        }
    }

    /// What the plays of each level lose.
    fn losses(&self, levels: &[Level; LevelNumber::ALL.len()]) -> [Estimate; LevelNumber::ALL.len()] {
        let seats = levels.clone().map(|level| self.seat(level));
        let losses = Losses {
            rules: self.full.file.rules,
            weights: &self.full.file.weights,
            judge: seats[LevelNumber::TOP.index()].player.search(),
            // As many games as a search has pairs.
            games: (self.games / 4).max(1),
            seed: self.seed,
        };
        let mut found = self.host.pool.install(|| losses.of(seats.each_ref().map(|seat| &seat.player as &dyn Player)));
        // It is the judge, and has no noise.
        found[LevelNumber::TOP.index()] = Estimate { mean: 0.0, low: 0.0, high: 0.0 };
        found
    }

    fn seat(&self, level: Level) -> Seat {
        let net = match level.net {
            NetSize::Full => &self.full,
            NetSize::Small => &self.small,
        };
        Seat { id: level::id(&net.hash, &level), player: LevelPlayer::new(model::player(&net.file), level) }
    }
}

/// A level and what was tried for it.
fn described(level: &Level) -> String {
    format!("level {} (noise {:.4}, cap {})", level.number, level.noise, level.cap)
}

/// Says which levels are not as far apart as they should be; whether there are any.
fn tell_misses(levels: &Levels) -> bool {
    let mut missed = false;
    for [below, above] in levels.levels.array_windows() {
        let Some(result) = above.against_below.filter(|result| !STEP.contains(&result.win_rate.mean)) else { continue };
        missed = true;
        let Level { number, ply, cap, .. } = below.level;
        say(&format!(
            "level {} wins {} against level {number}, not 65 to 70 %: no noise brings that about at {ply} ply with a cap of {cap} points, or the games \
             are too few to find it; the file holds what was measured",
            above.level.number,
            wins(&result.win_rate),
        ));
    }
    missed
}

/// A row a level.
fn table(levels: &Levels) -> String {
    let mut text =
        "level  name          net    ply   noise   cap  lost a decision, millipoints  wins against the one below\n"
            .to_owned();
    for GradedLevel { level, loss, against_below } in &levels.levels {
        let net = level.net.to_string();
        let lost = format!("{:.1} [95 %: {:.1} .. {:.1}]", loss.mean, loss.low, loss.high);
        let wins = against_below.map_or(String::new(), |result| {
            format!("{}, {} points a game", wins(&result.win_rate), points(&result.points_per_game))
        });
        let row = format!(
            "{:>5}  {:<12}  {net:<5}  {:>3}  {:.4}  {:.2}  {lost:<28}  {wins}",
            level.number, level.name, level.ply, level.noise, level.cap
        );
        text += row.trim_end();
        text.push('\n');
    }
    text
}
