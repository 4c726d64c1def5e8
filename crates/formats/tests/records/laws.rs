//! What is written is read back, whatever is in it.

use keiko_formats::{Clock, Ending, Evaluation, Note, Record, RecordFormat, RecordReason};
use keiko_shogi::{Move, MoveList, Outcome};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::support::{read, starts};

/// SplitMix64.
pub(crate) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x006b_6569_6b6f),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

const TEXTS: [&str; 8] = [
    "a",
    "名前",
    "T1",
    "+7776FU",
    "変化：2手",
    "end_reason:try draw",
    "1 ７六歩(77)",
    "* no number",
];

/// A record of random moves, one in twenty of them any move that the pieces allow, with something in
/// every field.
pub(crate) fn random_record(seed: u64, plies: u32, unit_ms: u64) -> Record {
    let mut state = seed;
    let mut pick = |count: usize| (next(&mut state) % count as u64) as usize;
    let starts = starts();
    let number = if pick(4) == 0 { 1 + pick(300) as u32 } else { 1 };
    let mut record = Record::new(starts[pick(starts.len())].clone(), number);
    let fields = &mut record.header;
    let [black, white] = &mut fields.players;
    for field in [
        black,
        white,
        &mut fields.event,
        &mut fields.site,
        &mut fields.started,
        &mut fields.ended,
        &mut fields.opening,
    ] {
        *field = [None, Some(TEXTS[pick(TEXTS.len())].to_owned())][pick(2)].clone();
    }
    let times = [0, 1_000, 30_000, 600_000, 5_400_000, 5_432_000];
    for clock in &mut fields.clocks {
        let mut time = || times[pick(times.len())];
        *clock =
            Some(Clock { main_ms: time(), byoyomi_ms: time(), increment_ms: time() / 1000 * 500 });
    }
    if pick(2) == 0 {
        fields.clocks[1] = fields.clocks[0];
    }
    if pick(2) == 0 {
        fields.extra.push(("rating".to_owned(), TEXTS[pick(TEXTS.len())].to_owned()));
    }
    if pick(2) == 0 {
        record.comments.push(TEXTS[pick(TEXTS.len())].to_owned());
    }
    for _ in 0..plies {
        let mut legal = MoveList::new();
        record.game().legal_moves(&mut legal);
        if legal.is_empty() {
            break;
        }
        let mv = if pick(20) == 0 {
            let any: Vec<Move> = Move::all().collect();
            any[pick(any.len())]
        } else {
            legal[pick(legal.len())]
        };
        if record.push(mv).is_err() {
            continue;
        }
        let mut after = MoveList::new();
        record.game().legal_moves(&mut after);
        let line = after.first().copied().into_iter().collect();
        let (time, cp, kind) = (pick(4_000_000) as u64, pick(60_001) as i32 - 30_000, pick(8));
        let comment = TEXTS[pick(TEXTS.len())].to_owned();
        let note = record.last_note().unwrap();
        if kind & 1 != 0 {
            note.time_ms = Some(time / unit_ms * unit_ms);
        }
        if kind & 2 != 0 {
            note.evaluation = Some(Evaluation { black_cp: cp, line });
        }
        if kind & 4 != 0 {
            note.comments.push(comment);
        }
    }
    if pick(4) != 0 {
        let reasons: Vec<_> = RecordReason::all().collect();
        let outcomes =
            [None, Some(Outcome::Draw), Some(Outcome::BlackWins), Some(Outcome::WhiteWins)];
        record.ending =
            Some(Ending { reason: reasons[pick(reasons.len())], outcome: outcomes[pick(4)] });
        record.end_note.time_ms = [None, Some(5_000)][pick(2)];
        if pick(2) == 0 {
            record.end_note.comments.push(TEXTS[pick(TEXTS.len())].to_owned());
        }
    }
    record
}

/// Records that differ in one thing are not the same.
#[test]
fn equal_records_are_equal_in_everything() {
    let csa = |text: &str| read(text, RecordFormat::Csa);
    let whole = "N+a\n$MOVE_NUMBER:3\n'*b\nPI\n+\n+7776FU\nT1\n%TORYO\n'*e\n";
    for (old, new) in [
        ("N+a", "N+b"),
        ("NUMBER:3", "NUMBER:5"),
        ("'*b", "'*c"),
        ("PI\n+", "PI11KY\n+"),
        ("+7776FU", "+2726FU"),
        ("T1", "T2"),
        ("%TORYO", "%TIME_UP"),
        ("'*e", "'*f"),
        ("%", "-0055FU\n%"),
    ] {
        assert_ne!(csa(whole), csa(&whole.replace(old, new)), "{new}");
    }
    assert_eq!(csa(whole), csa(whole));
    let kif = "1 ７六歩(77)\n2 中断\n";
    let branches = format!("{kif}変化：1手\n1 ２六歩(27)\n");
    assert_ne!(read(kif, RecordFormat::Kif), read(&branches, RecordFormat::Kif));
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn csa_3_loses_nothing(seed in any::<u64>(), plies in 0u32..60) {
        let record = random_record(seed, plies, 1);
        prop_assert!(RecordFormat::Csa3.losses(&record).is_empty());
        let text = RecordFormat::Csa3.write(&record);
        prop_assert_eq!(read(&text, RecordFormat::Csa3), record, "{}", text);
    }

    #[test]
    fn csa_2_and_kif_lose_nothing_in_whole_seconds(seed in any::<u64>(), plies in 0u32..60) {
        let record = random_record(seed, plies, 1000);
        for format in [RecordFormat::Csa, RecordFormat::Kif] {
            prop_assert!(format.losses(&record).is_empty());
            let text = format.write(&record);
            let found = read(&text, format);
            prop_assert_eq!(&found, &record, "{}\n{}", format, text);
        }
    }

    #[test]
    fn lines_lose_comments_alone(seed in any::<u64>(), plies in 0u32..60) {
        let record = random_record(seed, plies, 1);
        let text = RecordFormat::Usi.write(&record);
        let found = read(&text, RecordFormat::Usi);
        prop_assert_eq!(&found.header, &record.header);
        prop_assert_eq!(found.moves(), record.moves());
        for (found, note) in found.notes().iter().zip(record.notes()) {
            prop_assert_eq!(found.time_ms, note.time_ms);
            let score = |it: &Note| it.evaluation.as_ref().map(|it| it.black_cp);
            prop_assert_eq!(score(found), score(note));
        }
        prop_assert_eq!(found.ending, record.ending);
        prop_assert_eq!(found.game().start_sfen(), record.game().start_sfen());
    }
}
