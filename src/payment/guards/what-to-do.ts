import { answerCommand, answerFromOutsideCommand } from '../../base/next-step.ts';
import { type Attempt, isTerminalGone } from '../attempt/attempt.ts';

/** What a caller does about an open attempt that blocks its request: `details.what_to_do` of an error response. */
export function whatToDoAbout(other: Attempt): string {
  if (!other.needsPerson) return 'wait for the end of this payment';
  return `answer the question about this payment: ${decisionCommand(other)}`;
}

/** The command that decides an attempt in doubt; an answer that no terminal can confirm needs its source. */
export function decisionCommand(attempt: Pick<Attempt, 'id' | 'reason'>): string {
  const { id } = attempt;
  return isTerminalGone(attempt) ? answerFromOutsideCommand(id) : answerCommand(id);
}
