// The drawer with the statistics of the search, live.

import type { App } from './app';
import { thousands } from './analysis';
import { dialog, h, iconButton, replace, s } from './dom';
import type { Statistics } from './protocol';
import type { NodeId } from './tree';

/** Samples of the graph of nodes. */
const SAMPLES = 90;
/** Samples are at least this far apart. */
const SAMPLE_MS = 100;
/** Samples that a rate is measured over. */
const SMOOTH = 4;
const WIDTH = 360;
const HEIGHT = 84;

interface Sample {
  time: number;
  main: number;
  quiet: number;
}

type Row = { label: string; value: number; of?: number; note?: string };

/** What the labels mean, for those who have not read the source. */
const MEANINGS: Record<string, string> = {
  'nodes/s': 'Positions searched per second',
  'first-move cutoffs': 'How often the first move tried was already good enough: the better the move ordering, the higher',
  'TT hits': 'How often a position was found in the transposition table, where earlier results are kept',
  'TT full': 'How much of the transposition table is in use',
  'TT move': 'The best move of an earlier search of the same position',
  'good captures': 'Captures that do not lose material',
  'good quiets': 'Quiet moves with a good history',
  'bad captures': 'Captures that lose material',
  'bad quiets': 'Quiet moves with a bad history',
  evasions: 'Moves out of check',
  'reverse futility': 'The static score is so far above the window that the node is not searched',
  'null move': 'Passing would still be good enough, so a real move will be',
  razoring: 'The static score is so far below the window that only captures are searched',
  ProbCut: 'A shallow search of a capture already exceeds the window by far',
  'late moves': 'Quiet moves late in the list are not searched at low depth',
  history: 'Quiet moves that have failed before are not searched',
  futility: 'Quiet moves that cannot raise the score enough are not searched',
  'TT ProbCut': 'The transposition table already has a score far above the window',
  'futility of captures': 'Captures that cannot raise the score enough are not searched',
  SEE: 'Moves that lose material by static exchange evaluation are not searched',
};

/** A key of the statistics as a label. */
function labelOf(key: string): string {
  return key
    .replaceAll('_', ' ')
    .replace(/\btt\b/, 'TT')
    .replace(/^see$/, 'SEE')
    .replace('probcut', 'ProbCut');
}

function sum(group: Record<string, number> | undefined): number {
  return Object.values(group ?? {}).reduce((total, value) => total + value, 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)}%`;
}

/** Horizontal bars, each a share of the largest. */
function bars(rows: Row[]): HTMLElement {
  const most = Math.max(1, ...rows.map((row) => row.of ?? row.value));
  const list = h('div', { class: 'bars' });
  for (const row of rows) {
    const bar = h('span', { class: 'bar' });
    if (row.of !== undefined) {
      const tried = h('i', { class: 'tried' });
      tried.style.width = `${(100 * row.of) / most}%`;
      bar.append(tried);
    }
    const done = h('i', { class: 'done' });
    done.style.width = `${(100 * row.value) / most}%`;
    bar.append(done);
    list.append(
      h('span', { class: 'label', title: MEANINGS[row.label] ?? row.label }, row.label),
      bar,
      h('span', { class: 'value' }, row.note ?? thousands(row.value)),
    );
  }
  return list;
}

export class StatisticsDrawer {
  readonly element: HTMLElement;
  private readonly figures = h('dl', { class: 'figures' });
  private readonly flow = s('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': 'Nodes per second, main search and quiescence',
  });
  private readonly flowKey = h('p', { class: 'key' });
  private readonly stages = h('div', {});
  private readonly pruning = h('div', {});
  private readonly depths = s('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': 'Nodes by iteration',
  });
  private readonly depthKey = h('p', { class: 'key' });
  private readonly plan = h('div', { class: 'plan' });
  private readonly body = h('div', { class: 'statistics-body' });
  private readonly meanings: [string, string][] = [];
  private readonly empty = h('p', { class: 'hint' }, 'What the engine does appears here while it searches.');
  private samples: Sample[] = [];
  /** The position that the figures belong to. */
  private at: NodeId | null = null;
  /** Whether it was opened, and has not been shown with figures since. */
  private isNew = false;

  constructor(
    private readonly app: App,
    tree: HTMLElement,
  ) {
    const part = (title: string, meaning: string, ...content: Element[]) => {
      this.meanings.push([title, meaning]);
      return h('section', {}, h('h3', { title: meaning }, title), ...content);
    };
    this.element = h(
      'aside',
      { class: 'statistics', 'aria-label': 'Statistics of the search' },
      h(
        'div',
        { class: 'card statistics-card' },
        h(
          'header',
          {},
          h('h2', {}, 'Statistics'),
          iconButton('help', 'What am I looking at?', () => this.explain()),
          iconButton('close', 'Close the statistics (H)', () => app.set({ statistics: false })),
        ),
        this.empty,
        this.body,
      ),
      tree,
    );
    replace(
      this.body,
      this.figures,
      part('Nodes per second', 'Positions searched per second, in the main search and in quiescence', this.flow, this.flowKey),
      part('Cutoffs by move type', 'Which kind of move was good enough to end a node', this.stages),
      part('Pruning', 'How many nodes and moves each rule has saved; the pale bar is how often a rule was tried', this.pruning),
      part('Iterations', 'Nodes of each depth, on a logarithmic scale', this.depths, this.depthKey),
      part('Time', 'How the engine divides its time', this.plan),
    );
    app.watch(
      (state) => [state.search?.view, state.settings.statistics],
      () => {
        const wasHidden = this.element.hidden;
        this.show();
        if (wasHidden && !this.element.hidden) this.isNew = true;
        this.comeIntoView();
      },
    );
  }

  /** Below the board it would open out of sight. Before it has figures it is too low to be scrolled to. */
  private comeIntoView(): void {
    if (!this.isNew || (this.body.hidden && this.app.state.search)) return;
    this.isNew = false;
    if (this.element.getBoundingClientRect().top > innerHeight / 4) this.element.scrollIntoView();
  }

  /** All labels in words, for those who cannot point at them. */
  private explain(): void {
    const list = (pairs: [string, string][]) =>
      h('dl', { class: 'topics' }, ...pairs.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, `${text}.`)]));
    const intro =
      'The engine looks at millions of positions a second and leaves most of the tree out. This is how it does so, as it happens.';
    dialog(
      'What am I looking at?',
      h('p', { class: 'hint' }, intro),
      list(this.meanings),
      h('h3', {}, 'Figures and rows'),
      list(Object.entries(MEANINGS)),
    ).classList.add('wide');
  }

  private show(): void {
    const { settings, search } = this.app.state;
    this.element.hidden = !settings.statistics;
    const view = search?.view;
    const statistics = view?.statistics;
    // Between two searches of a position the figures stay: whoever reads below them is not moved.
    if (settings.statistics && !statistics && search && search.node === this.at) return;
    this.at = statistics && search ? search.node : null;
    this.body.hidden = !statistics;
    this.empty.hidden = Boolean(statistics);
    if (!settings.statistics || !view || !statistics) {
      this.samples = [];
      return;
    }
    const nodes = statistics.nodes_by_kind;
    const quiet = nodes['quiescence'] ?? 0;
    const main = sum(nodes) - quiet;
    const last = this.samples.at(-1);
    // Counts and time are of the same moment; a search from scratch begins again.
    if (last && (statistics.time_ms < last.time || main + quiet < last.main + last.quiet)) this.samples = [];
    if (!last || statistics.time_ms >= last.time + SAMPLE_MS) this.samples.push({ time: statistics.time_ms, main, quiet });
    this.samples = this.samples.slice(-SAMPLES);
    this.showFigures(statistics, view.nps, view.hashfull);
    this.showFlow(main, quiet);
    this.showStages(statistics);
    this.showPruning(statistics);
    this.showDepths(statistics);
    this.showPlan(statistics);
  }

  private showFigures(statistics: Statistics, nps: number, hashfull: number): void {
    const table = statistics.transposition_table;
    const main = sum(statistics.nodes_by_kind) - (statistics.nodes_by_kind['quiescence'] ?? 0);
    const figure = (name: string, value: string) => h('div', { title: MEANINGS[name] ?? '' }, h('dt', {}, name), h('dd', {}, value));
    replace(
      this.figures,
      figure('nodes/s', thousands(nps)),
      figure('first-move cutoffs', percent(statistics.first_move_share)),
      figure('TT hits', percent((table['hits'] ?? 0) / Math.max(1, main))),
      figure('TT full', percent(hashfull / 1000)),
    );
  }

  /** Nodes per second as two layers. */
  private showFlow(main: number, quiet: number): void {
    // Over a few samples, so that a busy machine does not look like a nervous engine.
    const rates: [number, number][] = [];
    for (const [index, now] of this.samples.entries()) {
      const before = this.samples[Math.max(0, index - SMOOTH)];
      if (!before || before === now) continue;
      const seconds = Math.max(0.02, (now.time - before.time) / 1000);
      rates.push([(now.main - before.main) / seconds, (now.quiet - before.quiet) / seconds]);
    }
    const top = Math.max(1, ...rates.map(([one, two]) => one + two)) * 1.08;
    const x = (index: number) => WIDTH - ((rates.length - 1 - index) / (SAMPLES - 2)) * WIDTH;
    const area = (value: (rate: [number, number]) => number, floor: (rate: [number, number]) => number) => {
      const up = rates.map((rate, index) => `${index ? 'L' : 'M'}${x(index).toFixed(1)} ${(HEIGHT * (1 - value(rate) / top)).toFixed(1)}`);
      const down = rates.map((rate, index) => `L${x(index).toFixed(1)} ${(HEIGHT * (1 - floor(rate) / top)).toFixed(1)}`).reverse();
      return up.join('') + down.join('') + 'Z';
    };
    this.flow.replaceChildren();
    if (rates.length > 1) {
      this.flow.append(
        s('path', {
          class: 'main-nodes',
          d: area(
            ([one]) => one,
            () => 0,
          ),
        }),
        s('path', {
          class: 'quiet-nodes',
          d: area(
            ([one, two]) => one + two,
            ([one]) => one,
          ),
        }),
      );
    }
    const total = Math.max(1, main + quiet);
    replace(
      this.flowKey,
      h('span', { class: 'swatch main' }),
      `main search ${percent(main / total)} `,
      h('span', { class: 'swatch quiet' }),
      `quiescence ${percent(quiet / total)}`,
    );
  }

  private showStages(statistics: Statistics): void {
    const stages = statistics.cutoffs_by_stage;
    const total = Math.max(1, sum(stages));
    const rows = Object.entries(stages)
      .filter(([, value]) => value > 0)
      .map(([key, value]) => ({ label: labelOf(key), value, note: percent(value / total) }));
    replace(this.stages, bars(rows));
  }

  private showPruning(statistics: Statistics): void {
    const nodes = statistics.pruning_of_nodes;
    const moves = statistics.pruning_of_moves;
    const rules: Row[] = [];
    for (const [key, value] of Object.entries(nodes)) {
      const rule = key.replace(/_cut$/, '');
      if (key.endsWith('_tried') || key.endsWith('_refuted')) continue;
      const tried = nodes[`${rule}_tried`];
      if (value > 0 || tried) rules.push({ label: labelOf(rule), value, ...(tried === undefined ? {} : { of: tried }) });
    }
    const left: Row[] = Object.entries(moves)
      .filter(([, value]) => value > 0)
      .map(([key, value]) => ({ label: labelOf(key), value }));
    replace(this.pruning, bars([...rules, ...left]));
  }

  /** Nodes of each iteration on a logarithmic scale. */
  private showDepths(statistics: Statistics): void {
    const iterations = statistics.iterations.slice(-40);
    const top = Math.log(Math.max(10, ...iterations.map((one) => one.nodes)));
    const width = WIDTH / Math.max(16, iterations.length);
    this.depths.replaceChildren(
      ...iterations.map((one, index) => {
        const height = (HEIGHT * Math.log(Math.max(1, one.nodes))) / top;
        const factor = one.branching ? `, ${one.branching.toFixed(2)} times the one before` : '';
        const bar = s('rect', {
          x: (index * width + 1).toFixed(1),
          y: (HEIGHT - height).toFixed(1),
          width: (width - 2).toFixed(1),
          height: height.toFixed(1),
          rx: 1.5,
        });
        bar.append(s('title', {}, `depth ${one.depth}: ${thousands(one.nodes)} nodes${factor}`));
        return bar;
      }),
    );
    const last = iterations.at(-1);
    const recent = iterations
      .slice(-6)
      .filter((one) => one.branching)
      .map((one) => Math.log(one.branching ?? 1));
    const mean = recent.length ? Math.exp(recent.reduce((total, one) => total + one, 0) / recent.length) : 0;
    this.depthKey.textContent = last ? `depth ${last.depth} · branching factor ${mean.toFixed(2)} over the last ${recent.length}` : '';
  }

  private showPlan(statistics: Statistics): void {
    const { soft_ms: soft, wanted_ms: wanted, hard_ms: hard } = statistics.clock;
    if (hard === null) {
      replace(this.plan, h('p', { class: 'key' }, 'No time limit: the search runs until it is stopped.'));
      return;
    }
    const mark = (name: string, ms: number | null) => {
      if (ms === null) return null;
      const line = h('span', { class: `mark ${name}`, title: `${name} ${(ms / 1000).toFixed(2)} s` });
      line.style.left = `${Math.min(100, (100 * ms) / hard)}%`;
      return line;
    };
    const spent = h('i', { class: 'done' });
    spent.style.width = `${Math.min(100, (100 * statistics.time_ms) / hard)}%`;
    const seconds = (ms: number | null) => (ms === null ? '–' : `${(ms / 1000).toFixed(1)} s`);
    const why = statistics.stop ? ` · ended: ${statistics.stop.replaceAll('_', ' ')}` : '';
    replace(
      this.plan,
      h('div', { class: 'bar' }, spent, mark('soft', soft), mark('wanted', wanted)),
      h(
        'p',
        { class: 'key' },
        `${seconds(statistics.time_ms)} spent · usual ${seconds(soft)} · wanted ${seconds(wanted)} · most ${seconds(hard)}${why}`,
      ),
    );
  }
}
