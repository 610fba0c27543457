import { AppError } from '../../base/errors.ts';
import type { PaymentEvent } from '../../payment/payments.ts';
import type { StreamReply } from '../reply/reply.ts';
import { EventStream, messageOfEvent, type StreamDeps, type StreamLimits } from './event-stream.ts';
import type { Sink } from './sink.ts';

/** Number of keys that get streams even when each uses its maximum. */
const KEYS_WITH_A_SHARE = 4;
const SOCKET = 'socket';

/** The reader. `stillAllowed` is checked again while the stream is open. */
export interface StreamCaller {
  readonly id: string;
  readonly stillAllowed: () => boolean;
}

/** Every open stream of this process: counted, and ended together. */
export class EventStreams {
  readonly #deps: StreamDeps;
  readonly #limits: StreamLimits;
  readonly #max: number;
  /** The caller of each open stream. */
  readonly #open = new Map<EventStream, string>();
  /** The text of an event is rendered once for all readers. */
  readonly #texts = new WeakMap<PaymentEvent, string>();

  constructor(deps: StreamDeps, limits: StreamLimits, max: number) {
    this.#deps = deps;
    this.#limits = limits;
    this.#max = max;
  }

  /**
   * The response that streams what happens after the event `after`, or from now on.
   * A key gets a quarter of the streams: a till that leaks its streams, or a stolen key, leaves some to the others. The unix socket has as many
   * again of its own.
   * @throws CURSOR_UNKNOWN when there is no such event.
   * @throws STREAMS_EXHAUSTED when too many are open.
   */
  reply(after: string | null, caller: StreamCaller): StreamReply {
    if (after !== null) this.#deps.payments.events({ startingAfter: after, limit: 1 });
    this.#requirePlace(caller.id);
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
    return { headers, open: (sink) => this.#start(sink, after, caller) };
  }

  /** Ends the streams of readers that may no longer read; called when a key has ended, so that no stream waits for its next heartbeat. */
  endRefused(): void {
    for (const stream of [...this.#open.keys()]) stream.endIfRefused();
  }

  stop(): void {
    for (const stream of [...this.#open.keys()]) stream.stop();
    this.#open.clear();
  }

  #textOf(event: PaymentEvent): string {
    const known = this.#texts.get(event) ?? messageOfEvent(event, this.#deps.devices);
    this.#texts.set(event, known);
    return known;
  }

  #requirePlace(caller: string): void {
    const open = [...this.#open.values()];
    const own = open.filter((id) => id === caller).length;
    const ofKeys = open.filter((id) => id !== SOCKET).length;
    const share = Math.max(1, Math.floor(this.#max / KEYS_WITH_A_SHARE));
    if (caller === SOCKET ? own < this.#max : own < share && ofKeys < this.#max) return;
    throw new AppError(
      'STREAMS_EXHAUSTED',
      `There are ${own} of your event streams open, ${open.length} in all`,
      {
        retry: 'safe',
      },
    );
  }

  #start(sink: Sink, after: string | null, { id, stillAllowed }: StreamCaller): () => void {
    const stream = new EventStream(
      this.#deps,
      this.#watched(sink, () => this.#open.delete(stream)),
      {
        after,
        limits: this.#limits,
        stillAllowed,
        textOf: (event) => this.#textOf(event),
      },
    );
    this.#open.set(stream, id);
    stream.start();
    return () => stream.stop();
  }

  /** The same sink, which also reports its end. */
  #watched(sink: Sink, over: () => void): Sink {
    return {
      write: (text) => sink.write(text),
      get buffered() {
        return sink.buffered;
      },
      onDrain: (listener) => sink.onDrain(listener),
      onClose: (listener) =>
        sink.onClose(() => {
          over();
          listener();
        }),
      end: () => {
        over();
        sink.end();
      },
      cut: () => {
        over();
        sink.cut();
      },
    };
  }
}
