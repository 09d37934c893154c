use mahbusa_net::{NetFile, NetFileError};
use mahbusa_rules::Rules;

const TD_200K: &[u8] = include_bytes!("../../../models/baselines/td-200k.mnet");
const TD_200K_TAPA: &[u8] = include_bytes!("../../../models/baselines/td-200k-tapa.mnet");

/// The baseline `td-200k` for the game that is played: frozen nets of the first generation, without expert inputs, with 80 hidden
/// units, trained by TD(0) on 200,000 games (`configs/td-200k.toml`).
///
/// The net was trained on [`Rules::MAHBUSA`] where pinning the mother wins, else on [`Rules::TAPA`]; it says so itself.
///
/// # Errors
/// None, as long as this program reads the format that it was built with.
pub fn td_200k(rules: Rules) -> Result<NetFile, NetFileError> {
    NetFile::from_bytes(if rules.mother() { TD_200K } else { TD_200K_TAPA })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::encoding::Inputs;

    #[test]
    fn the_frozen_nets_have_not_changed() {
        for (rules, hash) in [
            (Rules::MAHBUSA, "6c57758737e5eff95a60cb03b9a3188bac5facec5ec7d2db4d0ffd39d50c4f65"),
            (Rules::TAPA, "05c32009dc2eb12765d41830558cc12c9ad47085afb5b4a020fc6928b1baf4e5"),
        ] {
            let net = td_200k(rules).unwrap();
            assert_eq!((net.rules, net.games, net.weights.shape.hidden), (rules, 200_000, 80));
            assert!(net.weights.sees_only(Inputs::Raw));
            assert_eq!(net.hash(), hash);
        }
    }
}
