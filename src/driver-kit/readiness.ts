import type { Readiness } from '../terminal/ports.ts';

export const READY: Readiness = { kind: 'ready' };

/** A dialogue runs on the terminal: nothing else is asked of it. */
export const BUSY: Readiness = {
  kind: 'wait',
  code: 'TERMINAL_BUSY',
  message: 'The terminal is busy, one moment please.',
};

/** @param message what is to be done at the terminal */
export function needsPerson(message: string, code = 'TERMINAL_NOT_READY'): Readiness {
  return { kind: 'person', code, message };
}
