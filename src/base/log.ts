/** Structured fields of a log line; never a card number, a credential or a raw frame. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The log as a port: a constant lower-case message, facts in fields.
 * `info`: an operator would count it; `warn`: degraded; `error`: a person must act; `trace`: frames, redacted.
 */
export interface Log {
  trace(fields: LogFields, message: string): void;
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Log;
}

/** A log that discards everything, for tools that print their own output. */
export const silentLog: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
