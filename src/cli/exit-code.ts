/** The exit codes of all verbs; stable. */
export const EXIT = {
  done: 0,
  /** The outcome is negative (declined, cancelled, error), or the daemon responded with an error. */
  no: 1,
  usage: 2,
  noDaemon: 3,
  /** It is not known yet whether the customer was charged. */
  unknownOutcome: 4,
  /** A person interrupted the command; the payment continues. */
  interrupted: 5,
  /** `drain --wait`: not every terminal is idle in time. */
  notIdle: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
