import type { Readiness, TerminalIdentity } from '../../../src/driver-kit/terminal.ts';
import { ANY_TERMINAL, type Answer } from './answers.ts';

/** Status digit → its name, and whether staff must act. The meaning depends on the maker. */
const NEEDS: Readonly<Record<string, readonly ['wait' | 'person', code: string, message: string]>> = {
  '0': [
    'person',
    'TERMINAL_NOT_CONFIGURED',
    'The terminal is not configured. Nothing was charged. Call the hotline of the terminal.',
  ],
  '1': [
    'person',
    'TERMINAL_NO_PARAMETERS',
    'The terminal has no parameters yet. Nothing was charged. Start the download (DLL) at the terminal, or call its hotline.',
  ],
  '3': [
    'person',
    'TERMINAL_NOT_ALIGNED',
    'The terminal is not aligned with its host. Nothing was charged. Start the download (DLL) at the terminal.',
  ],
  '4': [
    'person',
    'TERMINAL_KEYS_MISSING',
    'The keys of the terminal are damaged. Nothing was charged. Start the download (DLL) at the terminal, or call its hotline.',
  ],
  '5': [
    'wait',
    'TERMINAL_UPDATING',
    'The terminal is waiting to load its parameters. Nothing was charged. One moment please.',
  ],
  '6': [
    'wait',
    'TERMINAL_UPDATING',
    'The terminal is waiting to load new software. Nothing was charged. One moment please.',
  ],
};

/** Whether a sale could be sent now. "Ready" proves little: some terminals report it while a customer pays. */
export function readinessOf({ fields }: Answer, readyStatuses: ReadonlySet<string>): Readiness {
  const { status = '', clock } = fields;
  if (readyStatuses.has(status)) {
    const terminalClock = clockOf(clock);
    return { kind: 'ready', ...(terminalClock === undefined ? {} : { terminalClock }) };
  }
  const [kind, code, message] = NEEDS[status] ?? [
    'person',
    'TERMINAL_STATUS_UNKNOWN',
    `The terminal reports status "${status}", which is not published. Nothing was charged. If it sells all the same, add it to ready_statuses.`,
  ];
  return { kind, code, message };
}

/** A terminal that refuses the status question is busy. */
export const BUSY: Readiness = {
  kind: 'wait',
  code: 'TERMINAL_BUSY',
  message: 'The terminal is busy. Nothing was charged. One moment please.',
};

export function identityOf({ terminalId, fields }: Answer): TerminalIdentity {
  const firmware = (fields['sw'] ?? '').trim();
  const known = firmware === '' ? {} : { firmware };
  if (terminalId === ANY_TERMINAL) return { grade: 'port', ...known };
  return { grade: 'tid', terminalId, ...known };
}

/** `DDMMYYhhmm` → `MMDDhhmmss`; to the minute. */
function clockOf(clock = ''): string | undefined {
  const found = /^(\d\d)(\d\d)\d\d(\d{4})$/.exec(clock);
  return found ? `${found[2]}${found[1]}${found[3]}00` : undefined;
}
