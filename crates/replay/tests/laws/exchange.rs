//! Records as other programs' training data.

use keiko_formats::training::{GameReader, PositionFormat, PositionReader, ResultReason};
use keiko_formats::win_rate::win_rate;
use keiko_replay::SearchKind;
use keiko_shogi::EndReason;

use crate::support::{START, random_game};

#[test]
fn games_come_back_from_hcpe3() {
    for index in 0..40 {
        let record = random_game("s", index, START);
        let mut bytes = Vec::new();
        record.to_searched_game().unwrap().write(&mut bytes).unwrap();
        let games: Vec<_> = GameReader::new(bytes.as_slice()).collect::<Result<_, _>>().unwrap();
        let [game] = games.as_slice() else { panic!("{} games", games.len()) };
        assert_eq!(game.result.outcome, record.outcome);
        let is_max = record.end == EndReason::MaxPlies;
        assert_eq!(game.result.reason, is_max.then_some(ResultReason::MaxPlies));
        assert_eq!(game.plies.len(), record.plies.len());
        for (there, here) in game.plies.iter().zip(&record.plies) {
            assert_eq!(there.mv, here.mv);
            let learnt = here.search == SearchKind::Full;
            let policy = if learnt { here.policy.pairs() } else { &[] };
            assert_eq!(there.candidates, policy);
            if here.search == SearchKind::None {
                assert_eq!(there.score, 0);
            } else {
                let (rate, score) = (win_rate(there.score.into()), here.root_wdl.score());
                assert!((rate - f64::from(score)).abs() < 1e-3, "{rate} {score}");
            }
        }
    }
}

#[test]
fn positions_are_those_of_full_searches() {
    for index in 0..40 {
        let record = random_game("s", index, START);
        let positions = record.to_positions().unwrap();
        assert_eq!(positions.len() as u32, record.plies_searched(SearchKind::Full));
        let mut game = record.start_game().unwrap();
        let mut rest = positions.iter();
        for (number, ply) in (1..).zip(&record.plies) {
            if ply.search == SearchKind::Full {
                let it = rest.next().unwrap();
                assert_eq!(it.position, *game.position());
                assert_eq!(it.move_number, Some(number));
                let units = |mv| ply.policy.pairs().iter().find(|(it, _)| *it == mv).unwrap().1;
                let best = units(it.best.unwrap());
                assert!(ply.policy.pairs().iter().all(|&(_, units)| units <= best));
            }
            game.play(ply.mv);
        }
        for format in [PositionFormat::Hcpe, PositionFormat::Psv] {
            let mut bytes = Vec::new();
            positions.iter().for_each(|it| format.write(it, &mut bytes).unwrap());
            let again: Result<Vec<_>, _> = PositionReader::new(format, bytes.as_slice()).collect();
            let again = again.unwrap();
            assert!(positions.iter().zip(&again).all(|(a, b)| {
                (&a.position, a.score, a.best, a.result.outcome)
                    == (&b.position, b.score, b.best, b.result.outcome)
            }));
            assert_eq!(again.len(), positions.len());
        }
    }
}
