import type { DiagnosticContext } from '../doctor-table.ts';

/** One fault: how it is planted, and what the doctor must say of it. */
export interface Row {
  readonly fault: string;
  readonly id: string;
  readonly level: 'warn' | 'fail';
  /** Words of `what`. */
  readonly what: string;
  /** Words of `fix`: the command. */
  readonly fix: string;
  readonly plant: (shop: DiagnosticContext) => void | Promise<void>;
  /** Why it cannot be planted on this machine; null: it can. */
  readonly lack?: () => string | null;
}

/** A row as it is written: fault, finding, words, command. */
export function row(
  fault: string,
  [id, level]: readonly [id: string, level: 'warn' | 'fail'],
  what: string,
  fix: string,
  plant: Row['plant'],
  lack?: Row['lack'],
): Row {
  return { fault, id, level, what, fix, plant, ...(lack ? { lack } : {}) };
}

export function needsRoot(): string | null {
  return process.getuid?.() === 0 ? null : 'needs root: run it with sudo';
}
