import type { Clock } from '../../../src/base/clock.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import type { TerminalLine } from '../sample/virtual-firmware.ts';

const END = '\r\n';
/** Longest wait for the till's `A`. */
const ACKNOWLEDGED_WITHIN_MS = 6000;
const LONGEST_TEXT = 200;

/** The terminal's side of the line. It does not share the driver's framing, because shared code would hide the same error on both sides. */
export class VirtualLine implements TerminalLine {
  readonly wire: Wire;
  readonly #clock: Clock;
  #acknowledged: (() => void) | undefined;

  constructor(wire: Wire, clock: Clock) {
    this.wire = wire;
    this.#clock = clock;
  }

  /** The texts that the till sends, each answered with `A`; what is no text is passed over. */
  async *texts(): AsyncGenerator<string> {
    let buffered = '';
    for await (const chunk of this.wire.bytes()) {
      buffered += String.fromCharCode(...chunk);
      const lines = buffered.split(END);
      buffered = (lines.pop() ?? '').slice(-LONGEST_TEXT);
      for (const line of lines) {
        if (line === 'A') this.#acknowledged?.();
        else if (/^[\x20-\x7e]+$/.test(line)) {
          this.#write('A');
          yield line;
        }
      }
    }
  }

  async send(text: string, power: AbortSignal): Promise<boolean> {
    power.throwIfAborted();
    if (this.wire.ended.aborted) return false;
    const isAcknowledged = this.#acknowledgement(power);
    this.#write(text);
    const isHeard = await isAcknowledged;
    power.throwIfAborted();
    return isHeard;
  }

  #write(text: string): void {
    this.wire.frame(Uint8Array.from(`${text}${END}`, (character) => character.charCodeAt(0)));
  }

  #acknowledgement(power: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const ends = [power, this.wire.ended];
    const onEnd = () => resolve(false);
    const timer = this.#clock.timer('sandbox acknowledgement', ACKNOWLEDGED_WITHIN_MS, onEnd);
    this.#acknowledged = () => resolve(true);
    for (const end of ends) end.addEventListener('abort', onEnd, { once: true });
    return promise.finally(() => {
      timer.stop();
      this.#acknowledged = undefined;
      for (const end of ends) end.removeEventListener('abort', onEnd);
    });
  }
}
