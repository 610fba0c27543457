import { Breach } from './breach.ts';
import { exemptionOf, type Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

/** What one row comes to for one driver. */
export type Verdict =
  | { readonly kind: 'green' }
  | { readonly kind: 'red'; readonly words: string }
  /** The protocol's own reason. */
  | { readonly kind: 'exempt'; readonly words: string };

/** Plays one scenario with one subject; never rejects. */
export async function play(scenario: Scenario, subject: Subject): Promise<Verdict> {
  const reason = exemptionOf(scenario, subject);
  if (reason !== null) return { kind: 'exempt', words: reason };
  try {
    await scenario.run(subject);
    return { kind: 'green' };
  } catch (error) {
    return { kind: 'red', words: wordsOf(error) };
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Breach) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
