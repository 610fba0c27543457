import { writeSync } from 'node:fs';

const STANDARD_ERROR = 2;
/** How often tilld waits for a reader that is too slow, and how long each time, in ms: a payment must not wait for the log. */
const MOST_WAITS = 5;
const NO_WAIT = 0;
const WAIT_MS = 1;

/**
 * The output of the log: line by line, at once. A line that cannot be written is dropped and counted: a full disk or a closed reader is no reason to
 * stop a payment.
 */
export interface LineSink {
  write(line: string): void;
}

/** @param write writes bytes and returns how many; throws the system's error */
export function standardError(write: (bytes: Uint8Array) => number = toStandardError): LineSink {
  let lost = 0;
  const put = (line: string, waits: number): boolean => {
    try {
      writeAll(Buffer.from(line), write, waits);
      return true;
    } catch {
      return false;
    }
  };
  return {
    write: (line) => {
      if (lost > 0 && !put(lostLine(lost), NO_WAIT)) {
        lost += 1;
        return;
      }
      lost = put(line, MOST_WAITS) ? 0 : 1;
    },
  };
}

function toStandardError(bytes: Uint8Array): number {
  return writeSync(STANDARD_ERROR, bytes);
}

function writeAll(bytes: Uint8Array, write: (bytes: Uint8Array) => number, mostWaits: number): void {
  let rest = bytes;
  for (let waits = 0; rest.length > 0; ) {
    try {
      rest = rest.subarray(write(rest));
    } catch (error) {
      if (!isBusy(error) || waits >= mostWaits) throw error;
      waits += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

function lostLine(lost: number): string {
  return `${JSON.stringify({ level: 'warn', lost, msg: 'log lines could not be written' })}\n`;
}
