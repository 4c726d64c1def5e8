//! Settings as text: every key is needed, none is unknown, errors name the field.

use keiko_mcts::{RootKind, SearchSettings, SettingsError};

use crate::support::settings;

#[test]
fn settings_round_trip_through_toml() {
    for root in crate::support::ROOTS {
        let settings = settings(root);
        let text = toml::to_string(&settings).unwrap();
        assert_eq!(toml::from_str::<SearchSettings>(&text).unwrap(), settings);
    }
}

#[test]
fn every_key_is_needed_and_no_other_allowed() {
    let text = toml::to_string(&settings(RootKind::Gumbel)).unwrap();
    for (index, line) in text.lines().enumerate() {
        if !line.contains('=') {
            continue;
        }
        let without: Vec<&str> =
            text.lines().enumerate().filter(|(i, _)| *i != index).map(|(_, line)| line).collect();
        assert!(toml::from_str::<SearchSettings>(&without.join("\n")).is_err(), "without {line}");
    }
    let unknown = format!("{text}\nsurprise = 1\n");
    let error = toml::from_str::<SearchSettings>(&unknown).unwrap_err().to_string();
    assert!(error.contains("surprise"), "{error}");
}

#[test]
fn errors_name_the_field() {
    let field = |change: fn(&mut SearchSettings)| {
        let mut settings = settings(RootKind::Puct);
        assert_eq!(settings.validate(), Ok(()));
        change(&mut settings);
        settings.validate().map_err(|SettingsError { field, .. }| field)
    };
    assert_eq!(field(|s| s.max_nodes = 0), Err("search.max_nodes"));
    assert_eq!(field(|s| s.gumbel.max_considered = 0), Err("search.gumbel.max_considered"));
    assert_eq!(field(|s| s.gumbel.c_visit = -1.0), Err("search.gumbel.c_visit"));
    assert_eq!(field(|s| s.gumbel.c_scale = 0.0), Err("search.gumbel.c_scale"));
    assert_eq!(field(|s| s.gumbel.scale = f32::NAN), Err("search.gumbel.scale"));
    assert_eq!(field(|s| s.puct.c_init = 0.0), Err("search.puct.c_init"));
    assert_eq!(field(|s| s.puct.c_base = f32::INFINITY), Err("search.puct.c_base"));
    assert_eq!(field(|s| s.puct.fpu_reduction = 1.5), Err("search.puct.fpu_reduction"));
    assert_eq!(field(|s| s.puct.dirichlet_alpha = 0.0), Err("search.puct.dirichlet_alpha"));
    assert_eq!(field(|s| s.puct.dirichlet_fraction = -0.1), Err("search.puct.dirichlet_fraction"));
    assert_eq!(field(|s| s.puct.policy_temperature = 0.0), Err("search.puct.policy_temperature"));
    assert_eq!(field(|s| s.puct.forced_playouts = -2.0), Err("search.puct.forced_playouts"));
    assert_eq!(field(|s| s.puct.lcb_stdevs = f32::INFINITY), Err("search.puct.lcb_stdevs"));
    assert_eq!(field(|s| s.stop.min_kld_gain = -1e-6), Err("search.stop.min_kld_gain"));
    assert_eq!(field(|s| s.stop.kld_interval_visits = 0), Err("search.stop.kld_interval_visits"));
    let both = |s: &mut SearchSettings| (s.stop.decided, s.puct.lcb_stdevs) = (true, 5.0);
    assert_eq!(field(both), Err("search.stop.decided"));
}
