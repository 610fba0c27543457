/** A check result: the state, why it matters, and the command or action that repairs it. */
export interface CheckResult {
  /** Stable; more may be added. */
  readonly id: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly why: string | null;
  readonly fix: string | null;
}

/** Why something is wrong and what repairs it. */
export interface Trouble {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

export function ok(id: string, what: string): CheckResult {
  return { id, level: 'ok', what, why: null, fix: null };
}

export function warn(id: string, trouble: Trouble): CheckResult {
  return { id, level: 'warn', ...trouble };
}

export function fail(id: string, trouble: Trouble): CheckResult {
  return { id, level: 'fail', ...trouble };
}
