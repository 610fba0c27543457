import { AppError } from '../base/errors.ts';
import type { IdentityGrade, TerminalIdentity } from './ports.ts';

const STRENGTH = { port: 0, tid: 1, serial: 2 } as const satisfies Record<IdentityGrade, number>;

/**
 * Whether the answering terminal is the known one, by the strongest fact that is known of it. A terminal that reports less than that counts as
 * another one. Terminals of which only the port is known cannot be distinguished.
 */
export function isSameTerminal(known: TerminalIdentity, seen: TerminalIdentity): boolean {
  if (known.serial !== undefined) return known.serial === seen.serial;
  if (known.terminalId !== undefined) return known.terminalId === seen.terminalId;
  return true;
}

/**
 * The identity of the answering terminal: the known one, where the terminal cannot name itself before its next transaction and answers at the
 * only port of ours. Its next transaction report names it.
 */
export function recognised(
  known: TerminalIdentity | null,
  seen: TerminalIdentity,
  isItsPlace: boolean,
): TerminalIdentity {
  return seen.untold && known !== null && isItsPlace ? known : seen;
}

/** Whether `seen` distinguishes terminals better than `known` does. */
export function isStronger(seen: TerminalIdentity, known: TerminalIdentity): boolean {
  return STRENGTH[seen.grade] > STRENGTH[known.grade];
}

/** What a terminal told of itself that answers in the place of the known one. */
export type AnsweringTerminal = Pick<TerminalIdentity, 'serial' | 'terminalId'>;

/** The context of WRONG_TERMINAL: which terminal answered. */
export function answeringContext({
  serial,
  terminalId,
}: TerminalIdentity): Readonly<Record<string, unknown>> {
  return { serial, terminalId };
}

/** Which terminal answered, by the context of WRONG_TERMINAL. */
export function answeringIn(error: unknown): AnsweringTerminal {
  const { serial, terminalId } = error instanceof AppError ? error.context : {};
  return {
    ...(typeof serial === 'string' ? { serial } : {}),
    ...(typeof terminalId === 'string' ? { terminalId } : {}),
  };
}

/** What distinguishes a terminal for people who know its place: ` 17F00001`, with a space before it; empty where it told nothing. */
export function whichOf({ serial, terminalId }: TerminalIdentity): string {
  if (serial !== undefined) return ` ${serial}`;
  return terminalId === undefined ? '' : ` with terminal id ${terminalId}`;
}

/** A terminal's name for people. */
export function nameOf(identity: TerminalIdentity): string {
  const model = identity.model ?? 'terminal';
  if (identity.serial !== undefined) return `${model} ${identity.serial}`;
  return identity.terminalId === undefined ? model : `${model} with terminal id ${identity.terminalId}`;
}
