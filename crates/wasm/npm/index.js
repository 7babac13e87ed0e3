// Loads the engine and passes requests and answers between JavaScript and its memory.

/** The bytes of the module, wherever this runs. */
async function read(source) {
  if (source instanceof URL && source.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return readFile(source);
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** Lets everything else that waits have its turn. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export class Halcyon {
  /** Called with every answer. */
  onAnswer = () => {};

  #module;
  #works = false;
  #isInside = false;
  #requests = [];

  /** Loads the engine: from beside this file, or from an address or bytes. */
  static async load(source = new URL('halcyon.wasm', import.meta.url)) {
    const engine = new Halcyon();
    const halcyon = {
      now: () => performance.now(),
      say: (start, length) => engine.onAnswer(JSON.parse(engine.#text(start, length))),
    };
    const { instance } = await WebAssembly.instantiate(await read(source), { halcyon });
    engine.#module = instance.exports;
    return engine;
  }

  #text(start, length) {
    return new TextDecoder().decode(new Uint8Array(this.#module.memory.buffer, start, length));
  }

  /** Lets the engine introduce itself: the first answer is a `hello`. */
  begin() {
    this.#module.begin();
  }

  /** Hands over a request. Its answers come through `onAnswer`, those of a search bit by bit. */
  send(request) {
    this.#requests.push(request);
    this.#deliver();
    void this.#work();
  }

  /** Calls the module. Whoever is answered meanwhile may send requests, but the module is busy. */
  #call(action) {
    this.#isInside = true;
    try {
      return action();
    } finally {
      this.#isInside = false;
    }
  }

  /** Passes on what was sent, unless the module is busy; returns whether there was anything. */
  #deliver() {
    let delivered = false;
    while (!this.#isInside && this.#requests.length > 0) {
      const request = this.#requests.shift();
      this.#call(() => this.#hear(request));
      delivered = true;
    }
    return delivered;
  }

  #hear(request) {
    const words = new TextEncoder().encode(JSON.stringify(request));
    const start = this.#module.room(words.length);
    new Uint8Array(this.#module.memory.buffer, start, words.length).set(words);
    this.#module.hear(start, words.length);
  }

  async #work() {
    if (this.#works) return;
    this.#works = true;
    // A request is heard before the first piece of its search, and between two pieces.
    let more;
    do {
      await pause();
      more = this.#call(() => this.#module.work()) !== 0;
      more = this.#deliver() || more;
    } while (more);
    this.#works = false;
  }

  /** Nodes of the bench: the same as those of every other build of the same version. */
  bench(depth = 12) {
    return this.#module.bench(depth);
  }
}
