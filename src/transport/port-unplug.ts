import { readlinkSync } from 'node:fs';
import type { SerialPort } from 'serialport';
import { messageOf } from '../base/errors.ts';

/** How often an open port is checked; nothing is sent for it. */
const LOOK_MS = 500;
/** A port counts as hung up after two checks. */
const HANG_UP_LOOKS = 2;
const HUNG_UP = /input\/output error|no such device|bad file/i;
/** Linux adds this to the name of an open file that was removed. */
const REMOVED = / \(deleted\)$/;

/**
 * Checks twice a second whether an open port still exists, busy or idle, and calls `onGone` once when it does not.
 *
 * - Its modem lines: a tty that the kernel has hung up reads as "no bytes" for ever, and serialport 13 notices an unplugged cable only while it waits
 *   for bytes; if it is reading at that moment it retries without end and never emits `close`. A query of the lines then returns EIO (ENOTTY merely
 *   on a pty, which has none). One query at a time: a wedged adapter answers none.
 * - Its device file: it is removed with the device, and a later file of the same name is another file.
 *
 * @returns a function that ends the checks.
 */
export function watchPort(port: SerialPort, onGone: () => void): () => void {
  let failures = 0;
  let isAsking = false;
  const look = () => {
    if (!port.isOpen) return;
    if (isRemoved(port)) return gone();
    if (isAsking) return;
    isAsking = true;
    port.get((error) => {
      isAsking = false;
      failures = error && HUNG_UP.test(messageOf(error)) ? failures + 1 : 0;
      if (failures === HANG_UP_LOOKS && port.isOpen) gone();
    });
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  const stop = () => clearInterval(timer);
  const gone = () => {
    stop();
    onGone();
  };
  return stop;
}

/** Whether the open device file was removed; false where the system does not show it. */
function isRemoved(port: SerialPort): boolean {
  const fd: unknown = port.port && 'fd' in port.port ? port.port.fd : null;
  if (typeof fd !== 'number') return false;
  try {
    return REMOVED.test(readlinkSync(`/proc/self/fd/${fd}`));
  } catch {
    return false;
  }
}
