/// The configs that come with the program, by the name of their file in `configs/`.
pub const TEMPLATES: [(&str, &str); 6] = [
    ("quick", include_str!("../../../../configs/quick.toml")),
    ("release", include_str!("../../../../configs/release.toml")),
    ("standard", include_str!("../../../../configs/standard.toml")),
    ("td-200k", include_str!("../../../../configs/td-200k.toml")),
    ("three-checkers", include_str!("../../../../configs/three-checkers.toml")),
    ("tiny", include_str!("../../../../configs/tiny.toml")),
];
