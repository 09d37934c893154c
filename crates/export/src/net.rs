use mahbusa_net::encoding::ENCODING;
use mahbusa_net::{Activation, NetFile};

/// A net, and what its files say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportNet {
    /// The net.
    pub file: NetFile,
    /// The licence that it is given away under, such as `CC0-1.0`.
    pub licence: String,
}

impl ExportNet {
    /// A name that no other net has: the rules and the first digits of the hash, such as `mahbusa-ef6626b164f1`.
    pub fn name(&self) -> String {
        let rules = self.file.rules.to_string().replace([',', '='], "-");
        format!("{rules}-{}", &self.file.hash()[..12])
    }

    /// The net in a sentence.
    pub fn describe(&self) -> String {
        let NetFile { rules, games, weights } = &self.file;
        format!("A net for {rules} with {}, trained on {games} self-play games", weights.shape)
    }

    /// What its files say of it, by key.
    pub fn metadata(&self) -> Vec<(&'static str, String)> {
        let NetFile { rules, games, weights } = &self.file;
        let activation = match weights.shape.activation {
            Activation::Rectified => "rectified",
            Activation::Squared => "squared",
        };
        vec![
            ("name", self.name()),
            ("rules", rules.to_string()),
            ("encoding", ENCODING.to_owned()),
            ("activation", activation.to_owned()),
            ("games", games.to_string()),
            ("sha256", self.file.hash()),
            ("licence", self.licence.clone()),
        ]
    }
}
