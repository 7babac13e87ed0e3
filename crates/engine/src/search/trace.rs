//! The way into a node. A search that is traced records every node on the way in and out; any other
//! goes straight through.

use chess::Position;

use super::kind::{Node, NodeKind, Searched, Window};
use super::place::Place;
use super::worker::Worker;
use crate::stats::{Event, Recorder, Visit};

impl<R: Recorder> Worker<'_, R> {
    /// The score of `position` as a node of the main search.
    #[inline(always)]
    pub(super) fn search<N: NodeKind>(&mut self, position: &Position, node: Node) -> Searched {
        if !R::TRACE {
            return self.search_node::<N>(position, node);
        }
        let kind = match (node.depth <= 0, N::PV, node.cut_node) {
            (true, ..) => Event::QuiescenceNode,
            (false, true, _) => Event::PvNode,
            (false, false, true) => Event::CutNode,
            (false, false, false) => Event::AllNode,
        };
        self.enter(kind, node.window, node.depth.max(0), node.ply);
        let searched = self.search_node::<N>(position, node);
        self.record.leave(searched.as_ref().ok().copied());
        searched
    }

    /// A node of quiescence.
    #[inline(always)]
    pub(super) fn quiesce_node<N: NodeKind>(
        &mut self,
        position: &Position,
        window: Window,
        place: Place,
    ) -> Searched {
        if !R::TRACE {
            return self.quiescence_node::<N>(position, window, place);
        }
        self.enter(Event::QuiescenceNode, window, -(place.below as i32), place.ply);
        let searched = self.quiescence_node::<N>(position, window, place);
        self.record.leave(searched.as_ref().ok().copied());
        searched
    }

    fn enter(&mut self, kind: Event, window: Window, depth: i32, ply: usize) {
        self.record.enter(Visit {
            ply,
            mv: if ply > 0 { self.data.stack.back(ply, 1).mv } else { None },
            kind,
            depth,
            alpha: window.alpha,
            beta: window.beta,
            excluded: self.data.stack.at(ply).excluded,
            root_depth: self.root_depth,
        });
    }
}
