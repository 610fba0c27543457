import { AppError } from '../../base/errors.ts';
import type { StreamReply } from '../reply/reply.ts';
import { EventStream, type StreamLimits, type StreamPorts } from './event-stream.ts';
import type { Sink } from './sink.ts';

/** Every open stream of this process: counted, and ended together. */
export class EventStreams {
  readonly #ports: StreamPorts;
  readonly #limits: StreamLimits;
  readonly #max: number;
  readonly #open = new Set<EventStream>();

  constructor(ports: StreamPorts, limits: StreamLimits, max: number) {
    this.#ports = ports;
    this.#limits = limits;
    this.#max = max;
  }

  /**
   * The answer that streams what happens after the event `after`, or from now on.
   * @throws CURSOR_UNKNOWN when there is no such event.
   * @throws STREAMS_EXHAUSTED when too many are open.
   */
  reply(after: string | null, stillAllowed: () => boolean): StreamReply {
    if (after !== null) this.#ports.payments.events({ startingAfter: after, limit: 1 });
    if (this.#open.size >= this.#max) {
      throw new AppError('STREAMS_EXHAUSTED', `There are ${this.#max} open event streams already`, {
        retry: 'safe',
      });
    }
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
    return { kind: 'stream', status: 200, headers, open: (sink) => this.#start(sink, after, stillAllowed) };
  }

  /** Ends the streams of those who may no longer read; called when a key has ended, so that no stream waits for its next heartbeat. */
  endRefused(): void {
    for (const stream of [...this.#open]) stream.endIfRefused();
  }

  stop(): void {
    for (const stream of [...this.#open]) stream.stop();
    this.#open.clear();
  }

  #start(sink: Sink, after: string | null, stillAllowed: () => boolean): () => void {
    const stream = new EventStream(
      this.#ports,
      this.#watched(sink, () => this.#open.delete(stream)),
      {
        after,
        limits: this.#limits,
        stillAllowed,
      },
    );
    this.#open.add(stream);
    stream.start();
    return () => stream.stop();
  }

  /** The same sink, telling us too when it is over. */
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
