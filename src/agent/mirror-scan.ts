import { type ChildProcess, execFile } from 'node:child_process';
import { z } from 'zod';
import type { Clock, Timer } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { MirrorPlace } from '../store/mirror/mirror-place.ts';
import { CALM_MS } from './integrity-scan.ts';
import { tillctlBeside } from './tillctl-beside.ts';

const LOOK_MS = 1_000;
const Answer = z.object({ data: z.object({ flaw: z.string().nullable() }) });

export interface MirrorScanDeps {
  readonly mirror: Pick<MirrorPlace, 'path' | 'isChecked' | 'replace'>;
  /** No payment runs, and the disk accepts writes. */
  readonly quiet: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/**
 * Reads every page of a mirror that is too large to be checked when it is opened: once, in a process of its own, after half a minute without a
 * payment. A payment ends the scan, and it begins again in the next quiet time. A flaw sets the mirror aside.
 */
export function scanMirror({ mirror, quiet, clock, log, lifecycle }: MirrorScanDeps): void {
  const state: { timer?: Timer; child: ChildProcess | null; notBefore: number } = {
    child: null,
    notBefore: clock.monotonic() + CALM_MS,
  };
  const end = () => {
    state.child?.kill('SIGKILL');
    state.child = null;
  };
  const ended = (error: Error | null, output: string) => {
    try {
      if (error) throw error;
      const { flaw } = Answer.parse(JSON.parse(output)).data;
      if (flaw !== null) mirror.replace(flaw);
    } catch (failure) {
      log.warn({ file: mirror.path, error: messageOf(failure) }, 'the pages of the mirror could not be read');
    }
  };
  const begin = () => {
    const child = execFile(
      process.execPath,
      [tillctlBeside(), 'read-pages', mirror.path],
      (error, output) => {
        if (state.child !== child) return;
        state.timer?.stop();
        state.child = null;
        ended(error, output);
      },
    );
    state.child = child;
  };
  const look = () => {
    state.timer = clock.timer('pages of the mirror', LOOK_MS, look);
    if (!quiet()) {
      end();
      state.notBefore = clock.monotonic() + CALM_MS;
    } else if (state.child === null && clock.monotonic() >= state.notBefore) begin();
  };
  if (mirror.isChecked) return;
  look();
  process.once('exit', end);
  lifecycle.started('pages of the mirror', () => {
    process.off('exit', end);
    state.timer?.stop();
    end();
  });
}
