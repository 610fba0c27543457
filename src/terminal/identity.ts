import type { TerminalIdentity } from './ports.ts';

/**
 * Whether two identities are the same terminal, by the strongest fact that both know.
 * Two terminals that only know their port are taken for the same: nothing tells them apart.
 */
export function isSameTerminal(a: TerminalIdentity, b: TerminalIdentity): boolean {
  if (a.serial !== undefined && b.serial !== undefined) return a.serial === b.serial;
  if (a.terminalId !== undefined && b.terminalId !== undefined) return a.terminalId === b.terminalId;
  return a.grade === 'port' || b.grade === 'port';
}

/** A terminal's name for people. */
export function nameOf(identity: TerminalIdentity): string {
  const model = identity.model ?? 'terminal';
  if (identity.serial !== undefined) return `${model} ${identity.serial}`;
  return identity.terminalId === undefined ? model : `${model} with terminal id ${identity.terminalId}`;
}
