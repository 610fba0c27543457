import type { Clock, Timer } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { PaymentEvent, Payments, ProgressNote } from '../../payment/payments.ts';
import type { Devices } from '../../terminal/device.ts';
import { renderEvent, renderProgress } from '../render/event.ts';
import type { Sink } from './sink.ts';

export interface StreamLimits {
  /** Interval of the comment that detects a dead peer. */
  readonly heartbeatMs: number;
  /** Bytes in memory for one peer; above it no further event is read for it. */
  readonly maxBufferedBytes: number;
  /** A peer that reads nothing for this long is disconnected; it resumes with Last-Event-ID. */
  readonly stallMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  maxBufferedBytes: 64 * 1024,
  stallMs: 20_000,
};

const PAGE = 50;

export interface StreamDeps {
  readonly payments: Payments;
  readonly devices: Devices;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * One reader of the event stream.
 * Why it reads pages of the store even when live: a commit only wakes it, so there is one order, and replay and live meet without gap or
 * duplicate. Readers at the same position share the page and the text of each event.
 *
 * INVARIANTS:
 * - every stored event after the cursor is sent once, in the store's order;
 * - nothing is written for a reader whose key has ended since;
 * - at most `maxBufferedBytes` plus one message wait in memory; progress notes are dropped before that grows.
 */
export class EventStream {
  readonly #deps: StreamDeps;
  readonly #sink: Sink;
  readonly #limits: StreamLimits;
  readonly #stillAllowed: () => boolean;
  readonly #textOf: (event: PaymentEvent) => string;
  #cursor: string | null;
  #unsubscribe: () => void = () => undefined;
  #heartbeat: Timer | undefined;
  #stall: Timer | undefined;
  #stopped = false;

  constructor(
    deps: StreamDeps,
    sink: Sink,
    options: {
      readonly after: string | null;
      readonly limits: StreamLimits;
      readonly stillAllowed: () => boolean;
      /** The message of an event, as {@link messageOfEvent} renders it. */
      readonly textOf: (event: PaymentEvent) => string;
    },
  ) {
    this.#deps = deps;
    this.#sink = sink;
    this.#limits = options.limits;
    this.#stillAllowed = options.stillAllowed;
    this.#textOf = options.textOf;
    this.#cursor = options.after;
  }

  start(): void {
    this.#sink.onClose(() => this.stop());
    this.#sink.onDrain(() => this.#guarded(() => this.#drained()));
    this.#unsubscribe = this.#deps.payments.subscribe({
      event: (event) => this.#guarded(() => this.#onEvent(event)),
      progress: (note) => this.#guarded(() => this.#progress(note)),
    });
    this.#write('retry: 2000\n\n');
    this.#beat();
    this.#guarded(() => this.#pump());
  }

  /** Ends the stream if its reader may no longer read. */
  endIfRefused(): void {
    this.#guarded(() => undefined);
  }

  /** Ends the stream; idempotent. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#unsubscribe();
    this.#heartbeat?.stop();
    this.#stall?.stop();
    this.#sink.end();
  }

  #onEvent(event: PaymentEvent): void {
    if (this.#cursor === null) this.#send(event);
    this.#pump();
  }

  /** Sends stored events after the cursor until the peer's buffer is full; the drain event continues from there. */
  #pump(): void {
    while (!this.#stopped && this.#cursor !== null) {
      const page = this.#deps.payments.events({ startingAfter: this.#cursor, limit: PAGE });
      for (const event of page.items) {
        if (this.#isFull()) return;
        this.#send(event);
      }
      if (!page.hasMore) return;
    }
  }

  #send(event: PaymentEvent): void {
    this.#cursor = event.id;
    this.#write(this.#textOf(event));
  }

  #progress(note: ProgressNote): void {
    if (this.#isFull()) return;
    this.#write(`event: terminal_payment.progress\ndata: ${JSON.stringify(renderProgress(note))}\n\n`);
  }

  #beat(): void {
    this.#heartbeat = this.#deps.clock.timer('event stream heartbeat', this.#limits.heartbeatMs, () => {
      this.#guarded(() => {
        if (!this.#isFull()) this.#write(': heartbeat\n\n');
        this.#beat();
      });
    });
  }

  #write(text: string): void {
    if (this.#stopped) return;
    this.#sink.write(text);
    if (this.#sink.buffered === 0 || this.#stall) return;
    this.#stall = this.#deps.clock.timer('event stream stall', this.#limits.stallMs, () =>
      this.#cut('peer takes nothing'),
    );
  }

  #drained(): void {
    this.#stall?.stop();
    this.#stall = undefined;
    this.#pump();
  }

  #isFull(): boolean {
    return this.#sink.buffered >= this.#limits.maxBufferedBytes;
  }

  /** An error of one reader must not reach the writer of payments. Nothing is written to a reader that may no longer read. */
  #guarded(work: () => void): void {
    if (this.#stopped) return;
    try {
      if (this.#stillAllowed()) work();
      else this.stop();
    } catch (error) {
      this.#cut(messageOf(error));
    }
  }

  #cut(reason: string): void {
    this.#deps.log.warn({ reason }, 'event stream cut');
    this.#sink.cut();
    this.stop();
  }
}

/** An event as one message of the stream. */
export function messageOfEvent(event: PaymentEvent, devices: Devices): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(renderEvent(event, devices))}\n\n`;
}
