import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Result } from './result.ts';
import type { Order } from './worker.ts';

/** A history takes a second or a few of a processor; one that takes longer than this runs in circles. Real time, on a machine that others use, too. */
const LONGEST_HISTORY_MS = 600_000;

/** Which histories, and how many processes play them. */
export interface Shift {
  readonly scenario: string;
  readonly from: number;
  readonly count: number;
  readonly workers: number;
  /** A folder for the histories; each makes its own in it. */
  readonly root: string;
  /** Aborted: all workers end at once. */
  readonly signal?: AbortSignal;
  /** Hears the results in the order of their seeds, as soon as none before is missing. */
  readonly onResult?: (result: Result) => void;
}

/**
 * Plays histories in several processes, seed by seed: who is free takes the next one. What comes out does not depend on how
 * many there are.
 * @throws Error that names the seed when a worker dies; all others have ended then.
 */
export async function playShift(shift: Shift): Promise<readonly Result[]> {
  const pile = new Pile(shift);
  const workers = Array.from({ length: Math.min(shift.workers, shift.count) }, hire);
  const endAll = () => {
    for (const worker of workers) worker.kill('SIGKILL');
  };
  shift.signal?.addEventListener('abort', endAll);
  try {
    await Promise.all(workers.map((worker) => employ(worker, shift, pile)));
  } finally {
    shift.signal?.removeEventListener('abort', endAll);
    endAll();
    await Promise.all(workers.map(gone));
  }
  return pile.results;
}

/** The seeds that nobody has taken yet, and what came of the others. */
class Pile {
  readonly #results: (Result | undefined)[] = [];
  readonly #shift: Shift;
  #taken = 0;
  #reported = 0;

  constructor(shift: Shift) {
    this.#shift = shift;
  }

  /** In the order of their seeds. */
  get results(): readonly Result[] {
    return this.#results.filter((result) => result !== undefined);
  }

  take(): number | null {
    const { from, count } = this.#shift;
    return this.#taken < count ? from + this.#taken++ : null;
  }

  put(result: Result): void {
    this.#results[result.seed - this.#shift.from] = result;
    for (let next = this.#results[this.#reported]; next; next = this.#results[this.#reported]) {
      this.#shift.onResult?.(next);
      this.#reported += 1;
    }
  }
}

/** A worker's standard output belongs to no one: the last line of ours is the result. */
function hire(): ChildProcess {
  return fork(new URL('./worker.ts', import.meta.url), { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
}

/** Gives a worker seed after seed; resolves when none is left, rejects when it dies. */
function employ(worker: ChildProcess, { scenario, root }: Shift, pile: Pile): Promise<void> {
  return new Promise((resolve, reject) => {
    let seed = pile.take();
    const died = (how: string) => reject(new Error(`a worker died in seed ${seed}: ${how}`));
    let limit: NodeJS.Timeout | undefined;
    const next = () => {
      clearTimeout(limit);
      if (seed === null) return resolve();
      limit = setTimeout(died, LONGEST_HISTORY_MS, `it took over ${LONGEST_HISTORY_MS / 1000} s`);
      worker.send({ seed, scenario, root } satisfies Order);
    };
    worker.once('close', () => clearTimeout(limit));
    worker.once('error', (error) => died(error.message));
    worker.once('exit', (code, signal) => died(signal ?? `exit code ${code}`));
    worker.on('message', (message) => {
      pile.put(Result.parse(message));
      seed = pile.take();
      next();
    });
    next();
  });
}

async function gone(worker: ChildProcess): Promise<void> {
  if (worker.pid !== undefined && worker.exitCode === null && worker.signalCode === null)
    await once(worker, 'exit');
}
