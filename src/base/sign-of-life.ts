/** A part of the daemon that moves by itself, and shows that it does. */
export interface SignOfLife {
  readonly name: string;
  /** Monotonic instant by which the next sign is due; Infinity while none is. */
  dueBy(): number;
}

/**
 * The parts whose sign is late by more than their grace: they hang, and only a new process helps.
 * A part that cannot even be asked counts as late.
 */
export function overdue(parts: readonly SignOfLife[], now: number, graceMs: number): readonly string[] {
  return parts.filter((part) => isOverdue(part, now - graceMs)).map(({ name }) => name);
}

function isOverdue(part: SignOfLife, before: number): boolean {
  try {
    return !(part.dueBy() >= before);
  } catch {
    return true;
  }
}
