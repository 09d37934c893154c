//! Random numbers that depend on nothing but the seed and what they are for.

use rand::SeedableRng;
pub use rand_xoshiro::Xoshiro256PlusPlus as Generator;

/// What a stream of random numbers is for, so that no two purposes share one.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// Starting weights of a net.
    Weights = 1,
    /// The dice of a self-play game.
    SelfPlay = 2,
    /// The order of training samples.
    Shuffle = 3,
    /// The dice of a game that players play, or somebody; of both games of a pair.
    Dice = 4,
    /// What a player decides by chance.
    Player = 5,
    /// Which positions are looked at.
    Sample = 7,
    /// Which results are drawn again in a bootstrap.
    Resample = 8,
    /// The dice of a rollout's trial.
    Rollout = 6,
    /// One die each, to see who begins.
    Opening = 10,
}

/// The generator for a purpose, a seed and a number within that purpose (a game, a generation, a pair).
pub fn generator(purpose: Purpose, seed: u64, number: u64) -> Generator {
    let mixed = mix(mix(mix(purpose as u64) ^ seed) ^ number);
    Generator::seed_from_u64(mixed)
}

/// A bijection of 64-bit numbers that spreads small differences (the finaliser of SplitMix64, Steele et al. 2014).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
