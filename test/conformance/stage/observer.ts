import type { Observer, Outcome, TransactionReport } from '../../../src/terminal/ports.ts';
import type { Happening, ObserverCall } from './happenings.ts';

/** What the core does inside a call: refuse it, throw, or take long over it. */
export interface ObserverHabits {
  readonly refuses?: ObserverCall;
  readonly throwsIn?: ObserverCall;
  /** Called before the call is answered. */
  readonly inside?: (call: ObserverCall) => void;
}

/** Stands for the core: commits what is reported to it, and notes the order of everything. */
export class StageObserver implements Observer {
  readonly reports: TransactionReport[] = [];
  readonly ends: Outcome[] = [];
  readonly texts: string[] = [];
  readonly #happenings: Happening[];
  readonly #habits: ObserverHabits;

  constructor(happenings: Happening[], habits: ObserverHabits = {}) {
    this.#happenings = happenings;
    this.#habits = habits;
  }

  accepted(): boolean {
    return this.#answer('accepted');
  }

  progress(text: string): void {
    this.texts.push(text);
  }

  beforeAcknowledge(report: TransactionReport, end?: Outcome): boolean {
    this.reports.push(report);
    const mayGo = this.#answer('beforeAcknowledge');
    return mayGo && end !== undefined ? this.beforeEnd(end) : mayGo;
  }

  beforeEnd(outcome: Outcome): boolean {
    this.ends.push(outcome);
    return this.#answer('beforeEnd');
  }

  #answer(call: ObserverCall): boolean {
    const { refuses, throwsIn, inside } = this.#habits;
    inside?.(call);
    const answer = refuses !== call;
    this.#happenings.push({ kind: 'observer', call, answer: throwsIn === call ? 'threw' : answer });
    if (throwsIn === call) throw new Error(`the disk failed in ${call}`);
    return answer;
  }
}
