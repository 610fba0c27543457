import { invariant } from '../../base/invariant.ts';
import type { Added, NextClose, SpoiltEnd } from '../controllable-terminal.ts';
import { cardById, type VirtualCard } from './cards.ts';

/** What the next sale is approved for. */
export interface NextAmount extends Added {
  readonly amountMinor: number;
}

interface BadEnd {
  readonly how: SpoiltEnd;
  readonly code: number;
}

const PROCESSING_ERROR = 0x66;

/** Settings for the next dialogue of a virtual terminal; each is used once. */
export class FaultInjection {
  #amount: NextAmount | undefined;
  #badEnd: BadEnd | undefined;
  #close: NextClose | undefined;
  #cardId: string | undefined;

  orderAmount(amountMinor: number, added: Added): void {
    invariant(Number.isSafeInteger(amountMinor) && amountMinor > 0, 'an amount is more than nothing', {
      amountMinor,
    });
    this.#amount = { amountMinor, ...added };
  }

  orderBadEnd(how: SpoiltEnd, code = PROCESSING_ERROR): void {
    this.#badEnd = { how, code };
  }

  orderClose(how: NextClose): void {
    this.#close = how;
  }

  orderCard(id: string): void {
    invariant(cardById(id), 'no such card', { id });
    this.#cardId = id;
  }

  /** The card selected for the next customer, if any. */
  takeCard(): VirtualCard | null {
    const id = this.#cardId;
    this.#cardId = undefined;
    return id === undefined ? null : cardById(id);
  }

  takeAmount(): NextAmount | undefined {
    const amount = this.#amount;
    this.#amount = undefined;
    return amount;
  }

  /** The code of a bad end that the till receives instead of the approval. */
  takeUnreported(): number | undefined {
    return this.#badEnd?.how === 'untold' ? this.takeBadEnd()?.code : undefined;
  }

  takeBadEnd(): BadEnd | undefined {
    const end = this.#badEnd;
    this.#badEnd = undefined;
    return end;
  }

  takeClose(): NextClose | undefined {
    const close = this.#close;
    this.#close = undefined;
    return close;
  }
}
