/// Whether a search adds its root noise (Gumbel or Dirichlet, by the settings).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Fresh noise from the search's own stream: self-play.
    On,
    /// No noise, nothing random: matches, analysis, and fast searches where they are not explored.
    Off,
}
