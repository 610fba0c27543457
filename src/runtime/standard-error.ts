import { pino } from 'pino';

const STANDARD_ERROR = 2;
/** What is held for a reader that is too slow, or a disk that is full, in bytes; how long until it is tried again without another line, in ms. */
const HELD_BYTES = 1_048_576;
const RETRY_MS = 100;
/** How often pino waits for a slow reader when the process ends, for 100 ms each time. */
const WAITS_AT_EXIT = 5;

/**
 * The output of the log: line by line, at once. What cannot be written is held up to a limit, then dropped and counted: a full disk or a closed
 * reader is no reason to stop a payment.
 */
export interface LineSink {
  write(line: string): void;
}

/** pino's own destination, synchronous, so that a process that dies at once has written its last line; `write` never throws and never waits. */
export function standardError(file = STANDARD_ERROR): LineSink {
  let waits = 0;
  let lost = 0;
  let isHolding = false;
  let isLong = false;
  const destination = pino.destination({
    dest: file,
    sync: true,
    // More than 0, or `flush` does nothing.
    minLength: 1,
    maxLength: HELD_BYTES,
    retryEAGAIN: () => waits-- > 0,
  });
  const retry = later(() => {
    if (!isHolding) return;
    isLong = true;
    destination.flush();
  });
  const atExit = () => {
    waits = WAITS_AT_EXIT;
    destination.flush();
  };
  // pino's own listener ends the log for good when a reader is gone; the reader of a named pipe may come back.
  destination.removeAllListeners('error').once('error', () => process.once('exit', atExit));
  destination.on('error', () => {
    isHolding = true;
    retry();
  });
  destination.on('drop', () => {
    lost += 1;
  });
  destination.on('drain', () => {
    const notice = lost > 0 || isLong ? lostLine(lost) : null;
    lost = 0;
    isHolding = false;
    isLong = false;
    if (notice !== null) destination.write(notice);
  });
  return destination;
}

/** Calls it in a while, once for all calls until then. */
function later(call: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      call();
    }, RETRY_MS).unref();
  };
}

/** @param lost how many were dropped; 0: all of them came later */
function lostLine(lost: number): string {
  return `${JSON.stringify({ level: 'warn', lost, msg: 'log lines could not be written' })}\n`;
}
