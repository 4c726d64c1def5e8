use keiko_mcts::{Wdl, first_not_finite};

use crate::{BackendError, RequestBatch};

/// By how much the three probabilities of a row may miss a sum of 1.
const WDL_TOLERANCE: f32 = 1e-3;

/// The checked answers to a [`RequestBatch`].
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseBatch {
    request: RequestBatch,
    logits: Vec<f32>,
    wdl: Vec<Wdl>,
}

impl ResponseBatch {
    /// Joins a request with its answers: `logits` parallel to the request's labels, `wdl` one for each
    /// real row, from the view of the side to move there.
    ///
    /// # Errors
    /// When a length differs, a number is not finite, or the three probabilities of a row are negative or
    /// do not sum to 1.
    pub fn new(
        request: RequestBatch,
        logits: Vec<f32>,
        wdl: Vec<Wdl>,
    ) -> Result<Self, BackendError> {
        if logits.len() != request.labels().len() {
            let expected = request.labels().len();
            return Err(BackendError::LogitCount { expected, found: logits.len() });
        }
        if wdl.len() != request.len() {
            return Err(BackendError::WdlCount { expected: request.len(), found: wdl.len() });
        }
        if let Some(at) = first_not_finite(&logits) {
            let row = request.offsets().partition_point(|&start| start as usize <= at) - 1;
            return Err(BackendError::LogitNotFinite { row, logit: logits[at] });
        }
        if let Some(row) = wdl.iter().position(|wdl| !is_distribution(*wdl)) {
            let Wdl { win, draw, loss } = wdl[row];
            return Err(BackendError::NotProbabilities { row, win, draw, loss });
        }
        Ok(Self { request, logits, wdl })
    }

    /// The request that is answered here.
    #[must_use]
    pub fn request(&self) -> &RequestBatch {
        &self.request
    }

    /// Gives the request back, for its buffers.
    #[must_use]
    pub fn into_request(self) -> RequestBatch {
        self.request
    }

    /// The logits of all rows, parallel to [`RequestBatch::labels`].
    #[must_use]
    pub fn logits(&self) -> &[f32] {
        &self.logits
    }

    /// The logits of one row, parallel to [`RequestBatch::labels_of`].
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn logits_of(&self, row: usize) -> &[f32] {
        &self.logits[self.request.label_range(row)]
    }

    /// One triple for each real row, from the view of the side to move.
    #[must_use]
    pub fn wdl(&self) -> &[Wdl] {
        &self.wdl
    }
}

fn is_distribution(Wdl { win, draw, loss }: Wdl) -> bool {
    [win, draw, loss].iter().all(|share| *share >= 0.0)
        && (win + draw + loss - 1.0).abs() <= WDL_TOLERANCE
}

#[cfg(test)]
mod tests {
    use keiko_encoding::EncodingId;

    use super::*;

    const FAIR: Wdl = Wdl { win: 0.25, draw: 0.5, loss: 0.25 };

    fn request() -> RequestBatch {
        let mut request = RequestBatch::new(EncodingId::Dlshogi57, 4);
        let row = vec![0; EncodingId::Dlshogi57.row_bytes()];
        request.push_row(&row, &[59, 60]);
        request.push_row(&row, &[]);
        request.push_row(&row, &[7]);
        request
    }

    #[test]
    fn answers_are_found_by_row() {
        let response = ResponseBatch::new(request(), vec![1.0, 2.0, 3.0], vec![FAIR; 3])
            .expect("lengths and values are right");
        assert_eq!(response.logits_of(0), [1.0, 2.0]);
        assert_eq!(response.logits_of(1), [0.0; 0]);
        assert_eq!(response.logits_of(2), [3.0]);
    }

    #[test]
    fn a_missing_logit_is_refused() {
        let error = ResponseBatch::new(request(), vec![1.0, 2.0], vec![FAIR; 3]).unwrap_err();
        assert!(matches!(error, BackendError::LogitCount { expected: 3, found: 2 }));
    }

    #[test]
    fn a_missing_triple_is_refused() {
        let error = ResponseBatch::new(request(), vec![1.0; 3], vec![FAIR; 2]).unwrap_err();
        assert!(matches!(error, BackendError::WdlCount { expected: 3, found: 2 }));
    }

    #[test]
    fn a_logit_that_is_not_finite_names_its_row() {
        for logit in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let error =
                ResponseBatch::new(request(), vec![1.0, 2.0, logit], vec![FAIR; 3]).unwrap_err();
            assert!(matches!(error, BackendError::LogitNotFinite { row: 2, .. }), "{error}");
        }
    }

    #[test]
    fn what_is_no_distribution_names_its_row() {
        for bad in [
            Wdl { win: 0.5, draw: 0.5, loss: 0.5 },
            Wdl { win: f32::NAN, draw: 0.5, loss: 0.5 },
            Wdl { win: 1.5, draw: 0.0, loss: -0.5 },
        ] {
            let error =
                ResponseBatch::new(request(), vec![1.0; 3], vec![FAIR, bad, FAIR]).unwrap_err();
            assert!(matches!(error, BackendError::NotProbabilities { row: 1, .. }), "{error}");
        }
    }
}
