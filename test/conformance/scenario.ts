import type { Subject } from './subject.ts';

/** One row of the matrix: a promise that every driver keeps against its virtual terminal. */
export interface Scenario {
  /** `noise/sale`: unique, stable. */
  readonly id: string;
  readonly theme: string;
  /** A sentence that states the promise. */
  readonly title: string;
  /** Why it is not for this protocol; null: it is. Derived from what the subject declares. */
  readonly notFor?: (subject: Subject) => string | null;
  /** @throws Breach, or anything else, when the promise is broken. */
  readonly run: (subject: Subject) => Promise<void>;
}

/** Why this scenario is not for this subject: what the scenario derives, or the subject's own sentence. */
export function exemptionOf(scenario: Scenario, subject: Subject): string | null {
  return scenario.notFor?.(subject) ?? subject.exemptions[scenario.id] ?? null;
}
