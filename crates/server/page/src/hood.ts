// Under the hood: what the search does, live.

import type { App } from './app';
import { thousands } from './analysis';
import { h, replace, s } from './dom';
import type { Hood } from './protocol';

/** Samples of the graph of nodes. */
const SAMPLES = 90;
const WIDTH = 360;
const HEIGHT = 84;

interface Sample {
  time: number;
  main: number;
  quiet: number;
}

type Row = { label: string; value: number; of?: number; note?: string };

const STAGES: [string, string][] = [
  ['table_move', 'table move'],
  ['good_captures', 'good captures'],
  ['killers', 'killers'],
  ['countermove', 'countermove'],
  ['good_quiets', 'good quiets'],
  ['bad_captures', 'bad captures'],
  ['bad_quiets', 'bad quiets'],
  ['evasions', 'evasions'],
];

const NODE_RULES: [string, string][] = [
  ['reverse_futility', 'reverse futility'],
  ['null_move', 'null move'],
  ['razoring', 'razoring'],
  ['probcut', 'ProbCut'],
];

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
    list.append(h('span', { class: 'label' }, row.label), bar, h('span', { class: 'value' }, row.note ?? thousands(row.value)));
  }
  return list;
}

export class HoodPanel {
  readonly element: HTMLElement;
  private readonly figures = h('dl', { class: 'figures' });
  private readonly flow = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Nodes per second, main search and quiescence' });
  private readonly flowKey = h('p', { class: 'key' });
  private readonly stages = h('div', {});
  private readonly pruning = h('div', {});
  private readonly depths = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Nodes by iteration' });
  private readonly depthKey = h('p', { class: 'key' });
  private readonly plan = h('div', { class: 'plan' });
  private samples: Sample[] = [];

  constructor(
    private readonly app: App,
    tree: HTMLElement,
  ) {
    const part = (title: string, ...content: Element[]) => h('section', {}, h('h3', {}, title), ...content);
    this.element = h(
      'aside',
      { class: 'hood', 'aria-label': 'Under the hood' },
      h(
        'div',
        { class: 'card hood-card' },
        h('h2', {}, 'Under the hood'),
        this.figures,
        part('Nodes per second', this.flow, this.flowKey),
        part('Which move cut', this.stages),
        part('Pruned', this.pruning),
        part('Iterations', this.depths, this.depthKey),
        part('Clock', this.plan),
      ),
      tree,
    );
    app.on(['search'], () => this.show());
    app.on(['settings'], () => this.visibility());
    this.visibility();
    this.show();
  }

  private visibility(): void {
    this.element.hidden = !this.app.settings.hood;
  }

  private show(): void {
    const { search } = this.app;
    const hood = search?.hood ?? null;
    if (!search || search.time_ms < (this.samples.at(-1)?.time ?? 0)) this.samples = [];
    if (this.element.hidden || !search || !hood) {
      if (!search) this.clear();
      return;
    }
    const nodes = hood.nodes_by_kind;
    const quiet = nodes['quiescence'] ?? 0;
    const main = sum(nodes) - quiet;
    const last = this.samples.at(-1);
    if (!last || search.time_ms > last.time) this.samples.push({ time: search.time_ms, main, quiet });
    this.samples = this.samples.slice(-SAMPLES);
    this.showFigures(hood, search.nps, search.hashfull);
    this.showFlow(main, quiet);
    this.showStages(hood);
    this.showPruning(hood);
    this.showDepths(hood);
    this.showPlan(hood);
  }

  private clear(): void {
    for (const element of [this.figures, this.flowKey, this.stages, this.pruning, this.depthKey, this.plan]) replace(element);
    this.flow.replaceChildren();
    this.depths.replaceChildren();
  }

  private showFigures(hood: Hood, nps: number, hashfull: number): void {
    const table = hood.table;
    const main = sum(hood.nodes_by_kind) - (hood.nodes_by_kind['quiescence'] ?? 0);
    const figure = (name: string, value: string) => h('div', {}, h('dt', {}, name), h('dd', {}, value));
    replace(
      this.figures,
      figure('nodes/s', thousands(nps)),
      figure('first move cuts', percent(hood.first_move_share)),
      figure('table hits', percent((table['hits'] ?? 0) / Math.max(1, main))),
      figure('table full', percent(hashfull / 1000)),
    );
  }

  /** Nodes per second as two layers. */
  private showFlow(main: number, quiet: number): void {
    const rates: [number, number][] = [];
    for (let index = 1; index < this.samples.length; index++) {
      const [before, now] = [this.samples[index - 1], this.samples[index]];
      if (!before || !now) continue;
      const seconds = Math.max(0.02, (now.time - before.time) / 1000);
      rates.push([Math.max(0, now.main - before.main) / seconds, Math.max(0, now.quiet - before.quiet) / seconds]);
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
        s('path', { class: 'main-nodes', d: area(([one]) => one, () => 0) }),
        s('path', { class: 'quiet-nodes', d: area(([one, two]) => one + two, ([one]) => one) }),
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

  private showStages(hood: Hood): void {
    const stages = hood.cutoffs_by_stage;
    const total = Math.max(1, sum(stages));
    const rows = STAGES.map(([key, label]) => ({ label, value: stages[key] ?? 0, note: percent((stages[key] ?? 0) / total) }));
    replace(this.stages, bars(rows));
  }

  private showPruning(hood: Hood): void {
    const nodes = hood.pruning_of_nodes;
    const moves = hood.pruning_of_moves;
    const rules: Row[] = NODE_RULES.map(([key, label]) => ({ label, value: nodes[`${key}_cut`] ?? 0, of: nodes[`${key}_tried`] ?? 0 }));
    rules.push({ label: 'ProbCut by the table', value: nodes['probcut_by_the_table'] ?? 0 });
    const left: Row[] = Object.entries(moves).map(([key, value]) => ({ label: key.replaceAll('_', ' '), value }));
    replace(this.pruning, bars([...rules, ...left]));
  }

  /** Nodes of each iteration on a logarithmic scale. */
  private showDepths(hood: Hood): void {
    const iterations = hood.iterations.slice(-40);
    const top = Math.log(Math.max(10, ...iterations.map((one) => one.nodes)));
    const width = WIDTH / Math.max(16, iterations.length);
    this.depths.replaceChildren(
      ...iterations.map((one, index) => {
        const height = (HEIGHT * Math.log(Math.max(1, one.nodes))) / top;
        const factor = one.branching ? `, ${one.branching.toFixed(2)} times the one before` : '';
        const bar = s('rect', { x: (index * width + 1).toFixed(1), y: (HEIGHT - height).toFixed(1), width: (width - 2).toFixed(1), height: height.toFixed(1), rx: 1.5 });
        bar.append(s('title', {}, `depth ${one.depth}: ${thousands(one.nodes)} nodes${factor}`));
        return bar;
      }),
    );
    const last = iterations.at(-1);
    const recent = iterations.slice(-6).filter((one) => one.branching).map((one) => Math.log(one.branching ?? 1));
    const mean = recent.length ? Math.exp(recent.reduce((total, one) => total + one, 0) / recent.length) : 0;
    this.depthKey.textContent = last ? `depth ${last.depth} · branching factor ${mean.toFixed(2)} over the last ${recent.length}` : '';
  }

  private showPlan(hood: Hood): void {
    const { soft_ms: soft, wanted_ms: wanted, hard_ms: hard } = hood.clock;
    if (hard === null) {
      replace(this.plan, h('p', { class: 'key' }, 'No clock: the search goes on until it is stopped.'));
      return;
    }
    const mark = (name: string, ms: number | null) => {
      if (ms === null) return null;
      const line = h('span', { class: `mark ${name}`, title: `${name} ${(ms / 1000).toFixed(2)} s` });
      line.style.left = `${Math.min(100, (100 * ms) / hard)}%`;
      return line;
    };
    const spent = h('i', { class: 'done' });
    spent.style.width = `${Math.min(100, (100 * hood.time_ms) / hard)}%`;
    const seconds = (ms: number | null) => (ms === null ? '–' : `${(ms / 1000).toFixed(1)} s`);
    const why = hood.stop ? ` · ended: ${hood.stop.replaceAll('_', ' ')}` : '';
    replace(
      this.plan,
      h('div', { class: 'bar' }, spent, mark('soft', soft), mark('wanted', wanted)),
      h('p', { class: 'key' }, `${seconds(hood.time_ms)} spent · usual ${seconds(soft)} · wanted ${seconds(wanted)} · most ${seconds(hard)}${why}`),
    );
  }
}
