//! Yardsticks of nets that know nothing, and of one that knows everything.

use keiko_arena::yardstick::{Suite, Yardsticks, measure};
use keiko_inference::{
    Backend, BackendError, EncodingId, Finished, Hashed, RequestBatch, ResponseBatch, Ticket,
    Uniform, Wdl,
};
use keiko_shogi::{DrawValues, Rules};

const RULES: Rules = Rules { max_plies: Some(320), ..Rules::STANDARD };

fn yardsticks(backend: &mut dyn Backend, batch_shape: usize) -> Yardsticks {
    measure(backend, &Suite::new(RULES), batch_shape, DrawValues::HALF).unwrap()
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

#[test]
fn a_net_that_knows_nothing_scores_as_a_uniform_choice() {
    let found = yardsticks(&mut Uniform::new(EncodingId::Dlshogi57), 64);
    assert!(close(found.policy.top1, found.policy.uniform), "{found}");
    assert!(close(found.value.sign, 0.5), "{found}");
    assert!(close(found.mate_in_one.rate, found.mate_in_one.uniform), "{found}");
    assert!(close(found.hanging.rate, found.hanging.uniform), "{found}");
    assert!(close(found.score_spread, 0.0), "{found}");
    assert_eq!(found.pieces.order_held, 0);
}

#[test]
fn the_baselines_and_the_numbers_of_positions_are_what_they_were() {
    let found = yardsticks(&mut Uniform::new(EncodingId::Dlshogi57), 64);
    // 96 positions of a decided game and 4 of another; short games have fewer.
    assert_eq!((found.policy.positions, found.value.positions), (4542, 4182));
    assert!(found.mate_in_one.positions >= 140 && found.hanging.positions >= 150, "{found}");
    assert!(found.policy.label_frequency > 1.5 * found.policy.uniform, "{found}");
    assert!(found.value.constant < 0.52, "sides alternate: {found}");
    let baselines = [
        found.policy.uniform,
        found.policy.label_frequency,
        found.mate_in_one.uniform,
        found.hanging.uniform,
    ];
    assert_eq!(baselines.map(|share| (1000.0 * share).round() as u32), [43, 81, 17, 32]);
}

#[test]
fn the_figures_depend_on_the_net_and_not_on_the_batches() {
    let hashed = |seed, shape| yardsticks(&mut Hashed::new(EncodingId::Dlshogi119, seed), shape);
    let found = hashed(1, 16);
    assert_eq!(found, hashed(1, 33));
    assert_ne!(found, hashed(2, 16));
    assert_eq!(Yardsticks::from_toml(&found.to_toml()).unwrap(), found);
    let newer = found.to_toml().replacen("version = 1", "version = 2\nmore = 3", 1);
    let refused = Yardsticks::from_toml(&newer).unwrap_err().to_string();
    assert!(refused.starts_with("version 2 is not 1"), "{refused}");
    assert!(Yardsticks::from_toml("").is_err());
    // Chance, within four standard errors.
    let near = |rate: f64, chance: f64, positions: u64| {
        (rate - chance).abs() < 4.0 * (chance * (1.0 - chance) / positions as f64).sqrt()
    };
    assert!(near(found.policy.top1, found.policy.uniform, found.policy.positions), "{found}");
    assert!(near(found.value.sign, 0.5, found.value.positions), "{found}");
    let hanging = found.hanging;
    assert!(near(hanging.rate, hanging.uniform, hanging.positions), "{found}");
    assert!(found.pieces.explained < 0.05, "{found}");
    let names: Vec<&str> = found.metrics().iter().map(|(name, _)| *name).collect();
    assert!(names.contains(&"policy_top1") && names.contains(&"rook"), "{names:?}");
    assert_eq!(found.to_string().lines().count(), 8);
}

/// Says that the side to move wins, more surely every time it is asked.
struct Surer {
    asked: u32,
    finished: Finished,
}

impl Backend for Surer {
    fn encoding(&self) -> EncodingId {
        EncodingId::Dlshogi57
    }

    fn name(&self) -> String {
        "surer".to_owned()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        let logits = (0..batch.labels().len()).map(|at| -(at as f32)).collect();
        let mut wdl = Vec::new();
        for _ in 0..batch.len() {
            self.asked += 1;
            let loss = 0.5 / (self.asked + 1) as f32;
            wdl.push(Wdl { win: 1.0 - loss, draw: 0.0, loss });
        }
        Ok(self.finished.put(ResponseBatch::new(batch, logits, wdl)?))
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.finished.take(ticket)
    }
}

#[test]
fn a_net_that_always_says_won_scores_as_a_constant() {
    let found = yardsticks(&mut Surer { asked: 0, finished: Finished::default() }, 32);
    let ours = found.value;
    assert!(close(ours.sign.max(1.0 - ours.sign), ours.constant), "{ours:?}");
    assert!(found.score_spread > 0.0 && found.score_spread < 0.05, "{found}");
}

#[test]
fn the_positions_do_not_depend_on_the_rules() {
    let short = Rules { max_plies: Some(20), ..Rules::STANDARD };
    assert_eq!(Suite::new(short).positions(), Suite::new(RULES).positions());
    let uniform = |rules| {
        let mut backend = Uniform::new(EncodingId::Dlshogi57);
        measure(&mut backend, &Suite::new(rules), 16, DrawValues::HALF).unwrap()
    };
    assert_eq!(uniform(short), uniform(RULES));
}
