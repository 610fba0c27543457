import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RecordedScenario } from './recorded.ts';
import { type Failure, type Order, Report } from './worker.ts';

/** A piece of work takes a second or a few; one that takes longer than this runs in circles. Real time. */
const LONGEST_PIECE_MS = 300_000;
const PIECE = 24;

/** Which power cuts, and how many processes play them. */
export interface Shift {
  readonly scenarios: readonly (RecordedScenario & { readonly boundaries: readonly number[] })[];
  readonly seeds: number;
  readonly workers: number;
  /** A folder on a fast disk; each worker makes its own in it. */
  readonly root: string;
  readonly signal?: AbortSignal;
  /** Hears how far it is: pieces that are done, of how many. */
  readonly onPiece?: (done: number, of: number) => void;
}

/**
 * Plays power cuts in several processes: who is free takes the next boundaries. What comes out does not depend on how many there are.
 * @throws Error that names the place when a worker dies; all others have ended then.
 */
export async function playCuts(shift: Shift): Promise<Report> {
  const pieces = piecesOf(shift);
  const of = pieces.length;
  const reports: Report[] = [];
  const take = (report: Report) => {
    reports.push(report);
    shift.onPiece?.(reports.length, of);
  };
  const workers = Array.from({ length: Math.min(shift.workers, pieces.length) }, hire);
  const endAll = () => {
    for (const worker of workers) worker.kill('SIGKILL');
  };
  shift.signal?.addEventListener('abort', endAll);
  try {
    await Promise.all(
      workers.map((worker, index) => employ(worker, join(shift.root, `worker-${index}`), pieces, take)),
    );
  } finally {
    shift.signal?.removeEventListener('abort', endAll);
    endAll();
    await Promise.all(workers.map(gone));
  }
  const failures = reports.flatMap((report) => report.failures).sort(byPlace);
  const sum = (what: 'images' | 'revived') => reports.reduce((total, report) => total + report[what], 0);
  return { images: sum('images'), revived: sum('revived'), failures };
}

type Piece = Omit<Order, 'folder'>;

function piecesOf({ scenarios, seeds }: Shift): Piece[] {
  return scenarios.flatMap(({ name, folder, boundaries }) => {
    const count = Math.ceil(boundaries.length / PIECE);
    return Array.from({ length: count }, (_, index) => ({
      scenario: { name, folder },
      boundaries: boundaries.slice(index * PIECE, (index + 1) * PIECE),
      seeds,
    }));
  });
}

function hire(): ChildProcess {
  return fork(new URL('./worker.ts', import.meta.url), { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
}

/** Gives a worker piece after piece; resolves when none is left, rejects when it dies. */
function employ(
  worker: ChildProcess,
  folder: string,
  pieces: Piece[],
  take: (report: Report) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let piece: Piece | undefined;
    let limit: NodeJS.Timeout | undefined;
    const died = (how: string) =>
      reject(new Error(`a worker died at ${piece?.scenario.name}:${piece?.boundaries[0]}: ${how}`));
    const next = () => {
      clearTimeout(limit);
      piece = pieces.shift();
      if (!piece) return resolve();
      limit = setTimeout(died, LONGEST_PIECE_MS, `it took over ${LONGEST_PIECE_MS / 1000} s`);
      worker.send({ ...piece, folder } satisfies Order);
    };
    worker.once('close', () => clearTimeout(limit));
    worker.once('error', (error) => died(error.message));
    worker.once('exit', (code, signal) => died(signal ?? `exit code ${code}`));
    worker.on('message', (message) => {
      take(Report.parse(message));
      next();
    });
    next();
  });
}

function byPlace(one: Failure, other: Failure): number {
  return one.workload.localeCompare(other.workload) || one.boundary - other.boundary || one.seed - other.seed;
}

async function gone(worker: ChildProcess): Promise<void> {
  if (worker.pid !== undefined && worker.exitCode === null && worker.signalCode === null)
    await once(worker, 'exit');
}
