// Sounds of moves, made on the spot: a short knock, brighter for a capture, with a tone for a check.

import type { App } from './app';
import { here } from './state';

export class Sounds {
  private context: AudioContext | null = null;

  constructor(app: App) {
    app.onMove = () => {
      if (app.state.settings.sound) this.play(here(app.state).san);
    };
  }

  private play(san: string): void {
    this.context ??= new AudioContext();
    const { context } = this;
    const now = context.currentTime;
    const capture = san.includes('x');
    this.knock(now, capture ? 1500 : 900, capture ? 0.5 : 0.35);
    if (/[+#]$/.test(san)) this.tone(now + 0.05, san.endsWith('#') ? 440 : 660);
  }

  /** A burst of noise through a narrow filter. */
  private knock(at: number, frequency: number, volume: number): void {
    const { context } = this;
    if (!context) return;
    const length = Math.floor(context.sampleRate * 0.06);
    const buffer = context.createBuffer(1, length, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let index = 0; index < length; index++) samples[index] = (Math.random() * 2 - 1) * Math.exp((-8 * index) / length);
    const source = new AudioBufferSourceNode(context, { buffer });
    const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency, Q: 2 });
    const gain = new GainNode(context, { gain: volume });
    source.connect(filter).connect(gain).connect(context.destination);
    source.start(at);
  }

  private tone(at: number, frequency: number): void {
    const { context } = this;
    if (!context) return;
    const oscillator = new OscillatorNode(context, { type: 'sine', frequency });
    const gain = new GainNode(context, { gain: 0.08 });
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.25);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + 0.25);
  }
}
