//! Text and numbers as SVG and HTML have them.

use std::fmt::Write as _;

/// Text with what has a meaning in XML escaped; characters that XML does not have become U+FFFD.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            control if control.is_control() => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A time with the two units that matter.
pub(super) fn duration(seconds: f64) -> String {
    let s = seconds.max(0.0) as u64;
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {} s", s / 60, s % 60),
        3600..86400 => format!("{} h {} min", s / 3600, s / 60 % 60),
        _ => format!("{} d {} h", s / 86400, s / 3600 % 24),
    }
}

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Left edge.
    pub(super) x: f64,
    /// Upper edge.
    pub(super) y: f64,
    /// Width.
    pub(super) width: f64,
    /// Height.
    pub(super) height: f64,
}

impl Frame {
    /// The right edge.
    pub(super) fn right(self) -> f64 {
        self.x + self.width
    }

    /// The lower edge.
    pub(super) fn bottom(self) -> f64 {
        self.y + self.height
    }

    /// What is left after margins: above, right, below, left.
    pub(super) fn inside(self, [above, right, below, left]: [f64; 4]) -> Self {
        Self {
            x: self.x + left,
            y: self.y + above,
            width: self.width - left - right,
            height: self.height - above - below,
        }
    }
}

/// A drawing as it grows: the content of an `svg` element.
#[derive(Debug, Default)]
pub(super) struct Drawing(String);

impl Drawing {
    /// The elements so far.
    pub(super) fn into_text(self) -> String {
        self.0
    }

    /// Adds elements that are well formed.
    pub(super) fn add(&mut self, elements: &str) {
        self.0.push_str(elements);
    }

    /// A straight line.
    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            self.0,
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        );
    }

    /// A line through points.
    pub(super) fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.0, r#"<polyline class="{class}" points="{}"/>"#, points.join(" "));
    }

    /// A dot with a text that shows when it is pointed at.
    pub(super) fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64, tip: &str) {
        let _ = writeln!(
            self.0,
            r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius}"><title>{}</title></circle>"#,
            escape(tip)
        );
    }

    /// A filled rectangle with a text that shows when it is pointed at.
    pub(super) fn bar(&mut self, class: &str, frame: Frame, tip: &str) {
        let Frame { x, y, width, height } = frame;
        let tip =
            if tip.is_empty() { String::new() } else { format!("<title>{}</title>", escape(tip)) };
        let _ = writeln!(
            self.0,
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}">{tip}</rect>"#
        );
    }

    /// A text at its base line.
    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let _ = writeln!(
            self.0,
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{}</text>"#,
            escape(text)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_two_units() {
        let shown = [-1.0, 59.9, 75.0, 3_700.0, 200_000.0].map(duration);
        assert_eq!(shown, ["0 s", "59 s", "1 min 15 s", "1 h 1 min", "2 d 7 h"]);
    }

    #[test]
    fn text_cannot_become_an_element() {
        assert_eq!(escape("<b a='\"'>&\u{1}"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;\u{fffd}");
        assert_eq!(escape("稽古\n2"), "稽古 2");
    }
}
