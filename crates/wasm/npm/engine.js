// The engine with promises: one call, one result. It runs in a worker where there are workers, and
// otherwise on the caller's thread, in slices.
import { Halcyon } from './index.js';

export { Halcyon };

/** The game of a request: a FEN or nothing, and moves. */
function state({ fen, moves = [] }) {
  return { start: fen === undefined ? 'usual' : { fen }, moves };
}

/** Passes requests to a worker, or to an engine on this thread. */
async function connect(useWorker, receive) {
  if (useWorker) {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    const failed = new Promise((_, reject) => {
      worker.onerror = (event) => reject(new Error(event.message || 'the worker cannot be started'));
    });
    await Promise.race([failed, new Promise((resolve) => (worker.onmessage = resolve))]);
    worker.onmessage = (event) => receive(event.data);
    return { send: (request) => worker.postMessage(request), close: () => worker.terminate() };
  }
  const engine = await Halcyon.load();
  engine.begin();
  engine.onAnswer = receive;
  return { send: (request) => engine.send(request), close: () => {} };
}

export class Engine {
  #connection;
  #last = 0;
  #waiting = new Map();

  /** Starts an engine: in a worker unless there are none, or `worker` is false. */
  static async start({ worker = typeof Worker === 'function' } = {}) {
    const engine = new Engine();
    engine.#connection = await connect(worker, (answer) => engine.#receive(answer));
    return engine;
  }

  #receive(answer) {
    // An error without a number can only be that of the last request.
    const id = answer.type === 'error' ? (answer.id ?? this.#last) : answer.id;
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (answer.type === 'error') {
      this.#waiting.clear();
      waiting.reject(new Error(answer.message));
    } else if (waiting.isLast(answer)) {
      this.#waiting.delete(answer.id);
      waiting.resolve(answer);
    } else {
      waiting.onUpdate?.(answer);
    }
  }

  #ask(request, isLast, onUpdate) {
    // A search replaces the one before it, which then never ends by itself.
    for (const [id, waiting] of this.#waiting) {
      this.#waiting.delete(id);
      waiting.reject(new Error('another search has begun'));
    }
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, isLast, onUpdate });
      this.#connection.send({ ...request, id });
    });
  }

  /** Searches until a limit is reached or `stop` is called. */
  analyse({ lines = 1, statistics = false, threat = false, depth, nodes, time_ms, onUpdate, ...game } = {}) {
    const enough = (search) =>
      search.depth >= (depth ?? Infinity) || search.nodes >= (nodes ?? Infinity) || search.time_ms >= (time_ms ?? Infinity);
    const request = { type: 'analyse', at: state(game), lines, statistics, threat };
    let stopping = false;
    const isLast = ({ state }) => state === 'done' || state === 'stopped';
    return this.#ask(request, isLast, (search) => {
      onUpdate?.(search);
      if (!stopping && enough(search)) {
        stopping = true;
        this.stop();
      }
    });
  }

  /** Chooses a move: by a clock, in a time, or at a strength. None if the game is over. */
  async play({ elo, clock, time_ms, onUpdate, ...game } = {}) {
    const request = { type: 'play_move', at: state(game), statistics: false };
    if (elo !== undefined) request.elo = elo;
    if (clock !== undefined) request.clock = clock;
    if (time_ms !== undefined) request.move_time_ms = time_ms;
    const isLast = ({ type }) => type === 'best';
    return (await this.#ask(request, isLast, onUpdate)).best;
  }

  /** Judges every move of the first game of a PGN. */
  review({ pgn, nodes = 20_000, explain = false, peers = false, onUpdate }) {
    return this.#ask({ type: 'review', pgn, nodes, explain, peers }, ({ type }) => type === 'reviewed', onUpdate);
  }

  /** Says why a legal move is bad, or that it is not. */
  async explain({ move, nodes = 20_000, ...game }) {
    const request = { type: 'explain', at: state(game), mv: move, nodes };
    return (await this.#ask(request, ({ type }) => type === 'explained')).lesson;
  }

  /** What the rules say of a position: legal moves, check, the end of the game, the opening. */
  position(game = {}) {
    return this.#ask({ type: 'position', at: state(game) }, ({ type }) => type === 'position');
  }

  /** Ends the search that is under way; its promise then has what was found. */
  stop() {
    this.#connection.send({ type: 'stop', id: this.#last });
  }

  /** Ends the engine. */
  close() {
    this.#connection.close();
    for (const { reject } of this.#waiting.values()) reject(new Error('the engine was closed'));
    this.#waiting.clear();
  }
}
