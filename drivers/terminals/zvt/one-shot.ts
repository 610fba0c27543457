import { AppError } from '../../../src/driver-kit/terminal.ts';
import type { Conversation } from './conversation.ts';

/** Errors of a channel that prove that the terminal took no frame of ours. */
const NEVER_TAKEN: ReadonlySet<string> = new Set(['LINK_CLOSED', 'TERMINAL_NOT_HEARD']);

/**
 * A command that is sent once.
 * Why: an error has another meaning before, during and after the sending of the command.
 */
export class OneShot {
  readonly #conversation: Conversation;
  readonly #command: Uint8Array;
  #stage: 'not_handed' | 'handing' | 'sent' = 'not_handed';

  constructor(conversation: Conversation, command: Uint8Array) {
    this.#conversation = conversation;
    this.#command = command;
  }

  async send(signal: AbortSignal): Promise<void> {
    const handed = () => {
      this.#stage = 'handing';
    };
    await this.#conversation.sendOnce(this.#command, handed, signal);
    this.#stage = 'sent';
  }

  /** True when `error` proves that nothing began: no byte was sent, or each frame was refused as damaged. */
  neverTaken(error: unknown): boolean {
    if (this.#stage !== 'handing') return this.#stage === 'not_handed';
    return error instanceof AppError && NEVER_TAKEN.has(error.code);
  }
}
