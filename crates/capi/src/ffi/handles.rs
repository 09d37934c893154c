//! What C sees of the things that it must free.

use std::sync::Arc;

use mahbusa_exact::Endings as Table;

use super::given::Opaque;
use crate::levels::LevelSet;
use crate::model::Model as Net;

/// A net. Any number of threads may use one at a time.
pub struct Model(());

/// Strength levels and their nets. Any number of threads may use one set at a time.
pub struct Levels(());

/// A table of the ends of games. Models share it.
pub struct Endings(());

impl Opaque for Model {
    type Inner = Arc<Net>;
    const SORT: [u8; 8] = *b"mahbmode";
    const NAME: &str = "mahbusa_model";
}

impl Opaque for Levels {
    type Inner = LevelSet;
    const SORT: [u8; 8] = *b"mahbleve";
    const NAME: &str = "mahbusa_levels";
}

impl Opaque for Endings {
    type Inner = Arc<Table>;
    const SORT: [u8; 8] = *b"mahbendi";
    const NAME: &str = "mahbusa_endings";
}
