use std::collections::BTreeSet;

use keiko_inference::{Backend, BackendError, EncodingId, RequestBatch, ResponseBatch, Ticket};

/// A backend whose policy is flattened (temperature above 1) or sharpened (below 1), and at the root, where it is told
/// so, allows some moves only.
pub(super) struct Guided<'a> {
    pub(super) inner: &'a mut dyn Backend,
    /// Divides every logit; above 0.
    pub(super) temperature: f32,
    /// The labels of the moves that are allowed in the first row of the first batch.
    pub(super) root: Option<BTreeSet<u16>>,
}

/// The share of the root's policy that all allowed moves get alike, so that each is looked at.
const EVEN_SHARE: f32 = 0.25;
/// As good as never.
const NO_CHANCE: f32 = -1e4;

impl Backend for Guided<'_> {
    fn encoding(&self) -> EncodingId {
        self.inner.encoding()
    }

    fn name(&self) -> String {
        self.inner.name()
    }

    fn reads_rows(&self) -> bool {
        self.inner.reads_rows()
    }

    fn batches_at_once(&self) -> usize {
        self.inner.batches_at_once()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        self.inner.submit(batch)
    }

    fn next_done(&mut self, tickets: &[Ticket]) -> usize {
        self.inner.next_done(tickets)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        let response = self.inner.collect(ticket)?;
        let mut logits: Vec<f32> =
            response.logits().iter().map(|logit| logit / self.temperature).collect();
        if let Some(allowed) = self.root.take() {
            let request = response.request();
            restrict(&mut logits[request.label_range(0)], request.labels_of(0), &allowed);
        }
        let wdl = response.wdl().to_vec();
        ResponseBatch::new(response.into_request(), logits, wdl)
    }
}

fn restrict(logits: &mut [f32], labels: &[u16], allowed: &BTreeSet<u16>) {
    let chosen: Vec<f32> = labels
        .iter()
        .zip(&*logits)
        .filter(|(label, _)| allowed.contains(label))
        .map(|(_, &logit)| logit)
        .collect();
    let Some(highest) = chosen.iter().copied().reduce(f32::max) else { return };
    let weight = |logit: f32| (logit - highest).exp();
    let total: f32 = chosen.iter().map(|&logit| weight(logit)).sum();
    let even = EVEN_SHARE / chosen.len() as f32;
    for (logit, label) in logits.iter_mut().zip(labels) {
        *logit = match allowed.contains(label) {
            true => ((1.0 - EVEN_SHARE) * weight(*logit) / total + even).ln(),
            false => NO_CHANCE,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_allowed_has_no_chance_and_the_rest_shares_all() {
        let mut logits = [5.0, 1.0, 0.0, -300.0];
        restrict(&mut logits, &[10, 11, 12, 13], &BTreeSet::from([11, 13]));
        assert!(logits[0] <= NO_CHANCE && logits[2] <= NO_CHANCE);
        assert!((logits[1].exp() - 0.875).abs() < 1e-6 && (logits[3].exp() - 0.125).abs() < 1e-6);
    }

    #[test]
    fn nothing_allowed_restricts_nothing() {
        let mut logits = [5.0, 1.0];
        restrict(&mut logits, &[10, 11], &BTreeSet::from([12]));
        assert_eq!(logits.map(f32::to_bits), [5.0_f32, 1.0].map(f32::to_bits));
    }
}
