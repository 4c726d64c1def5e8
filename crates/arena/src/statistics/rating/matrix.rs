//! Small symmetric matrices.

/// A square matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// The inverse of a positive definite matrix, by Cholesky's factors. A pivot too small to divide by counts as the
    /// smallest one there is.
    pub(super) fn inverse(&self) -> Matrix {
        let n = self.size;
        let mut lower = Matrix::zero(n);
        for row in 0..n {
            for column in 0..=row {
                let sum: f64 = (0..column).map(|k| lower.get(row, k) * lower.get(column, k)).sum();
                let rest = self.get(row, column) - sum;
                let value = if row == column {
                    rest.max(f64::EPSILON).sqrt()
                } else {
                    rest / lower.get(column, column)
                };
                lower.add(row, column, value);
            }
        }
        let mut inverse = Matrix::zero(n);
        for unit in 0..n {
            let mut solution = vec![0.0; n];
            for row in 0..n {
                let sum: f64 = (0..row).map(|k| lower.get(row, k) * solution[k]).sum();
                solution[row] = (f64::from(u8::from(row == unit)) - sum) / lower.get(row, row);
            }
            for row in (0..n).rev() {
                let sum: f64 = (row + 1..n).map(|k| lower.get(k, row) * solution[k]).sum();
                solution[row] = (solution[row] - sum) / lower.get(row, row);
            }
            for (row, value) in solution.into_iter().enumerate() {
                inverse.add(row, unit, value);
            }
        }
        inverse
    }

    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size)
            .map(|row| (0..self.size).map(|k| self.get(row, k) * vector[k]).sum())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_worked_out_by_hand() {
        // The inverse of [[4, 2], [2, 3]] is [[3, -2], [-2, 4]] / 8.
        let matrix = Matrix { size: 2, cells: vec![4.0, 2.0, 2.0, 3.0] };
        let inverse = matrix.inverse();
        for (found, expected) in inverse.cells.iter().zip([0.375, -0.25, -0.25, 0.5]) {
            assert!((found - expected).abs() < 1e-12, "{inverse:?}");
        }
        assert!((inverse.times(&[8.0, 16.0])[1] - 6.0).abs() < 1e-12);
    }
}
