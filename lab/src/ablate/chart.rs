//! The chart: a bar for each technique, with its error.

use std::fmt::Write as _;

/// A bar.
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) error: f64,
    /// Whether the technique is on by default.
    pub(super) on: bool,
}

const WIDTH: f64 = 860.0;
const LEFT: f64 = 300.0;
const RIGHT: f64 = 60.0;
const TOP: f64 = 56.0;
const ROW: f64 = 24.0;

/// The chart as an SVG document, bars from top to bottom as given.
pub(super) fn draw(title: &str, bars: &[Bar]) -> String {
    let reach = |sign: f64| {
        bars.iter().map(|bar| sign * bar.value + bar.error).fold(10.0_f64, f64::max) * 1.05
    };
    let (low, high) = (-reach(-1.0), reach(1.0));
    let place = |value: f64| LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT);
    let height = TOP + ROW * bars.len() as f64 + 40.0;
    let bottom = height - 34.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{:.1}\" y=\"22\" text-anchor=\"middle\" font-size=\"15\">{}</text>\n",
        WIDTH / 2.0,
        escape(title)
    );
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"32\" width=\"12\" height=\"12\" fill=\"{ON}\"/>\
         <text x=\"{}\" y=\"43\">on by default</text>\
         <rect x=\"{}\" y=\"32\" width=\"12\" height=\"12\" fill=\"{OFF}\"/>\
         <text x=\"{}\" y=\"43\">off by default</text>",
        LEFT + 18.0,
        LEFT + 130.0,
        LEFT + 148.0
    );
    let step = step(high - low);
    let mut tick = (low / step).ceil() * step;
    while tick <= high {
        let x = place(tick);
        let color = if tick == 0.0 { "black" } else { "#dddddd" };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"{color}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:.0}</text>",
            bottom + 18.0
        );
        tick += step;
    }
    for (index, bar) in bars.iter().enumerate() {
        let y = TOP + ROW * index as f64;
        let middle = y + ROW / 2.0;
        let (zero, end) = (place(0.0), place(bar.value));
        let (from, to) = (place(bar.value - bar.error), place(bar.value + bar.error));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>\
             <path d=\"M{from:.1} {middle:.1}H{to:.1}M{from:.1} {:.1}v8M{to:.1} {:.1}v8\" \
             stroke=\"black\" fill=\"none\"/>",
            LEFT - 8.0,
            middle + 4.0,
            escape(&bar.name),
            zero.min(end),
            y + 4.0,
            (end - zero).abs(),
            ROW - 8.0,
            if bar.on { ON } else { OFF },
            middle - 4.0,
            middle - 4.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

const ON: &str = "#2563a8";
const OFF: &str = "#c2571a";

/// A round distance between about eight lines.
fn step(range: f64) -> f64 {
    let rough = range / 8.0;
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&step| step >= rough)
        .unwrap_or(rough)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_is_inside_the_picture() {
        let bar = |value, error| Bar { name: "a < b".into(), value, error, on: true };
        for bars in [vec![], vec![bar(0.0, 0.0)], vec![bar(500.0, 90.0), bar(-40.0, 30.0)]] {
            let svg = draw("title", &bars);
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"));
            assert_eq!(svg.matches("a &lt; b").count(), bars.len());
            for part in svg.split("width=\"").skip(1) {
                let width: f64 = part.split('"').next().unwrap().parse().unwrap();
                assert!((0.0..=WIDTH).contains(&width), "{width}");
            }
        }
    }
}
