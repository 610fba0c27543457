import type { IdentityGrade, TerminalIdentity } from './ports.ts';

const STRENGTH = { port: 0, tid: 1, serial: 2 } as const satisfies Record<IdentityGrade, number>;

/**
 * Whether who answers is the terminal that is known, by the strongest fact that is known of it; one that tells less than that
 * is taken for another. Terminals of which only the port is known cannot be told apart.
 */
export function isSameTerminal(known: TerminalIdentity, seen: TerminalIdentity): boolean {
  if (known.serial !== undefined) return known.serial === seen.serial;
  if (known.terminalId !== undefined) return known.terminalId === seen.terminalId;
  return true;
}

/**
 * Who it is that answers: the one that is known, where the terminal cannot name itself before its next transaction and is at the one
 * place where ours is. What it then says of its transactions names it.
 */
export function recognised(
  known: TerminalIdentity | null,
  seen: TerminalIdentity,
  isItsPlace: boolean,
): TerminalIdentity {
  return seen.untold && known !== null && isItsPlace ? known : seen;
}

/** Whether `seen` tells a terminal from others better than `known` does. */
export function isStronger(seen: TerminalIdentity, known: TerminalIdentity): boolean {
  return STRENGTH[seen.grade] > STRENGTH[known.grade];
}

/** A terminal's name for people. */
export function nameOf(identity: TerminalIdentity): string {
  const model = identity.model ?? 'terminal';
  if (identity.serial !== undefined) return `${model} ${identity.serial}`;
  return identity.terminalId === undefined ? model : `${model} with terminal id ${identity.terminalId}`;
}
