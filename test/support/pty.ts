import { openPty, type Pty } from '../../src/sandbox/terminal/pty.ts';

/**
 * A raw pseudo-terminal for tests: open `path` with serialport, speak on `pipe` from the other side, `pipe.close()` pulls the cable.
 * `undefined` when this machine cannot make one; `reason` says what is missing, for `skip`.
 */
export async function ptyForTests(): Promise<{ readonly pty: Pty | undefined; readonly reason: string }> {
  try {
    return { pty: await openPty(), reason: '' };
  } catch (error) {
    return { pty: undefined, reason: error instanceof Error ? error.message : String(error) };
  }
}
