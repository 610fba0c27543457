import { readlinkSync } from 'node:fs';
import type { SerialPort } from 'serialport';
import { messageOf } from '../base/errors.ts';

/** How often an open port is looked at; nothing is sent for it. */
const LOOK_MS = 500;
/** A port that is hung up is believed after two looks. */
const HANG_UP_LOOKS = 2;
const HUNG_UP = /input\/output error|no such device|bad file/i;
/** What Linux adds to the name of an open file that was removed. */
const REMOVED = / \(deleted\)$/;

/**
 * Looks twice a second whether an open port is still there, busy or idle, and calls `onGone` once when it is not.
 *
 * - Its modem lines: a tty that the kernel has hung up reads as "no bytes" for ever, and serialport 13 notices an unplugged cable
 *   only while it waits for bytes; if it happened to be reading it asks again without end and never says `close`. Asking for the
 *   lines says EIO then (ENOTTY merely on a pty, which has none). One question at a time: a wedged adapter answers none.
 * - Its device file: it goes with the device, and what gets the same name later is another file.
 *
 * @returns ends the looking.
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

/** Whether the device file that is open here was removed; false where the system does not tell. */
function isRemoved(port: SerialPort): boolean {
  const fd: unknown = port.port && 'fd' in port.port ? port.port.fd : null;
  if (typeof fd !== 'number') return false;
  try {
    return REMOVED.test(readlinkSync(`/proc/self/fd/${fd}`));
  } catch {
    return false;
  }
}
