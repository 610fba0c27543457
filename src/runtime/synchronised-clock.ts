import { execFile } from 'node:child_process';

const WITHIN_MS = 5_000;

/** Whether the system reports that its clock is synchronised (NTP); false also when the system cannot be asked. @see timedatectl(1) */
export function isClockSynchronised(program = 'timedatectl'): Promise<boolean> {
  return new Promise((resolve) => {
    const call = ['show', '--property', 'NTPSynchronized', '--value'];
    execFile(program, call, { timeout: WITHIN_MS, killSignal: 'SIGKILL' }, (error, output) =>
      resolve(error === null && output.trim() === 'yes'),
    );
  });
}
