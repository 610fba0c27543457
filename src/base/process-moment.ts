/**
 * A moment within one run of the process. It says what came before what in that run, and no clock that is set moves it.
 * `run`: the random id of the run; `ms`: its monotonic clock.
 */
export interface ProcessMoment {
  readonly run: string;
  readonly ms: number;
}
