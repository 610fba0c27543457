/** A component of the daemon that runs by itself and gives a heartbeat. */
export interface Heartbeat {
  readonly name: string;
  /** Monotonic instant by which the next heartbeat is due; Infinity while none is. */
  dueBy(): number;
}

/**
 * The components whose heartbeat is late by more than the grace period: they hang, and only a process restart helps.
 * A component whose `dueBy` throws counts as late.
 */
export function overdue(parts: readonly Heartbeat[], now: number, graceMs: number): readonly string[] {
  return parts.filter((part) => isOverdue(part, now - graceMs)).map(({ name }) => name);
}

function isOverdue(part: Heartbeat, before: number): boolean {
  try {
    return !(part.dueBy() >= before);
  } catch {
    return true;
  }
}
