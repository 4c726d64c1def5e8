use super::*;

mod errors;

const SETTINGS: SprtSettings =
    SprtSettings { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, min_pairs: 8, cap_pairs: 1000 };

fn pair(half_points: u8) -> Option<PairScore> {
    PairScore::from_half_points(half_points)
}

#[test]
fn bounds_are_walds() {
    assert!((SETTINGS.upper_bound() - 2.944_438_979_166_440_3).abs() < 1e-12);
    assert!((SETTINGS.lower_bound() - -2.944_438_979_166_440_3).abs() < 1e-12);
    let uneven = SprtSettings { alpha: 0.05, beta: 0.1, ..SETTINGS };
    assert!((uneven.upper_bound() - 18f64.ln()).abs() < 1e-12);
    assert!((uneven.lower_bound() - (2.0f64 / 19.0).ln()).abs() < 1e-12);
}

#[test]
fn a_bound_ends_the_test_and_nothing_changes_after() {
    let mut test = Sprt::new(SprtSettings { elo1: 60.0, ..SETTINGS }).unwrap();
    let mut pairs = 0;
    while test.update(pair(if pairs % 3 == 0 { 2 } else { 4 })).is_none() {
        pairs += 1;
    }
    assert_eq!(test.decision(), Some(Decision::AcceptH1));
    assert!(pairs < 100, "{pairs}");
    let before = test.clone();
    assert_eq!(test.update(pair(0)), Some(Decision::AcceptH1));
    assert_eq!(test, before);

    let mut test = Sprt::new(SETTINGS).unwrap();
    while test.update(pair(1)).is_none() {}
    assert_eq!(test.decision(), Some(Decision::AcceptH0));
}

#[test]
fn no_bound_ends_the_test_before_the_smallest_number_of_pairs() {
    let mut test = Sprt::new(SprtSettings { elo1: 800.0, ..SETTINGS }).unwrap();
    for pairs in 1..SETTINGS.min_pairs {
        assert_eq!(test.update(pair(4)), None);
        // Every pair is worth ln(0.99 / 0.5) = 0.68.
        assert_eq!(test.llr() > SETTINGS.upper_bound(), pairs >= 5);
    }
    assert_eq!(test.update(pair(4)), Some(Decision::AcceptH1));
}

#[test]
fn the_cap_decides_by_sign() {
    for (last, expected) in [(4, Decision::CapPositive), (0, Decision::CapNegative)] {
        let mut test = Sprt::new(SprtSettings { min_pairs: 5, cap_pairs: 5, ..SETTINGS }).unwrap();
        for score in [0, 4, 1, 3] {
            assert_eq!(test.update(pair(score)), None);
        }
        assert_eq!(test.update(pair(last)), Some(expected));
    }
}

#[test]
fn pairs_that_do_not_count_use_up_the_cap_and_reject() {
    let mut test = Sprt::new(SprtSettings { min_pairs: 1, cap_pairs: 3, ..SETTINGS }).unwrap();
    assert_eq!(test.update(None), None);
    assert_eq!(test.update(None), None);
    assert_eq!(test.update(None), Some(Decision::CapNegative));
    assert_eq!(test.pairs().pairs(), 0);
}

#[test]
fn two_identical_players_are_rejected() {
    let mut test = Sprt::new(SprtSettings { elo1: 60.0, ..SETTINGS }).unwrap();
    let mut pairs = 1;
    while test.update(pair(2)).is_none() {
        pairs += 1;
    }
    assert_eq!(test.decision(), Some(Decision::AcceptH0));
    // Each pair is worth ln(1 - (2 s1 - 1)) = -0.19.
    assert_eq!(pairs, 16);
}

#[test]
fn settings_out_of_range_name_the_field() {
    let bad = |settings| Sprt::new(settings).unwrap_err().to_string();
    assert!(bad(SprtSettings { elo1: 0.0, ..SETTINGS }).starts_with("elo1"));
    assert!(bad(SprtSettings { elo0: f64::NAN, ..SETTINGS }).starts_with("elo1"));
    assert!(bad(SprtSettings { alpha: 0.0, ..SETTINGS }).starts_with("alpha"));
    assert!(bad(SprtSettings { beta: 0.5, ..SETTINGS }).starts_with("beta"));
    assert!(bad(SprtSettings { cap_pairs: 0, ..SETTINGS }).starts_with("cap_pairs"));
    assert!(bad(SprtSettings { min_pairs: 1001, ..SETTINGS }).starts_with("cap_pairs"));
}
