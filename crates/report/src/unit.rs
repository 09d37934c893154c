//! What numbers are of: how they are written, and where an axis has its ticks.

/// What a number is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Games, counted.
    Games,
    /// Seconds.
    Time,
    /// Points a game, with their sign.
    Points,
    /// A share, 0..=1, shown in percent.
    Share,
    /// Nats.
    Nats,
    /// Turns a game.
    Turns,
    /// So many a second.
    PerSecond,
    /// A small number without a unit, on a scale where equal factors are equally far apart.
    Factor,
}

impl Unit {
    /// Its name on an axis.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Games => "self-play games",
            Unit::Time => "time",
            Unit::Points => "points a game",
            Unit::Share => "%",
            Unit::Nats => "nats",
            Unit::Turns => "turns a game",
            Unit::PerSecond => "a second",
            Unit::Factor => "logarithmic",
        }
    }

    /// Whether equal factors are equally far apart.
    pub fn is_logarithmic(self) -> bool {
        self == Unit::Factor
    }

    /// A value with its unit where that is usual.
    pub fn value(self, value: f64) -> String {
        match self {
            Unit::Games => format!("{} games", thousands(value)),
            Unit::Time => duration(value),
            Unit::Points => signed(value, 3),
            Unit::Share => format!("{:.1} %", 100.0 * value),
            Unit::Nats => format!("{value:.4}"),
            Unit::Turns => format!("{value:.1}"),
            Unit::PerSecond => format!("{}/s", thousands(value)),
            Unit::Factor => format!("{value:.2e}"),
        }
    }

    /// A tick, if the next one is a step away.
    pub fn tick(self, value: f64, step: f64) -> String {
        // As many digits as tell neighbours apart.
        let digits = |step: f64| (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        match self {
            Unit::Games | Unit::PerSecond => short(value, step),
            Unit::Time => short_duration(value, step),
            Unit::Points => signed(value, digits(step)),
            Unit::Share => format!("{:.*}", digits(100.0 * step), 100.0 * value),
            Unit::Nats | Unit::Turns => format!("{value:.*}", digits(step)),
            Unit::Factor => format!("{value:e}"),
        }
    }

    /// Ticks from `low` to `high`, about so many, and how far they are apart.
    pub fn ticks(self, low: f64, high: f64, about: usize) -> (Vec<f64>, f64) {
        if self.is_logarithmic() {
            return (decades(low, high), 1.0);
        }
        let least = (high - low) / about.max(1) as f64;
        let step = match self {
            Unit::Time => time_step(least),
            Unit::Games => round_step(least).max(1.0),
            _ => round_step(least),
        };
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        ((first..=last).map(|number| number as f64 * step).collect(), step)
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&step| step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// The same for seconds, minutes and hours.
fn time_step(least: f64) -> f64 {
    const STEPS: [f64; 17] = [
        1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0, 10_800.0, 21_600.0,
        43_200.0,
    ];
    if least < 1.0 {
        return round_step(least);
    }
    STEPS.into_iter().find(|&step| step >= least).unwrap_or_else(|| 86_400.0 * round_step(least / 86_400.0).max(1.0))
}

/// Powers of ten, with 2 and 5 times them where there are few.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let factors: &[f64] = if high / low < 30.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let within = |&tick: &f64| tick >= low * (1.0 - 1e-9) && tick <= high * (1.0 + 1e-9);
    // Parsed, so that they are written as short as they are.
    let tick = |power: i32, factor: f64| format!("{factor}e{power}").parse().unwrap_or(factor);
    powers.flat_map(|power| factors.iter().map(move |&factor| tick(power, factor))).filter(within).collect()
}

/// A number with its sign, unless it is written as nought.
pub fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    if text[1..].bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        text[1..].to_owned()
    } else {
        text.replace('-', "\u{2212}")
    }
}

/// A whole number with a comma every three digits.
pub fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < -0.5 { format!("\u{2212}{text}") } else { text }
}

/// A large number in thousands or millions, with as many digits as tell ticks apart.
fn short(value: f64, step: f64) -> String {
    let in_units = |unit: f64, name: &str| {
        let digits = (-(step / unit).log10().floor()).clamp(0.0, 3.0) as usize;
        format!("{:.digits$}{name}", value / unit)
    };
    if value.abs() >= 1e6 || step >= 5e5 {
        if value == 0.0 { "0".to_owned() } else { in_units(1e6, " M") }
    } else if value.abs() >= 1e4 {
        in_units(1e3, " k")
    } else {
        in_units(1.0, "")
    }
}

/// A time in the two largest units that it has.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    let (hours, minutes) = (whole / 3600, whole / 60 % 60);
    match (hours, minutes) {
        (0, 0) if seconds < 10.0 => format!("{seconds:.1} s"),
        (0, 0) => format!("{whole} s"),
        (0, _) => format!("{minutes} min {} s", whole % 60),
        _ => format!("{hours} h {minutes} min"),
    }
}

/// A time that is not known exactly, in one unit or hours and minutes.
pub fn roughly(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round();
    if seconds < 90.0 {
        format!("{seconds:.0} s")
    } else if minutes < 60.0 {
        format!("{minutes:.0} min")
    } else {
        duration(60.0 * minutes)
    }
}

/// A time on an axis, in the unit that the step is a whole number of.
fn short_duration(seconds: f64, step: f64) -> String {
    if seconds == 0.0 {
        "0".to_owned()
    } else if step >= 3600.0 {
        format!("{:.0} h", seconds / 3600.0)
    } else if seconds < 3600.0 && step >= 60.0 {
        format!("{:.0} min", seconds / 60.0)
    } else if step >= 60.0 {
        format!("{}:{:02.0} h", (seconds / 3600.0).floor(), seconds % 3600.0 / 60.0)
    } else if step < 1.0 {
        format!("{seconds:.1} s")
    } else if seconds < 60.0 {
        format!("{seconds:.0} s")
    } else {
        format!("{}:{:02.0} min", (seconds / 60.0).floor(), seconds % 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(unit: Unit, low: f64, high: f64) -> String {
        let (ticks, step) = unit.ticks(low, high, 5);
        ticks.into_iter().map(|tick| unit.tick(tick, step)).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn ticks_are_round_and_cover_the_range() {
        assert_eq!(axis(Unit::Games, 0.0, 350_000.0), "0 | 100 k | 200 k | 300 k");
        assert_eq!(axis(Unit::Games, 0.0, 5e6), "0 | 1 M | 2 M | 3 M | 4 M | 5 M");
        assert_eq!(axis(Unit::Games, 0.0, 1000.0), "0 | 200 | 400 | 600 | 800 | 1000");
        assert_eq!(axis(Unit::Games, 0.0, 2.0), "0 | 1 | 2");
        assert_eq!(axis(Unit::Points, -0.3, 1.2), "0.0 | +0.5 | +1.0");
        assert_eq!(axis(Unit::Share, 0.36, 0.4), "36 | 37 | 38 | 39 | 40");
        assert_eq!(axis(Unit::Time, 0.0, 2000.0), "0 | 10 min | 20 min | 30 min");
        assert_eq!(axis(Unit::Time, 0.0, 9000.0), "0 | 30 min | 1:00 h | 1:30 h | 2:00 h | 2:30 h");
        assert_eq!(axis(Unit::Time, 0.0, 1e6), "0 | 120 h | 240 h");
        assert_eq!(axis(Unit::Factor, 1e-5, 1e-3), "1e-5 | 1e-4 | 1e-3");
        assert_eq!(axis(Unit::Factor, 1e-3, 1e-2), "1e-3 | 2e-3 | 5e-3 | 1e-2");
    }

    #[test]
    fn numbers_are_written_as_people_do() {
        assert_eq!(Unit::Games.value(1_234_567.0), "1,234,567 games");
        assert_eq!(Unit::Points.value(-0.0621), "\u{2212}0.062");
        assert_eq!(Unit::Points.value(0.0), "0.000");
        assert_eq!(Unit::Share.value(0.3754), "37.5 %");
        assert_eq!(duration(7265.0), "2 h 1 min");
        assert_eq!(duration(75.4), "1 min 15 s");
        assert_eq!(duration(3.21), "3.2 s");
        assert_eq!([12.4, 100.0, 7230.0].map(roughly), ["12 s", "2 min", "2 h 1 min"]);
    }
}
