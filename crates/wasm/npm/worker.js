// The engine in a worker: requests come in as messages, answers go out as messages.
import { Halcyon } from './index.js';

const early = [];
self.onmessage = (event) => early.push(event.data);
const engine = await Halcyon.load();
engine.onAnswer = (answer) => self.postMessage(answer);
self.onmessage = (event) => engine.send(event.data);
engine.begin();
for (const request of early) engine.send(request);
