import { type ChildProcess, execFile } from 'node:child_process';
import { z } from 'zod';
import { Finding } from '../api/contract/examination.ts';
import type { Doctor, Examination } from '../api/ports.ts';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { tillctlBeside } from './tillctl-beside.ts';

/** A large database on a slow disk is read from end to end. */
const LONGEST_MS = 300_000;
const MOST_BYTES = 1_000_000;

const Findings = z.object({ data: z.array(Finding) });

export interface DoctorDeps {
  readonly config: string;
  readonly folder: { readonly path: string; readonly socket: string };
  readonly clock: Pick<Clock, 'now'>;
}

/** Runs `tillctl doctor` in a process of its own: it reads the whole database, and no terminal may wait meanwhile. One at a time. */
export class DoctorBeside implements Doctor {
  readonly #deps: DoctorDeps;
  #child: ChildProcess | null = null;
  #last: Examination = { state: 'never', startedAt: null, endedAt: null, findings: [], failure: null };
  /** The one before the run in progress. */
  #before = this.#last;
  /** A person or the hub waits for the run in progress. */
  #isAsked = false;

  constructor(deps: DoctorDeps) {
    this.#deps = deps;
  }

  last(): Examination {
    return this.#last;
  }

  examine(): Examination {
    this.#isAsked = true;
    return this.#start();
  }

  /** Starts a run that nothing waits for: `giveWay` ends it. */
  examineUnasked(): void {
    this.#isAsked &&= this.#last.state === 'running';
    this.#start();
  }

  /** Ends a run that nothing waits for; the result before it stays. */
  giveWay(): void {
    if (this.#last.state !== 'running' || this.#isAsked) return;
    this.#child?.kill('SIGKILL');
    this.#child = null;
    this.#last = this.#before;
  }

  /** Kills the child, so that a process that ends does not wait for it. */
  close(): void {
    this.#child?.kill();
  }

  #start(): Examination {
    if (this.#last.state === 'running') return this.#last;
    this.#before = this.#last;
    const { state, endedAt, findings } = this.#before;
    const { config, folder, clock } = this.#deps;
    this.#last = {
      state: 'running',
      startedAt: clock.now(),
      endedAt: state === 'done' ? endedAt : null,
      findings,
      failure: null,
    };
    const words = ['doctor', '--json', '--config', config, '--state-dir', folder.path];
    const child = execFile(
      process.execPath,
      [tillctlBeside(), '--socket', folder.socket, ...words],
      { timeout: LONGEST_MS, maxBuffer: MOST_BYTES },
      (error, output) => {
        if (this.#child === child) this.#ended(output, error);
      },
    );
    this.#child = child;
    return this.#last;
  }

  /** Exit 1 with findings is a valid result: the doctor found a problem. */
  #ended(output: string, error: Error | null): void {
    const ended = { startedAt: this.#last.startedAt, endedAt: this.#deps.clock.now() };
    try {
      const { data } = Findings.parse(JSON.parse(output));
      this.#last = { ...ended, state: 'done', findings: data, failure: null };
    } catch (unreadable) {
      const failure = messageOf(error ?? unreadable).slice(0, 500);
      this.#last = { ...ended, state: 'failed', findings: [], failure };
    }
  }
}
