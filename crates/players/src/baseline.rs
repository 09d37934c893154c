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
            (Rules::MAHBUSA, "a4619544f10cf1a3e0b7a0f9a355ca9f8cc1873fc11da2e3be218dc122c9bdee"),
            (Rules::TAPA, "acea2634082eff2857f5ba7c40386c7b3eac67ce2253602638a400243696c657"),
        ] {
            let net = td_200k(rules).unwrap();
            assert_eq!((net.rules, net.games, net.weights.hidden), (rules, 200_000, 80));
            assert!(net.weights.sees_only(Inputs::Raw));
            assert_eq!(net.hash(), hash);
        }
    }
}
