//! The search threads: made once, asleep between searches.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::{PoolResult, search};
use crate::report::Report;
use crate::search::{SearchJob, ThreadData, ThreadResult};

/// Room for the deepest line the search can walk, and to spare.
const STACK_BYTES: usize = 32 << 20;

/// What the threads send to whoever started them.
enum Message {
    /// Something to show to the user.
    Report(Report),
    /// The thread with this number is done.
    Finished(usize, ThreadResult),
    /// A thread has hit a bug. It has forgotten everything and is ready for the next search.
    Failed,
}

enum Task {
    Search(Arc<SearchJob>, Sender<Message>),
    Clear(Sender<()>),
}

struct Thread {
    tasks: Option<Sender<Task>>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    fn spawn(index: usize) -> io::Result<Self> {
        let (tasks, inbox) = channel();
        // Made here and not in the thread: allocators keep what threads free apart, and threads
        // come and go.
        let data = ThreadData::new().map_err(|_| io::ErrorKind::OutOfMemory)?;
        let handle = thread::Builder::new()
            .name(format!("search-{index}"))
            .stack_size(STACK_BYTES)
            .spawn(move || work(index, data, &inbox))?;
        Ok(Self { tasks: Some(tasks), handle: Some(handle) })
    }

    fn give(&self, task: Task) {
        if let Some(tasks) = &self.tasks {
            // A thread ends only when its channel is dropped.
            let _ = tasks.send(task);
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.tasks = None;
        if let Some(handle) = self.handle.take() {
            let _ = handle.join();
        }
    }
}

fn work(index: usize, mut data: ThreadData, inbox: &Receiver<Task>) {
    while let Ok(task) = inbox.recv() {
        match task {
            Task::Search(job, messages) => {
                let result = catch_unwind(AssertUnwindSafe(|| {
                    search(&mut data, &job, index, &mut |report| {
                        let _ = messages.send(Message::Report(report));
                    })
                }));
                // The others wait for the main thread, even if it has failed.
                if index == 0 {
                    job.finish();
                }
                // The job is let go before the end is told, so that its table can be replaced.
                drop(job);
                let message = result.map_or_else(
                    |_| {
                        // With no memory for that, what is there must do.
                        if let Ok(fresh) = ThreadData::new() {
                            data = fresh;
                        }
                        Message::Failed
                    },
                    |result| Message::Finished(index, result),
                );
                let _ = messages.send(message);
            }
            Task::Clear(done) => {
                data.clear();
                drop(done);
            }
        }
    }
}

/// All search threads.
pub(crate) struct Pool {
    threads: Vec<Thread>,
}

impl Pool {
    /// One thread.
    ///
    /// # Errors
    /// If the system does not give it.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { threads: vec![Thread::spawn(0)?] })
    }

    pub(crate) fn len(&self) -> usize {
        self.threads.len()
    }

    /// Makes or ends threads until there are `count`.
    ///
    /// # Errors
    /// If the system does not give as many; then there are as many as before.
    pub(crate) fn resize(&mut self, count: usize) -> io::Result<()> {
        let before = self.threads.len();
        self.threads.truncate(count.max(1));
        while self.threads.len() < count {
            match Thread::spawn(self.threads.len()) {
                Ok(thread) => self.threads.push(thread),
                Err(error) => {
                    self.threads.truncate(before);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Lets every thread forget what earlier games taught, and waits for it.
    pub(crate) fn clear(&mut self) {
        let (done, all_done) = channel();
        for thread in &self.threads {
            thread.give(Task::Clear(done.clone()));
        }
        drop(done);
        // Ends when the last thread has dropped its sender.
        while all_done.recv().is_ok() {}
    }

    /// Runs the job on its threads and forwards their reports; calls `on_report(None)` after `pause`
    /// without one.
    pub(crate) fn run(
        &mut self,
        job: &Arc<SearchJob>,
        pause: Duration,
        on_report: &mut dyn FnMut(Option<Report>),
    ) -> PoolResult {
        let (messages, inbox) = channel();
        let threads = job.nodes.len();
        for thread in self.threads.iter().take(threads) {
            thread.give(Task::Search(Arc::clone(job), messages.clone()));
        }
        drop(messages);
        let (mut results, mut failed) = (vec![None; threads], 0);
        loop {
            match inbox.recv_timeout(pause) {
                Ok(Message::Report(report)) => on_report(Some(report)),
                Ok(Message::Finished(index, result)) => results[index] = Some(result),
                Ok(Message::Failed) => failed += 1,
                Err(RecvTimeoutError::Timeout) => on_report(None),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        PoolResult { results: results.into_iter().flatten().collect(), failed }
    }
}

/// Does something on a thread with room for the deepest line.
pub(crate) fn with_large_stack<T: Send>(task: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, task)
            .expect("the system can start a thread")
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
