//! A small writer of charts as SVG.

use std::fmt::Write as _;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 450.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 60.0;
const COLORS: [&str; 4] = ["#2563a8", "#c2571a", "#3a8f4d", "#7b4fa3"];

/// How a series of points is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line through the points.
    Line,
    /// A dot at each point.
    Dots,
    /// A bar from zero to each point.
    Bars,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// What the legend calls them; not listed if empty.
    pub name: String,
    /// How they are drawn.
    pub style: Style,
    /// x and y; points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

/// A chart with two linear axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What the figure is about, above it.
    pub title: String,
    /// What x is, below the axis.
    pub x_label: String,
    /// What y is, beside the axis.
    pub y_label: String,
    /// What is drawn, first at the back.
    pub series: Vec<Series>,
    /// Names for places on the x axis instead of numbers.
    pub x_names: Vec<(f64, String)>,
}

impl Chart {
    /// A chart with nothing in it.
    #[must_use]
    pub fn new(title: &str, x_label: &str, y_label: &str) -> Self {
        Self {
            title: title.to_owned(),
            x_label: x_label.to_owned(),
            y_label: y_label.to_owned(),
            series: Vec::new(),
            x_names: Vec::new(),
        }
    }

    /// Adds a series of points.
    #[must_use]
    pub fn with(mut self, name: &str, style: Style, points: Vec<(f64, f64)>) -> Self {
        let points = points.into_iter().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
        self.series.push(Series { name: name.to_owned(), style, points });
        self
    }

    /// The chart as an SVG document.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let frame = Frame::around(&self.series);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        text(&mut svg, (WIDTH / 2.0, 24.0), "middle", &self.title);
        text(&mut svg, (WIDTH / 2.0, HEIGHT - 14.0), "middle", &self.x_label);
        text(&mut svg, (8.0, 24.0), "start", &self.y_label);
        self.draw_axes(&mut svg, &frame);
        for (series, color) in self.series.iter().zip(COLORS.iter().cycle()) {
            series.draw(&mut svg, &frame, color);
        }
        self.draw_legend(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_axes(&self, svg: &mut String, frame: &Frame) {
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        for y in ticks(frame.y) {
            let place = frame.place((frame.x.0, y)).1;
            line(svg, (LEFT, place), (right, place), "#dddddd");
            text(svg, (LEFT - 8.0, place + 4.0), "end", &label(y));
        }
        let numbers = || ticks(frame.x).into_iter().map(|x| (x, label(x))).collect();
        let names: Vec<_> = if self.x_names.is_empty() { numbers() } else { self.x_names.clone() };
        for (x, name) in names {
            let place = frame.place((x, frame.y.0)).0;
            line(svg, (place, bottom), (place, bottom + 5.0), "black");
            text(svg, (place, bottom + 20.0), "middle", &name);
        }
        line(svg, (LEFT, bottom), (right, bottom), "black");
        line(svg, (LEFT, TOP), (LEFT, bottom), "black");
    }

    fn draw_legend(&self, svg: &mut String) {
        let named = self.series.iter().zip(COLORS.iter().cycle());
        for (row, (series, color)) in named.filter(|(s, _)| !s.name.is_empty()).enumerate() {
            let y = TOP + 14.0 + 18.0 * row as f64;
            let x = WIDTH - RIGHT - 180.0;
            line(svg, (x, y - 4.0), (x + 20.0, y - 4.0), color);
            text(svg, (x + 26.0, y), "start", &series.name);
        }
    }
}

impl Series {
    fn draw(&self, svg: &mut String, frame: &Frame, color: &str) {
        let places: Vec<_> = self.points.iter().map(|&point| frame.place(point)).collect();
        match self.style {
            Style::Line => {
                let list: Vec<_> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                let list = list.join(" ");
                let _ = writeln!(
                    svg,
                    "<polyline points=\"{list}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
                );
            }
            Style::Dots => {
                for (x, y) in places {
                    let _ = writeln!(
                        svg,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>"
                    );
                }
            }
            Style::Bars => {
                let zero = frame.place((frame.x.0, 0.0)).1;
                let width = 0.85 * (WIDTH - LEFT - RIGHT) / (places.len().max(1) as f64 + 1.0);
                for (x, y) in places {
                    let (left, top, height) = (x - width / 2.0, y.min(zero), (zero - y).abs());
                    let _ = writeln!(
                        svg,
                        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
                         height=\"{height:.1}\" fill=\"{color}\"/>"
                    );
                }
            }
        }
    }
}

/// The ranges of both axes.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    fn around(series: &[Series]) -> Self {
        let bars = series.iter().any(|series| series.style == Style::Bars);
        let points = || series.iter().flat_map(|series| &series.points);
        let mut x = range(points().map(|point| point.0));
        let mut y = range(points().map(|point| point.1));
        if bars {
            y = (y.0.min(0.0), y.1.max(0.0));
            let count = series.iter().map(|series| series.points.len()).max().unwrap_or(1);
            let margin = (x.1 - x.0) / (2.0 * count as f64);
            x = (x.0 - margin, x.1 + margin);
        }
        Self { x, y }
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let across = (x - self.x.0) / (self.x.1 - self.x.0);
        let up = (y - self.y.0) / (self.y.1 - self.y.0);
        let left = LEFT + across * (WIDTH - LEFT - RIGHT);
        (left, HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM))
    }
}

/// Smallest and largest value, made different if they are not.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        (0.0, 1.0)
    } else if low == high {
        (low - 0.5, high + 0.5)
    } else {
        (low, high)
    }
}

/// About six round numbers inside a range.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|&step| step >= rough).unwrap_or(rough);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|index| index as f64 * step).collect()
}

fn label(value: f64) -> String {
    if value == 0.0 {
        return String::from("0");
    }
    let text = match value.abs() {
        size if size >= 1e6 => return format!("{}M", label(value / 1e6)),
        size if size >= 1e4 => return format!("{}k", label(value / 1e3)),
        size if size < 1e-3 => return format!("{value:.1e}"),
        size if size < 1.0 => format!("{value:.4}"),
        _ => format!("{value:.2}"),
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), color: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(svg: &mut String, at: (f64, f64), anchor: &str, content: &str) {
    let content = content.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{content}</text>",
        at.0, at.1
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chart_is_drawn_even_an_empty_one() {
        let empty = Chart::new("nothing", "x", "y").to_svg();
        assert!(empty.starts_with("<svg") && empty.ends_with("</svg>\n"));
        let points = vec![(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0)];
        for style in [Style::Line, Style::Dots, Style::Bars] {
            let svg = Chart::new("a < b", "x", "y").with("one", style, points.clone()).to_svg();
            assert!(svg.contains("a &lt; b") && !svg.contains("NaN"));
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks((0.0, 1.0)), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks((-95.0, 95.0)), [-50.0, 0.0, 50.0]);
        assert_eq!(label(0.25), "0.25");
        assert_eq!(label(2_500_000.0), "2.5M");
    }
}
