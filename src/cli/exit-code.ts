/** What the exit code of every verb means; stable. */
export const EXIT = {
  done: 0,
  /** The outcome was no (declined, cancelled, error), or the daemon refused. */
  no: 1,
  usage: 2,
  noDaemon: 3,
  /** Nobody knows yet whether the customer was charged. */
  unknownOutcome: 4,
  /** Interrupted by a person; the payment goes on. */
  interrupted: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
