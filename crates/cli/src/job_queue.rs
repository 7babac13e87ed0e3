//! What the thread that reads commands and the thread that carries them out agree on: which work
//! was asked for, which was stopped, which is done.
//!
//! Every piece of work gets a number when it is asked for. A stop is meant for everything asked for
//! before it, whether it has begun or not, and for nothing after it. So no stop is lost, and none
//! reaches the next search. `models` walks through every order in which the threads can come here.

#[cfg(loom)]
use loom::sync::{Mutex, MutexGuard};
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::sync::{Mutex, MutexGuard};

/// Work that can be ended early.
pub trait Stoppable: Send {
    /// Ends it as soon as possible.
    fn stop(&self);
    /// The move pondered on was played.
    fn ponder_hit(&self) {}
}

/// What a piece of work waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndsAt {
    /// It ends by itself.
    #[default]
    Itself,
    /// It ends by itself, but not before the move pondered on was played.
    PonderHit,
    /// It goes on until a stop.
    Stop,
}

/// The number of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

/// One kind of work, done one piece after the other.
#[derive(Default)]
pub struct JobQueue {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    asked: u64,
    done: u64,
    stopped: u64,
    hit: u64,
    running: Option<Box<dyn Stoppable>>,
    /// What the running work still waits for.
    ends_at: EndsAt,
}

impl JobQueue {
    /// Registers work and returns the ticket that stops it.
    pub fn ask(&self) -> Ticket {
        let mut state = self.state();
        state.asked += 1;
        Ticket(state.asked)
    }

    /// Whether there is work that is not done.
    pub fn is_busy(&self) -> bool {
        let state = self.state();
        state.done < state.asked
    }

    /// Whether work is going on that ends only when a command says so, which has not come yet.
    pub fn awaits_command(&self) -> bool {
        self.state().ends_at != EndsAt::Itself
    }

    /// Ends everything asked for so far.
    pub fn stop(&self) {
        let mut state = self.state();
        state.stopped = state.asked;
        state.ends_at = EndsAt::Itself;
        if let Some(running) = &state.running {
            running.stop();
        }
    }

    /// The moves pondered on so far were played.
    pub fn ponder_hit(&self) {
        let mut state = self.state();
        state.hit = state.asked;
        if state.ends_at == EndsAt::PonderHit {
            state.ends_at = EndsAt::Itself;
        }
        if let Some(running) = &state.running {
            running.ponder_hit();
        }
    }

    /// Begins a piece of work. `arm` makes it ready to be stopped.
    pub fn begin<S: Stoppable + 'static>(&self, ticket: Ticket, work: S, arm: impl FnOnce(&S)) {
        self.begin_until(EndsAt::Itself, ticket, work, arm);
    }

    /// Begins a piece of work that may wait for a command.
    pub fn begin_until<S: Stoppable + 'static>(
        &self,
        ends_at: EndsAt,
        ticket: Ticket,
        work: S,
        arm: impl FnOnce(&S),
    ) {
        let mut state = self.state();
        arm(&work);
        state.ends_at = ends_at;
        if state.stopped >= ticket.0 {
            work.stop();
            state.ends_at = EndsAt::Itself;
        }
        if state.hit >= ticket.0 {
            work.ponder_hit();
            if ends_at == EndsAt::PonderHit {
                state.ends_at = EndsAt::Itself;
            }
        }
        state.running = Some(Box::new(work));
    }

    /// A piece of work is done.
    pub fn end(&self, ticket: Ticket) {
        let mut state = self.state();
        state.running = None;
        state.ends_at = EndsAt::Itself;
        state.done = ticket.0;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    #[derive(Clone, Default)]
    struct Counted(Arc<[AtomicUsize; 2]>);

    impl Counted {
        fn seen(&self) -> (usize, usize) {
            (self.0[0].load(Relaxed), self.0[1].load(Relaxed))
        }
    }

    impl Stoppable for Counted {
        fn stop(&self) {
            self.0[0].fetch_add(1, Relaxed);
        }

        fn ponder_hit(&self) {
            self.0[1].fetch_add(1, Relaxed);
        }
    }

    fn run(queue: &JobQueue, ticket: Ticket) -> (usize, usize) {
        let work = Counted::default();
        queue.begin(ticket, work.clone(), |_| ());
        queue.end(ticket);
        work.seen()
    }

    #[test]
    fn a_stop_reaches_all_work_asked_for_before_it_and_none_after_it() {
        let queue = JobQueue::default();
        let (first, second) = (queue.ask(), queue.ask());
        queue.stop();
        let third = queue.ask();
        assert_eq!(run(&queue, first), (1, 0));
        assert_eq!(run(&queue, second), (1, 0));
        assert!(queue.is_busy());
        assert_eq!(run(&queue, third), (0, 0));
        assert!(!queue.is_busy());
    }

    #[test]
    fn running_work_hears_of_a_hit_and_a_stop_at_once() {
        let queue = JobQueue::default();
        let (ticket, work) = (queue.ask(), Counted::default());
        queue.begin(ticket, work.clone(), |_| ());
        queue.ponder_hit();
        assert_eq!(work.seen(), (0, 1));
        queue.stop();
        assert_eq!(work.seen(), (1, 1));
        queue.end(ticket);
        queue.stop();
        assert_eq!(work.seen(), (1, 1));
    }

    #[test]
    fn a_hit_before_the_beginning_is_not_lost() {
        let queue = JobQueue::default();
        let ticket = queue.ask();
        queue.ponder_hit();
        assert_eq!(run(&queue, ticket), (0, 1));
    }

    #[test]
    fn a_stop_for_nobody_is_forgotten() {
        let queue = JobQueue::default();
        queue.stop();
        let ticket = queue.ask();
        assert_eq!(run(&queue, ticket), (0, 0));
    }
}
