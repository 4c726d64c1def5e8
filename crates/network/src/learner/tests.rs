use keiko_model::{Activation, Head, fold};
use keiko_replay::Batch;

use super::*;
use crate::testing::{architecture, batch, batch_with_ahead, random_weights};
use crate::{Device, Evaluator, HeadWeights, LossWeights, Precision};

const ADAMW: Optimiser = Optimiser::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
const SGD: Optimiser = Optimiser::Sgd { momentum: 0.9 };

fn options(optimiser: Optimiser) -> LearnerOptions {
    LearnerOptions {
        device: Device::Cpu,
        precision: Precision::Fp32,
        threads: 1,
        optimiser,
        weight_decay: 1e-2,
        clip_norm: 10.0,
        ema_decay: 0.9,
        loss_weights: LossWeights::EVEN,
        head_seed: 7,
    }
}

fn learner(options: LearnerOptions) -> Learner {
    let architecture = architecture(1, 8, 4);
    let weights = Weights::initial(&architecture, 5);
    Learner::new(&architecture, &weights, options).expect("the processor can be had")
}

fn batches(count: u64) -> Vec<Batch> {
    let encoding = architecture(1, 8, 4).encoding;
    (0..count).map(|seed| batch(encoding, 16, seed)).collect()
}

fn values(tensor: &Tensor) -> Vec<f32> {
    tensor.detach().try_into().unwrap()
}

#[test]
fn a_tiny_batch_is_learnt_by_heart() {
    for device in Device::available() {
        for precision in [Precision::Fp32, Precision::Bf16] {
            for (optimiser, rate) in [(ADAMW, 5e-3), (SGD, 2e-2)] {
                let mut options = options(optimiser);
                (options.device, options.precision) = (device, precision);
                options.weight_decay = 0.0;
                let mut learner = learner(options);
                let batch = &batches(1)[0];
                let first = learner.step(batch, rate).unwrap().losses;
                let last = (0..120).map(|_| learner.step(batch, rate).unwrap().losses).last();
                let last = last.unwrap();
                let name = format!("{optimiser:?} on {device} in {precision:?}: {last:?}");
                assert!(first.policy > 7.0 && first.value > 0.9, "{first:?}");
                assert!(last.policy < 1.2, "{name}");
                assert!(last.value < 0.1, "{name}");
                assert!(last.policy_accuracy > 0.9 && last.value_accuracy > 0.9, "{name}");
                // 0.75 and 0.25 in every row.
                assert!((last.policy_entropy - 0.562_335).abs() < 1e-4, "{name}");
            }
        }
    }
}

#[test]
fn a_restored_learner_goes_on_bit_for_bit() {
    for optimiser in [ADAMW, SGD] {
        let batches = batches(10);
        let mut straight = learner(options(optimiser));
        let straight_steps: Vec<_> =
            batches.iter().map(|batch| straight.step(batch, 1e-3).unwrap()).collect();

        let mut first = learner(options(optimiser));
        for batch in &batches[..5] {
            first.step(batch, 1e-3).unwrap();
        }
        let state = first.state().unwrap();
        let mut second = learner(options(optimiser));
        second.step(&batches[9], 0.1).unwrap();
        second.restore(&state).unwrap();
        assert_eq!(second.state().unwrap(), state);
        let steps: Vec<_> =
            batches[5..].iter().map(|batch| second.step(batch, 1e-3).unwrap()).collect();

        assert_eq!(steps, straight_steps[5..]);
        assert_eq!(second.steps(), 10);
        assert!(second.state().unwrap() == straight.state().unwrap());
        assert_eq!(second.weights().unwrap(), straight.weights().unwrap());
    }
}

#[test]
fn a_state_of_another_learner_is_refused_and_changes_nothing() {
    let mut adamw = learner(options(ADAMW));
    let before = adamw.state().unwrap();
    let sgd = learner(options(SGD)).state().unwrap();
    assert!(matches!(adamw.restore(&sgd), Err(StateError::Count(5, 6))));
    let architecture = architecture(2, 8, 4);
    let weights = Weights::initial(&architecture, 5);
    let larger = Learner::new(&architecture, &weights, options(ADAMW)).unwrap().state().unwrap();
    assert!(matches!(adamw.restore(&larger), Err(StateError::Length { .. })));
    assert!(matches!(adamw.restore(&before[..100]), Err(StateError::Format(_))));
    assert!(adamw.state().unwrap() == before);
}

#[test]
fn the_average_follows_its_law() {
    let mut learner = learner(options(ADAMW));
    let mut expected = values(&learner.average);
    for (step, batch) in batches(12).iter().enumerate() {
        learner.step(batch, 1e-2).unwrap();
        let decay = ((1.0 + step as f64) / (10.0 + step as f64)).min(0.9);
        for (average, parameter) in expected.iter_mut().zip(values(&learner.parameters)) {
            *average = (f64::from(*average) * decay + f64::from(parameter) * (1.0 - decay)) as f32;
        }
    }
    for (found, expected) in values(&learner.average).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }
}

#[test]
fn weights_decay_by_rate_times_decay_and_nothing_else_does() {
    let step = |weight_decay| {
        let mut learner = learner(LearnerOptions { weight_decay, ..options(SGD) });
        let before = values(&learner.parameters);
        learner.step(&batches(1)[0], 0.5).unwrap();
        (before, values(&learner.parameters), values(&learner.decay_mask))
    };
    let (before, without, mask) = step(0.0);
    let (_, with, _) = step(0.02);
    let mut decayed = 0;
    for (((before, without), with), mask) in before.iter().zip(without).zip(with).zip(mask) {
        let expected = if mask > 0.5 { before * 0.5 * 0.02 } else { 0.0 };
        decayed += usize::from(expected.abs() > 1e-5);
        assert!((without - with - expected).abs() < 1e-6, "{without} - {with} is not {expected}");
    }
    assert!(decayed > 1000);
}

#[test]
fn long_gradients_are_cut_to_the_norm() {
    let moved = |clip_norm| {
        let mut learner = learner(LearnerOptions {
            clip_norm,
            weight_decay: 0.0,
            ..options(Optimiser::Sgd { momentum: 0.0 })
        });
        let before = learner.parameters.copy();
        let step = learner.step(&batches(1)[0], 1.0).unwrap();
        let moved = f64::try_from((&learner.parameters - before).detach().norm()).unwrap();
        (moved, f64::from(step.gradient_norm))
    };
    let (free, norm) = moved(1e9);
    assert!((free / norm - 1.0).abs() < 1e-3, "{free} {norm}");
    let (cut, reported) = moved(norm / 4.0);
    assert!((cut / norm - 0.25).abs() < 1e-3, "{cut} {norm}");
    assert!((reported / norm - 1.0).abs() < 1e-6);
}

#[test]
fn a_loss_that_is_not_finite_changes_nothing() {
    let mut learner = learner(options(ADAMW));
    let mut bad = batches(1).remove(0);
    learner.step(&bad, 1e-3).unwrap();
    let before = learner.state().unwrap();
    bad.wdl[[3, 1]] = f32::NAN;
    assert!(matches!(learner.step(&bad, 1e-3), Err(StepError::NotFinite { .. })));
    assert!(learner.state().unwrap() == before);
    learner.step(&batches(2)[1], 1e-3).unwrap();
}

#[test]
fn rows_without_weight_teach_nothing() {
    let architecture = architecture(1, 8, 4);
    let start = random_weights(&architecture, 1);
    let mut batch = batches(1).remove(0);
    batch.policy_weight.fill(0.0);
    batch.value_weight.fill(0.0);
    let options = LearnerOptions { weight_decay: 0.0, ..options(SGD) };
    let mut learner = Learner::new(&architecture, &start, options).unwrap();
    let before = values(&learner.parameters);
    let step = learner.step(&batch, 1.0).unwrap();
    assert_eq!(values(&learner.parameters), before);
    assert_eq!((step.losses.total, step.gradient_norm), (0.0, 0.0));
}

/// In the limit of one batch the refreshed statistics are that batch's own, so the folded net must
/// have the loss of a training step on it.
#[test]
fn averaged_weights_have_the_statistics_of_the_batches() {
    for activation in [Activation::Relu, Activation::Swish] {
        let mut architecture = architecture(2, 8, 4);
        architecture.activation = activation;
        let start = random_weights(&architecture, 1);
        // A decay of 0 makes the average the last weights.
        let options = LearnerOptions { ema_decay: 0.0, ..options(ADAMW) };
        let mut learner = Learner::new(&architecture, &start, options).unwrap();
        let batches = batches(4);
        for batch in &batches {
            learner.step(batch, 1e-3).unwrap();
        }
        let before = learner.state().unwrap();
        let averaged = learner.averaged_weights(&batches[..1]).unwrap();
        assert!(learner.state().unwrap() == before, "training is not affected");
        assert_ne!(averaged, learner.weights().unwrap());
        let folded = fold(&architecture, &averaged);
        let mut evaluator = Evaluator::new(&architecture, &folded, Device::Cpu, 1).unwrap();
        let folded = evaluator.evaluate(&batches[0]).unwrap().losses(&LossWeights::EVEN);
        let trained = learner.step(&batches[0], 1e-3).unwrap().losses;
        assert!((folded.policy - trained.policy).abs() < 0.02, "{folded:?} {trained:?}");
        assert!((folded.value - trained.value).abs() < 0.02, "{folded:?} {trained:?}");
        assert!((folded.policy_entropy - trained.policy_entropy).abs() < 1e-6);
    }
}

#[test]
fn training_in_bf16_stays_near_training_in_fp32() {
    let run = |precision| {
        let mut learner = learner(LearnerOptions { precision, ..options(ADAMW) });
        batches(8)
            .iter()
            .map(|batch| learner.step(batch, 1e-3).unwrap().losses.total)
            .collect::<Vec<_>>()
    };
    for (wide, narrow) in run(Precision::Fp32).iter().zip(run(Precision::Bf16)) {
        assert!((wide - narrow).abs() < 0.05, "{wide} {narrow}");
    }
}

/// [`options`] with all heads but those of weight 0.
fn with_heads(heads: HeadWeights) -> LearnerOptions {
    LearnerOptions { loss_weights: LossWeights { value: 1.0, heads }, ..options(ADAMW) }
}

const ALL_HEADS: HeadWeights = HeadWeights { reply: 0.5, plies_left: 0.25, soft_policy: 0.75 };

#[test]
fn each_head_learns_a_tiny_batch_by_heart() {
    let batch = batch_with_ahead(architecture(1, 8, 4).encoding, 16, 0);
    for precision in [Precision::Fp32, Precision::Bf16] {
        for head in Head::ALL {
            let mut heads = HeadWeights::default();
            *heads.of_mut(head) = 1.0;
            let options = LearnerOptions { precision, weight_decay: 0.0, ..with_heads(heads) };
            let mut learner = learner(options);
            let first = learner.step(&batch, 5e-3).unwrap();
            let weight = [(Head::Reply, 15.0), (Head::PliesLeft, 15.0), (Head::SoftPolicy, 15.0)];
            for (other, weight) in weight {
                let expected = if other == head { weight } else { 0.0 };
                assert!((first.sums.heads.of(other).weight - expected).abs() < 1e-6, "{head}");
            }
            let last = (0..200).map(|_| learner.step(&batch, 5e-3).unwrap()).last().unwrap();
            let [first, last] = [first, last].map(|step| step.losses.heads.of(head).unwrap());
            let (least, most) = match head {
                Head::Reply => (7.0, 0.5),
                Head::PliesLeft => (1.0, 0.3),
                // The entropy of the fourth root of 0.75 and 0.25 is 0.684 nats.
                Head::SoftPolicy => (6.9, 1.2),
            };
            assert!(first > least, "{head} starts at {first}");
            assert!(last < most, "{head} in {precision:?} ends at {last}");
        }
    }
}

#[test]
fn the_objective_is_the_weighted_sum_of_all_losses() {
    let mut learner = learner(with_heads(ALL_HEADS));
    let losses = learner.step(&batches_with_ahead(1)[0], 1e-3).unwrap().losses;
    let heads = losses.heads;
    let sum = losses.policy
        + losses.value
        + 0.5 * heads.reply.unwrap()
        + 0.25 * heads.plies_left.unwrap()
        + 0.75 * heads.soft_policy.unwrap();
    assert!((losses.total - sum).abs() < 1e-9, "{losses:?}");
}

/// The gradient of the objective along a random direction is the slope of the objective there.
#[test]
fn the_gradient_with_heads_is_the_slope() {
    let batch = batch_with_ahead(architecture(1, 8, 4).encoding, 16, 3);
    let step = Optimiser::Sgd { momentum: 0.0 };
    let options = LearnerOptions {
        optimiser: step,
        clip_norm: 1e9,
        weight_decay: 0.0,
        ..with_heads(ALL_HEADS)
    };
    let mut learner = learner(options);
    let objective = |learner: &mut Learner| {
        f64::try_from(learner.loss(&batch).unwrap().objective.detach()).unwrap()
    };
    let start = learner.parameters.detach().copy();
    let norm = f64::from(learner.step(&batch, 1.0).unwrap().gradient_norm);
    let downhill = &learner.parameters.detach() - &start;
    let mut at = |distance: f64| {
        let _guard = tch::no_grad_guard();
        learner.parameters = (&start + &downhill * (distance / norm)).set_requires_grad(true);
        objective(&mut learner)
    };
    let slope = (at(2e-3) - at(-2e-3)) / 4e-3;
    assert!((slope / -norm - 1.0).abs() < 0.02, "{slope} is not {}", -norm);
}

fn batches_with_ahead(count: u64) -> Vec<Batch> {
    let encoding = architecture(1, 8, 4).encoding;
    (0..count).map(|seed| batch_with_ahead(encoding, 16, seed)).collect()
}

fn take(learner: &mut Learner, batches: &[Batch]) {
    for batch in batches {
        learner.step(batch, 1e-3).unwrap();
    }
}

#[test]
fn a_restored_learner_with_heads_goes_on_bit_for_bit() {
    let batches = batches_with_ahead(6);
    let mut straight = learner(with_heads(ALL_HEADS));
    take(&mut straight, &batches);
    let mut first = learner(with_heads(ALL_HEADS));
    take(&mut first, &batches[..3]);
    let state = first.state().unwrap();
    let mut second = learner(with_heads(ALL_HEADS));
    second.restore(&state).unwrap();
    assert!(second.state().unwrap() == state);
    take(&mut second, &batches[3..]);
    assert!(second.state().unwrap() == straight.state().unwrap());
    let mut plain = learner(options(ADAMW));
    assert!(matches!(plain.restore(&state), Err(StateError::Length { .. })));
}

#[test]
fn a_model_has_no_heads_and_without_weight_they_change_nothing() {
    let mut plain = learner(options(ADAMW));
    let mut without = learner(with_heads(HeadWeights::default()));
    let mut with = learner(with_heads(ALL_HEADS));
    assert_eq!(plain.weights().unwrap(), with.weights().unwrap());
    for (batch, ahead) in batches(4).iter().zip(batches_with_ahead(4)) {
        let step = plain.step(batch, 1e-3).unwrap();
        assert_eq!(without.step(&ahead, 1e-3).unwrap(), step);
        with.step(&ahead, 1e-3).unwrap();
    }
    assert!(plain.state().unwrap() == without.state().unwrap());
    let (plain, with) = (plain.weights().unwrap(), with.averaged_weights(&batches(1)).unwrap());
    let names = |weights: &Weights| weights.iter().map(|it| it.0.to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&plain), names(&with));
}

#[test]
fn a_batch_that_knows_nothing_of_later_plies_teaches_those_heads_nothing() {
    let mut learner = learner(with_heads(ALL_HEADS));
    let losses = learner.step(&batches(1)[0], 1e-3).unwrap().losses.heads;
    assert_eq!((losses.reply, losses.plies_left), (Some(0.0), Some(0.0)));
    assert!(losses.soft_policy.unwrap() > 6.0);
}
