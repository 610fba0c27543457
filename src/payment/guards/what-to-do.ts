import { answerCommand, answerFromOutsideCommand } from '../../base/next-step.ts';
import type { Attempt } from '../attempt/attempt.ts';

/** What a caller does about an open attempt that blocks its request: `details.what_to_do` of an error response. */
export function whatToDoAbout(other: Attempt): string {
  if (!other.needsPerson) return 'wait for the end of this payment';
  return `answer the question about this payment: ${decisionCommand(other)}`;
}

/** The command that decides an attempt in doubt; an answer about a replaced terminal needs its source. */
export function decisionCommand({ id, reason }: Pick<Attempt, 'id' | 'reason'>): string {
  return reason?.code === 'terminal_replaced' ? answerFromOutsideCommand(id) : answerCommand(id);
}
