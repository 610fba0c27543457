/**
 * A moment within one process run. It orders the events of that run, and a change of the wall clock does not move it.
 * `run`: the random id of the process run; `ms`: its monotonic clock.
 */
export interface ProcessMoment {
  readonly run: string;
  readonly ms: number;
}
