import { isSameTerminal, whichOf } from '../../terminal/identity.ts';
import type { TerminalIdentity } from '../../terminal/ports.ts';
import type { Attempt } from '../attempt/attempt.ts';

/**
 * Whether an attempt's command went to this terminal: the only one whose memory is evidence for it. Where only the port identifies a terminal,
 * the same port is the same terminal until a person has said otherwise (`replaced`).
 * @param here the terminal that answers on the device; null: not known yet
 */
export function wentTo(attempt: Attempt, here: TerminalIdentity | null, deviceId: string): boolean {
  const { baseline } = attempt;
  const isItsDevice = attempt.deviceId === deviceId;
  if (baseline === null || here === null) return isItsDevice;
  if (baseline.terminal.grade === 'port') return isItsDevice && baseline.replaced !== true;
  return isSameTerminal(baseline.terminal, here);
}

/** Why an attempt whose terminal no longer serves its device is with a person. */
export function terminalReplaced({ baseline }: Pick<Attempt, 'baseline'>): string {
  const which = baseline ? whichOf(baseline.terminal) : '';
  return `The terminal${which} that took this payment was replaced before it reported how the payment ended.`;
}
