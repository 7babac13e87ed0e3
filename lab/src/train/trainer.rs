//! The training run: batches, steps, reports.

use std::ops::Range;

use super::adam::Adam;
use super::batch::{Loss, Target, Worker};
use super::config::Config;
use super::net::Net;
use super::schedule::EpochOrder;
use crate::data::PackedPosition;

/// One point of the loss curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// How many steps are done.
    pub steps: u64,
    /// Positions that were learned from so far.
    pub positions: u64,
    /// Learning rate of the last step.
    pub rate: f32,
    /// Share of results in the target of the last step.
    pub wdl: f32,
    /// Mean training loss since the report before.
    pub train: f64,
    /// Mean losses on the held-out positions, if there are any.
    pub held_out: Option<Loss>,
}

/// A training run under way. It depends only on its configuration and the positions, so a run
/// that was interrupted goes on exactly as if it had not been.
pub struct Trainer {
    /// The settings of the run.
    pub config: Config,
    /// The network that is trained.
    pub net: Net,
    /// The mean of the weights over the last steps, and how many these are.
    pub average: Option<(Net, u64)>,
    /// The network that weight decay leads to instead of zero: that of a warm start.
    pub anchor: Option<Net>,
    /// The optimiser and its moments.
    pub adam: Adam,
    /// The loss curve so far.
    pub reports: Vec<Report>,
    /// Training loss since the last report.
    pub recent: Loss,
    workers: Vec<Worker>,
    order: Option<EpochOrder>,
}

impl Trainer {
    /// A run that has not made a step.
    #[must_use]
    pub fn new(config: Config) -> Self {
        let net = Net::random(config.shape, config.seed);
        let adam = Adam::new(config.adam, config.shape);
        Self::with_state(config, net, adam)
    }

    /// A run with the given network and optimiser.
    #[must_use]
    pub fn with_state(config: Config, net: Net, adam: Adam) -> Self {
        let workers = (0..config.threads).map(|_| Worker::new(config.shape)).collect();
        let (reports, recent) = (Vec::new(), Loss::default());
        Self {
            config,
            net,
            average: None,
            anchor: None,
            adam,
            reports,
            recent,
            workers,
            order: None,
        }
    }

    /// Positions in a batch when the training set has `count` positions.
    #[must_use]
    pub fn batch_size(&self, count: usize) -> usize {
        self.config.batch.min(count).max(1)
    }

    /// Steps in an epoch.
    #[must_use]
    pub fn epoch_steps(&self, count: usize) -> u64 {
        (count / self.batch_size(count)).max(1) as u64
    }

    /// Steps of the whole run.
    #[must_use]
    pub fn total_steps(&self, count: usize) -> u64 {
        self.epoch_steps(count) * self.config.epochs
    }

    /// Whether the steps done so far end a stretch of training that is to be reported.
    #[must_use]
    pub fn is_report_due(&self, count: usize) -> bool {
        let every = (self.epoch_steps(count) / self.config.reports).max(1);
        let place = self.adam.steps % self.epoch_steps(count);
        // A remainder that does not make a stretch of its own goes with the last one.
        place == 0 || (place.is_multiple_of(every) && place / every < self.config.reports)
    }

    /// Whether all steps are done.
    #[must_use]
    pub fn is_finished(&self, count: usize) -> bool {
        self.adam.steps >= self.total_steps(count)
    }

    /// The target at the present step.
    #[must_use]
    pub fn target(&self, count: usize) -> Target {
        let wdl = self.config.wdl.at(self.adam.steps, self.total_steps(count));
        Target { scale: self.config.scale, wdl }
    }

    /// Learns one batch and returns its loss.
    pub fn step(&mut self, positions: &[PackedPosition]) -> Loss {
        let count = positions.len();
        let (batch, steps) = (self.batch_size(count), self.adam.steps);
        let (epoch, place) = (steps / self.epoch_steps(count), steps % self.epoch_steps(count));
        let target = self.target(count);
        let rate = self.config.rate.at(steps, self.total_steps(count));
        let kept = self.order.take().filter(|order| order.epoch() == epoch);
        let order = kept.unwrap_or_else(|| EpochOrder::new(count, self.config.seed, epoch));
        let first = place as usize * batch;
        let batch = batch.min(order.len().saturating_sub(first));
        let loss = learn_batch(&self.net, &mut self.workers, target, batch, |range| {
            range.map(|index| &positions[order.at(first + index)])
        });
        self.adam.step(&mut self.net, &mut self.workers, rate);
        self.pull_to_anchor(rate);
        self.order = Some(order);
        self.update_average(count);
        self.recent.add(&loss);
        loss
    }

    /// Gives back what the decay of the last step has taken from the anchor's share of the weights.
    fn pull_to_anchor(&mut self, rate: f32) {
        let Some(anchor) = &self.anchor else { return };
        let taken = rate * self.config.adam.decay;
        for (row, anchor) in self.net.rows.iter_mut().zip(&anchor.rows) {
            for (weight, anchor) in row.0.iter_mut().zip(anchor.0) {
                *weight += anchor * taken;
            }
        }
    }

    /// What the run has come to: the averaged weights as soon as there are any.
    #[must_use]
    pub fn result(&self) -> &Net {
        self.average.as_ref().map_or(&self.net, |(net, _)| net)
    }

    /// As [`Self::result`], for who has no further use for the run.
    #[must_use]
    pub fn into_result(self) -> Net {
        self.average.map_or(self.net, |(net, _)| net)
    }

    /// Takes the weights of the present step into the average, if the step is late enough.
    fn update_average(&mut self, count: usize) {
        let total = self.total_steps(count);
        let averaged = (f64::from(self.config.average) * total as f64) as u64;
        if self.adam.steps + averaged <= total {
            return;
        }
        let Some((mean, steps)) = &mut self.average else {
            self.average = Some((self.net.clone(), 1));
            return;
        };
        *steps += 1;
        let share = 1.0 / *steps as f32;
        for (mean, row) in mean.rows.iter_mut().zip(&self.net.rows) {
            for (mean, weight) in mean.0.iter_mut().zip(row.0) {
                *mean += (weight - *mean) * share;
            }
        }
    }

    /// The network's losses on positions that are not learned.
    pub fn measure(&mut self, positions: &[PackedPosition], target: Target) -> Loss {
        let net = self.average.as_ref().map_or(&self.net, |(net, _)| net);
        each_worker(&mut self.workers, positions.len(), |worker, range| {
            worker.measure(net, positions[range].iter(), target)
        })
    }

    /// Ends a stretch of training: measures and adds a point to the loss curve.
    pub fn report(&mut self, count: usize, held_out: &[PackedPosition]) -> Report {
        let (last, total) = (self.adam.steps.saturating_sub(1), self.total_steps(count));
        let target = Target { wdl: self.config.wdl.at(last, total), scale: self.config.scale };
        let measured = self.measure(held_out, target).mean();
        let report = Report {
            steps: self.adam.steps,
            positions: self.adam.steps * self.batch_size(count) as u64,
            rate: self.config.rate.at(last, total),
            wdl: target.wdl,
            train: self.recent.mean().blend,
            held_out: (!held_out.is_empty()).then_some(measured),
        };
        self.recent = Loss::default();
        self.reports.push(report);
        report
    }

    /// Whether no earlier report has a lower held-out loss. Losses are compared for the target at
    /// the end of the run, so that they mean the same although the target may change.
    #[must_use]
    pub fn last_report_is_best(&self) -> bool {
        let share = f64::from(self.config.wdl.end);
        let loss = |report: &Report| {
            report.held_out.map(|loss| share * loss.result + (1.0 - share) * loss.score)
        };
        let Some((last, earlier)) = self.reports.split_last() else { return false };
        earlier.iter().filter_map(loss).all(|other| loss(last).is_some_and(|last| last < other))
    }
}

/// Computes the gradient of a batch of `count` positions, one share for each worker and thread.
pub(super) fn learn_batch<'a, I>(
    net: &Net,
    workers: &mut [Worker],
    target: Target,
    count: usize,
    positions: impl Fn(Range<usize>) -> I + Sync,
) -> Loss
where
    I: Iterator<Item = &'a PackedPosition>,
{
    let weight = 1.0 / count.max(1) as f32;
    each_worker(workers, count, |worker, range| worker.learn(net, positions(range), target, weight))
}

/// Runs `work` on an equal share of `count` items for each worker, all at the same time, and adds
/// the losses in the order of workers.
fn each_worker(
    workers: &mut [Worker],
    count: usize,
    work: impl Fn(&mut Worker, Range<usize>) -> Loss + Sync,
) -> Loss {
    let share = count.div_ceil(workers.len().max(1));
    let range = |index: usize| (index * share).min(count)..((index + 1) * share).min(count);
    let mut total = Loss::default();
    std::thread::scope(|scope| {
        let Some((first, others)) = workers.split_first_mut() else { return };
        let handles: Vec<_> = (1..)
            .zip(others)
            .map(|(index, worker)| {
                let work = &work;
                scope.spawn(move || work(worker, range(index)))
            })
            .collect();
        total.add(&work(first, range(0)));
        for handle in handles {
            match handle.join() {
                Ok(loss) => total.add(&loss),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    total
}
