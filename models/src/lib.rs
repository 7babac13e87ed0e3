//! The files that stop searches, as the engine has them, with loom's locks and atomics. Loom runs
//! each model once for every order in which the threads can take their steps; a wake-up that can be
//! lost shows as a deadlock.

#![cfg(loom)]
// A model uses a part of what the files have.
#![allow(dead_code, unreachable_pub)]

#[path = "../../crates/cli/src/job_queue.rs"]
mod job_queue;
#[path = "../../crates/engine/src/search/flags.rs"]
mod flags;

#[cfg(test)]
mod tests {
    use loom::sync::Arc;
    use loom::sync::atomic::Ordering::Relaxed;
    use loom::thread;

    use super::job_queue::{JobQueue, Stoppable};
    use super::flags::Flags;

    /// What a search hands to the queue.
    struct Control(Arc<Flags>);

    impl Stoppable for Control {
        fn stop(&self) {
            self.0.request_stop();
        }

        fn ponder_hit(&self) {
            self.0.ponder_hit();
        }
    }

    /// Begins a search in the queue, waits for its end as the main thread does, and returns whether
    /// a stop was requested.
    fn search(queue: &JobQueue, flags: &Arc<Flags>, ticket: super::job_queue::Ticket, ponder: bool) -> bool {
        queue.begin(ticket, Control(Arc::clone(flags)), |control| control.0.arm());
        let requested = flags.finish(!ponder, ponder);
        assert!(flags.stop.load(Relaxed), "the other threads stop");
        // As at the end of a search.
        flags.arm();
        queue.end(ticket);
        requested
    }

    #[test]
    fn an_endless_search_always_hears_its_stop() {
        loom::model(|| {
            let (queue, flags) = (Arc::new(JobQueue::default()), Arc::new(Flags::default()));
            let ticket = queue.ask();
            let stopping = {
                let queue = Arc::clone(&queue);
                thread::spawn(move || queue.stop())
            };
            assert!(search(&queue, &flags, ticket, false));
            stopping.join().unwrap();
            assert!(!queue.is_busy());
        });
    }

    #[test]
    fn a_pondering_search_always_hears_that_the_move_was_played() {
        loom::model(|| {
            let (queue, flags) = (Arc::new(JobQueue::default()), Arc::new(Flags::default()));
            let ticket = queue.ask();
            let telling = {
                let queue = Arc::clone(&queue);
                thread::spawn(move || queue.ponder_hit())
            };
            assert!(!search(&queue, &flags, ticket, true));
            telling.join().unwrap();
        });
    }

    #[test]
    fn a_hit_and_a_stop_may_come_in_any_order_and_at_any_time() {
        // Three threads have too many orders to try them all.
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let (queue, flags) = (Arc::new(JobQueue::default()), Arc::new(Flags::default()));
            let ticket = queue.ask();
            let tellers: Vec<_> = [true, false]
                .into_iter()
                .map(|hit| {
                    let queue = Arc::clone(&queue);
                    thread::spawn(move || if hit { queue.ponder_hit() } else { queue.stop() })
                })
                .collect();
            search(&queue, &flags, ticket, true);
            tellers.into_iter().for_each(|teller| teller.join().unwrap());
        });
    }

    #[test]
    fn a_stop_reaches_what_was_asked_for_before_it_and_nothing_after_it() {
        loom::model(|| {
            let (queue, flags) = (Arc::new(JobQueue::default()), Arc::new(Flags::default()));
            let first = queue.ask();
            let reading = {
                let queue = Arc::clone(&queue);
                thread::spawn(move || {
                    queue.stop();
                    queue.ask()
                })
            };
            // The reader stops the first search and asks for the second, whenever that is.
            assert!(search(&queue, &flags, first, false));
            let second = reading.join().unwrap();
            queue.begin(second, Control(Arc::clone(&flags)), |control| control.0.arm());
            assert!(!flags.stop.load(Relaxed), "the second search was not told to stop");
            assert!(!flags.finish(false, false));
            queue.end(second);
        });
    }

    #[test]
    fn helpers_stop_when_the_main_thread_is_done() {
        loom::model(|| {
            let flags = Arc::new(Flags::default());
            flags.arm();
            let helper = {
                let flags = Arc::clone(&flags);
                thread::spawn(move || {
                    while !flags.stop.load(Relaxed) {
                        thread::yield_now();
                    }
                })
            };
            flags.finish(false, false);
            helper.join().unwrap();
        });
    }
}
