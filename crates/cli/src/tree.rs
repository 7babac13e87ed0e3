//! Traces as indented text.

use chess::Position;
use engine::Score;

use crate::trace::Node;

/// What of a tree is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only what lies on or below this line from the root.
    pub path: Vec<String>,
    /// Only nodes at least this deep yet to search, and the way to them.
    pub min_depth: Option<i32>,
    /// Only nodes ended by this rule or with a move left out by it, and the way to them.
    pub rule: Option<String>,
    /// Only so many plies from the root.
    pub max_ply: Option<usize>,
}

impl Filter {
    fn wants(&self, node: &Node, line: &[&str]) -> bool {
        let on_path = self.path.iter().zip(line).all(|(wanted, mv)| wanted == mv)
            && line.len() >= self.path.len();
        let ruled = self.rule.as_ref().is_none_or(|rule| {
            node.end.as_ref() == Some(rule) || node.skipped.iter().any(|(_, left)| left == rule)
        });
        on_path && ruled && self.min_depth.is_none_or(|depth| node.depth >= depth)
    }
}

/// What the signs in a line mean.
pub const LEGEND: &str = "\
each line: the move (in UCI notation), the kind of node (pv, cut, all, quiescence), plies to search,
alpha..beta, the static score, = the result; scores are pawns for the side to move in that node.
In parentheses at the end: the rule that ended the node. docs/inspection.md has more.";

/// The nodes of a tree from this root that a filter leaves, each as a line; indented by how far they
/// are from the root.
pub fn print<'a>(
    root: &Position,
    nodes: &'a [Node],
    filter: &'a Filter,
) -> impl Iterator<Item = String> + 'a {
    let names = names(root, nodes);
    let mut shown = vec![false; nodes.len()];
    let mut level = vec![0; nodes.len()];
    // The moves from the root, and how many they were at each level.
    let (mut line, mut lengths) = (Vec::new(), Vec::new());
    for node in nodes {
        level[node.id] = node.parent.map_or(0, |parent| level[parent] + 1);
        lengths.truncate(level[node.id]);
        line.truncate(lengths.last().copied().unwrap_or(0));
        line.extend(node.mv.as_deref());
        lengths.push(line.len());
        if filter.wants(node, &line) {
            let mut way = Some(node.id);
            while let Some(id) = way.filter(|&id| !shown[id]) {
                shown[id] = true;
                way = nodes[id].parent;
            }
        }
    }
    nodes
        .iter()
        .filter(move |node| shown[node.id] && filter.max_ply.is_none_or(|most| node.ply <= most))
        .map(move |node| describe(node, &names[node.id], level[node.id]))
}

/// How a node is called, and how the moves are that it left out.
struct Names {
    node: String,
    skipped: Vec<String>,
}

/// The names of all nodes, moves in algebraic notation first. Nodes come in the order of the search, so
/// the last one of the level above is the parent.
fn names(root: &Position, nodes: &[Node]) -> Vec<Names> {
    // The position of the last node of each level; none if its move made no sense.
    let mut way: Vec<Option<Position>> = Vec::new();
    let mut levels = Vec::with_capacity(nodes.len());
    let mut names = Vec::with_capacity(nodes.len());
    for node in nodes {
        let level = node.parent.map_or(0, |parent| levels[parent] + 1);
        levels.push(level);
        // A file that was changed by hand may leave gaps.
        way.resize(level, None);
        let before = if level == 0 { Some(*root) } else { way[level - 1] };
        let after = before.and_then(|position| after(position, node.mv.as_deref()));
        way.push(after);
        let name = match (&node.mv, &node.without) {
            (Some(mv), _) => both(before, mv),
            (None, Some(mv)) => format!("without {}", both(before, mv)),
            (None, None) if node.parent.is_none() => String::from("root"),
            (None, None) => String::from("again"),
        };
        let skipped = node.skipped.iter().map(|(mv, _)| both(after, mv)).collect();
        names.push(Names { node: name, skipped });
    }
    names
}

/// The position after a move, or after passing.
fn after(position: Position, mv: Option<&str>) -> Option<Position> {
    let mut next = position;
    match mv {
        None => {}
        Some("null") if !position.is_check() => next.make_null(),
        Some(mv) => drop(next.make(position.parse_uci(mv).ok()?)),
    }
    Some(next)
}

/// A move in both notations, if the position is known.
fn both(position: Option<Position>, mv: &str) -> String {
    let san = position.and_then(|position| Some(position.to_san(position.parse_uci(mv).ok()?)));
    san.map_or_else(|| mv.to_owned(), |san| format!("{san} ({mv})"))
}

/// A node as a line, and the moves that it left out below it.
fn describe(node: &Node, names: &Names, level: usize) -> String {
    let indent = "  ".repeat(level);
    let name = &names.node;
    let window = format!("{}..{}", score(node.alpha), score(node.beta));
    let kind = if node.kind == "quiescence" {
        String::from("quiescence")
    } else {
        format!("{} depth {}", node.kind, node.depth)
    };
    let static_score =
        node.static_score.map_or_else(String::new, |own| format!(" static {}", score(own)));
    let result = node.result.map_or_else(|| String::from("stopped"), score);
    let end = node.end.as_ref().map_or_else(String::new, |rule| format!(" ({rule})"));
    let mut text = format!("{indent}{name}  {kind} {window}{static_score} = {result}{end}");
    for (mv, (_, rule)) in names.skipped.iter().zip(&node.skipped) {
        text.push_str(&format!("\n{indent}  {mv}  left out ({rule})"));
    }
    text
}

/// A score for people: pawns, or plies to mate.
#[must_use]
pub fn score(raw: i32) -> String {
    let score = Score::from_raw(raw);
    match score.mate_plies() {
        _ if score >= Score::INFINITE => String::from("inf"),
        _ if score <= -Score::INFINITE => String::from("-inf"),
        Some(1) => String::from("mate in 1 ply"),
        Some(plies) if raw > 0 => format!("mate in {plies} plies"),
        Some(0) => String::from("mated"),
        Some(plies) => format!("mated in {} plies", -plies),
        None => format!("{:+.2}", f64::from(raw) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: usize, parent: Option<usize>, mv: &str, depth: i32, end: Option<&str>) -> Node {
        Node {
            id,
            parent,
            ply: usize::from(id > 0) + usize::from(id == 2),
            mv: (!mv.is_empty()).then(|| mv.to_owned()),
            without: None,
            kind: String::from("cut"),
            depth,
            alpha: -10,
            beta: 31_990,
            static_score: Some(25),
            result: Some(-31_997),
            end: end.map(str::to_owned),
            skipped: vec![],
        }
    }

    fn tree() -> Vec<Node> {
        vec![
            node(0, None, "", 5, None),
            node(1, Some(0), "e2e4", 4, None),
            node(2, Some(1), "e7e5", 3, Some("table-cut")),
            node(3, Some(0), "d2d4", 2, Some("null-move-cut")),
        ]
    }

    fn moves(filter: &Filter) -> Vec<String> {
        let nodes = tree();
        print(&Position::startpos(), &nodes, filter)
            .map(|line| line.split_whitespace().next().unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn a_node_is_one_line_with_all_that_is_known() {
        let nodes = tree();
        let all: Vec<String> = print(&Position::startpos(), &nodes, &Filter::default()).collect();
        assert_eq!(all.len(), 4);
        assert_eq!(
            all[2],
            "    e5 (e7e5)  cut depth 3 -0.10..mate in 10 plies static +0.25 = mated in 3 plies \
             (table-cut)"
        );
    }

    #[test]
    fn filters_leave_what_they_want_and_the_way_to_it() {
        let path = |text: &str| text.split(' ').map(str::to_owned).collect();
        let all = Filter::default();
        assert_eq!(moves(&Filter { path: path("e2e4"), ..all.clone() }), ["root", "e4", "e5"]);
        assert_eq!(moves(&Filter { path: path("d2d4"), ..all.clone() }), ["root", "d4"]);
        let rule = Some(String::from("table-cut"));
        assert_eq!(moves(&Filter { rule, ..all.clone() }), ["root", "e4", "e5"]);
        assert_eq!(moves(&Filter { min_depth: Some(4), ..all.clone() }), ["root", "e4"]);
        assert_eq!(moves(&Filter { max_ply: Some(1), ..all }), ["root", "e4", "d4"]);
    }

    #[test]
    fn moves_that_make_no_sense_stay_as_they_are() {
        let mut nodes = tree();
        nodes[1].mv = Some(String::from("e2e5"));
        nodes[3].mv = Some(String::from("null"));
        nodes[3].skipped = vec![(String::from("g8f6"), String::from("see-prune"))];
        let text: Vec<String> = print(&Position::startpos(), &nodes, &Filter::default()).collect();
        assert!(text[1].starts_with("  e2e5  cut") && text[2].starts_with("    e7e5  cut"));
        assert!(
            text[3].contains("null  cut") && text[3].ends_with("Nf6 (g8f6)  left out (see-prune)")
        );
        assert_eq!((score(31_999), score(-32_000)), ("mate in 1 ply".into(), "mated".into()));
    }
}
