import { hasCode, type Outcome, type Readiness } from '../../../src/driver-kit/terminal.ts';
import { LOAD_KEYS } from './commands.ts';
import type { Conversation } from './conversation.ts';
import { KEYS_TO_LOAD, resultWords, verdictOf } from './result-codes.ts';

/** How long staff see a key error before the terminal counts as ready again. */
const SHOWN_MS = 60_000;

/**
 * Loads the keys of the terminal when it has requested it, once for each request.
 * Why automatically: it moves no money, prints no receipt and closes no batch, and until it is done every sale is
 * refused (26). Why once: it contacts the host, and a terminal whose keys do not load needs its acquirer.
 */
export class Keys {
  readonly #conversation: Conversation;
  readonly #mayLoad: boolean;
  readonly #loadMs: number;
  #areMissing = false;
  #shownUntil = 0;

  constructor(conversation: Conversation, { load_keys: mayLoad, close_ms: loadMs }: KeySettings) {
    this.#conversation = conversation;
    this.#mayLoad = mayLoad;
    this.#loadMs = loadMs;
  }

  /** Evaluates the outcome of a payment. */
  heed(outcome: Outcome): void {
    if (outcome.kind === 'declined' && outcome.report.responseCode === KEYS_TO_LOAD) this.#areMissing = true;
  }

  /** The readiness that the keys allow; null: no objection. @throws the errors of a question */
  async readiness(signal: AbortSignal): Promise<Readiness | null> {
    if (this.#areMissing) {
      this.#areMissing = false;
      const isLoaded = this.#mayLoad && (await this.#load(signal));
      this.#shownUntil = isLoaded ? 0 : this.#now + SHOWN_MS;
    }
    return this.#now < this.#shownUntil ? BY_HAND : null;
  }

  get #now(): number {
    return this.#conversation.context.clock.monotonic();
  }

  async #load(signal: AbortSignal): Promise<boolean> {
    const conversation = this.#conversation;
    try {
      await conversation.ask(LOAD_KEYS, signal);
      while (true) {
        const heard = await conversation.next({ name: 'keys', ms: this.#loadMs }, signal);
        if (heard.answer.kind !== 'keys') continue;
        await conversation.answer(heard);
        const { code } = heard.answer;
        conversation.context.log.info({ code, words: resultWords(code) }, 'keys of the terminal loaded');
        return verdictOf(code) === 'approved';
      }
    } catch (error) {
      if (hasCode(error, 'TERMINAL_NO_ANSWER')) return false;
      throw error;
    }
  }
}

interface KeySettings {
  readonly load_keys: boolean;
  readonly close_ms: number;
}

const BY_HAND: Readiness = {
  kind: 'person',
  code: 'TERMINAL_KEYS',
  message:
    'The terminal must load its keys: load them in its menu (carga de llaves), then try again. The customer was not charged.',
};
