//! Traces as indented text.

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

/// The line of moves from the root to each node.
fn lines(nodes: &[Node]) -> Vec<Vec<&str>> {
    let mut lines: Vec<Vec<&str>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let mut line = node.parent.map_or_else(Vec::new, |parent| lines[parent].clone());
        line.extend(node.mv.as_deref());
        lines.push(line);
    }
    lines
}

/// The nodes that a filter leaves, each as a line; indented by how far they are from the root of
/// the tree.
pub fn print<'a>(nodes: &'a [Node], filter: &'a Filter) -> impl Iterator<Item = String> + 'a {
    let mut shown = vec![false; nodes.len()];
    let mut level = vec![0; nodes.len()];
    for (node, line) in nodes.iter().zip(lines(nodes)) {
        level[node.id] = node.parent.map_or(0, |parent| level[parent] + 1);
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
        .map(move |node| describe(node, level[node.id]))
}

/// A node as a line, and the moves that it left out below it.
fn describe(node: &Node, level: usize) -> String {
    let indent = "  ".repeat(level);
    let name = match (&node.mv, &node.without) {
        (Some(mv), _) => mv.clone(),
        (None, Some(mv)) => format!("without {mv}"),
        (None, None) if node.parent.is_none() => String::from("root"),
        (None, None) => String::from("again"),
    };
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
    for (mv, rule) in &node.skipped {
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
        Some(plies) if raw > 0 => format!("mate in {plies} plies"),
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
        print(&nodes, filter)
            .map(|line| line.split_whitespace().next().unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn a_node_is_one_line_with_all_that_is_known() {
        let nodes = tree();
        let all: Vec<String> = print(&nodes, &Filter::default()).collect();
        assert_eq!(all.len(), 4);
        assert_eq!(
            all[2],
            "    e7e5  cut depth 3 -0.10..mate in 10 plies static +0.25 = mated in 3 plies \
             (table-cut)"
        );
    }

    #[test]
    fn filters_leave_what_they_want_and_the_way_to_it() {
        let path = |text: &str| text.split(' ').map(str::to_owned).collect();
        let all = Filter::default();
        assert_eq!(moves(&Filter { path: path("e2e4"), ..all.clone() }), ["root", "e2e4", "e7e5"]);
        assert_eq!(moves(&Filter { path: path("d2d4"), ..all.clone() }), ["root", "d2d4"]);
        let rule = Some(String::from("table-cut"));
        assert_eq!(moves(&Filter { rule, ..all.clone() }), ["root", "e2e4", "e7e5"]);
        assert_eq!(moves(&Filter { min_depth: Some(4), ..all.clone() }), ["root", "e2e4"]);
        assert_eq!(moves(&Filter { max_ply: Some(1), ..all }), ["root", "e2e4", "d2d4"]);
    }
}
