import { guardText } from '../../base/text-guard.ts';
import type { Reprint } from '../../terminal/ports.ts';
import type { TerminalReprint } from '../contract/terminal-reprint.ts';

/** A repeated receipt as the API shows it. */
export function renderReprint(deviceId: string, copy: Reprint): TerminalReprint {
  return {
    object: 'terminal_reprint',
    device_id: deviceId,
    result: copy.kind,
    text: copy.kind === 'received' ? guardText(copy.text) : null,
    reason: copy.kind === 'refused' ? guardText(copy.message) : null,
  };
}
