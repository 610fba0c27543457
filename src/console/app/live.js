import { signal } from '@preact/signals-core';
import { createParser } from 'eventsource-parser';
import { ApiError } from './api.js';

/** @import { Api } from './api.js' */
/** @import { Signal } from '@preact/signals-core' */

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
/** tilld sends at least a heartbeat every 15 s. */
const SILENCE_MS = 40_000;
/** Browsers open six connections to one address: a hidden tab closes its own. */
const HIDDEN_MS = 60_000;

/**
 * @typedef {object} Listener
 * @property {() => Promise<void>} opened reads the whole state again; events wait until it is done
 * @property {(type: string, data: any) => void} event
 */

/**
 * The event stream of one page: reconnects without limit and resumes after the last event.
 *
 * INVARIANTS:
 * - every stored event is delivered once, in order, or the state is read again;
 * - `state` is `live` only while the stream is open and missed events have been read.
 */
export class Live {
  /** @type {Signal<'connecting' | 'live' | 'lost'>} */
  state = signal('connecting');
  /** When the connection was lost, epoch ms; null while it is open. @type {Signal<number | null>} */
  lostAt = signal(null);
  #api;
  #listener;
  /** @type {string | null} */
  #lastId = null;
  /** @type {AbortController | null} */
  #running = null;
  /** @type {(() => void) | null} */
  #wake = null;
  #pause = FIRST_PAUSE_MS;

  /**
   * @param {Api} api
   * @param {Listener} listener
   */
  constructor(api, listener) {
    this.#api = api;
    this.#listener = listener;
  }

  start() {
    if (this.#running) return;
    this.#running = new AbortController();
    void this.#run(this.#running.signal);
  }

  stop() {
    this.#running?.abort();
    this.#running = null;
    this.#wake?.();
  }

  /** Reconnects now instead of at the end of the pause. */
  retry() {
    this.#pause = FIRST_PAUSE_MS;
    this.#wake?.();
  }

  /**
   * Follows the browser's events: online again, visible again, hidden for a while.
   * @param {Document} document
   */
  follow(document) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let hiding;
    document.defaultView?.addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => {
      clearTimeout(hiding);
      if (document.visibilityState === 'hidden') hiding = setTimeout(() => this.stop(), HIDDEN_MS);
      else if (this.#running) this.retry();
      else this.start();
    });
  }

  /** @param {AbortSignal} signal */
  async #run(signal) {
    while (!signal.aborted) {
      try {
        await this.#read(signal);
      } catch (error) {
        if (!(error instanceof ApiError)) console.warn('event stream', error);
        else if (error.status === 400) this.#lastId = null;
        else if (error.status === 401) return;
      }
      if (signal.aborted) return;
      if (this.state.value !== 'lost') this.lostAt.value = Date.now();
      this.state.value = 'lost';
      await this.#rest();
    }
  }

  /** @param {AbortSignal} outer */
  async #read(outer) {
    const silence = new AbortController();
    const signal = AbortSignal.any([outer, silence.signal]);
    let watch = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      /** @type {Record<string, string>} */
      const headers = this.#lastId === null ? {} : { 'last-event-id': this.#lastId };
      const response = await this.#api.open('/v2/events/stream', headers, signal);
      const events = new Backlog((event) => this.#heard(event));
      const parser = createParser({ onEvent: (event) => events.add(event) });
      const opened = this.#listener.opened().then(() => {
        events.release();
        this.#pause = FIRST_PAUSE_MS;
        this.lostAt.value = null;
        this.state.value = 'live';
      });
      opened.catch(() => silence.abort());
      for await (const text of textOf(response)) {
        clearTimeout(watch);
        watch = setTimeout(() => silence.abort(), SILENCE_MS);
        parser.feed(text);
      }
      await opened;
    } finally {
      clearTimeout(watch);
    }
  }

  /** @param {import('eventsource-parser').EventSourceMessage} message */
  #heard({ id, event = 'message', data }) {
    this.#listener.event(event, JSON.parse(data));
    if (id !== undefined && id !== '') this.#lastId = id;
  }

  /** The pause grows each time, and is random, so that the pages of a shop do not reconnect together. */
  async #rest() {
    const pause = this.#pause * (0.75 + Math.random() / 2);
    this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
    await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), pause);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
    this.#wake = null;
  }
}

/** Events that wait while the state is read: the state must not be older than what is shown. */
class Backlog {
  /** @type {import('eventsource-parser').EventSourceMessage[] | null} */
  #waiting = [];
  #give;

  /** @param {(event: import('eventsource-parser').EventSourceMessage) => void} give */
  constructor(give) {
    this.#give = give;
  }

  /** @param {import('eventsource-parser').EventSourceMessage} event */
  add(event) {
    if (this.#waiting) this.#waiting.push(event);
    else this.#give(event);
  }

  release() {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const event of waiting) this.#give(event);
  }
}

/** @param {Response} response */
async function* textOf(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch {
    // A broken connection is the same as an end.
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
