import { fileURLToPath } from 'node:url';

/** The folder with its own lock into which the queues of others are installed. */
export const PEERS = fileURLToPath(new URL('./peers/', import.meta.url));

/** Who runs a workload: this Node, or the Bun that the peers' lock brings along. */
export type Runtime = 'node' | 'bun';

/** One queue whose power is cut. */
export interface Contestant {
  readonly name: string;
  /** The packages that are needed; the first one's version is told. None: what tilld itself has. */
  readonly packages: readonly string[];
  readonly runtime: Runtime;
  /** The file that opens it (`queue.ts`). */
  readonly file: string;
  /** Gives, in one column, what the jobs in the table are found by. */
  readonly find: string;
}

const peerFile = (name: string) => fileURLToPath(new URL(`./peers/queues/${name}.mjs`, import.meta.url));

/**
 * tilld's outbox. A job counts as kept when all of it is there: the report, and the attempt, journal entry and event that were
 * written with it.
 */
export const OURS: Contestant = {
  name: 'tilld outbox',
  packages: [],
  runtime: 'node',
  file: fileURLToPath(new URL('./ours/tilld-outbox.ts', import.meta.url)),
  find: `SELECT id FROM attempts WHERE id IN (SELECT attempt_id FROM outbox WHERE state = 'pending')
    AND id IN (SELECT attempt_id FROM journal) AND id IN (SELECT attempt_id FROM events)`,
};

/** The library that tilld uses, with and without what `src/store/database.ts` says to it. */
export const LIBRARY: readonly Contestant[] = [
  library('better-sqlite3, FULL at every open', new URL('./ours/better-sqlite3-full.ts', import.meta.url)),
  library(
    'better-sqlite3, opened again without it',
    new URL('./ours/better-sqlite3-reopened.ts', import.meta.url),
  ),
];

/** Job queues from the registry, as shipped. */
export const QUEUES: readonly Contestant[] = [
  queue('plainjob', ['plainjob', 'better-sqlite3'], 'SELECT id FROM plainjob_jobs'),
  queue('liteque', ['liteque', 'better-sqlite3'], 'SELECT id FROM tasks'),
  queue('better-queue-sqlite', ['better-queue-sqlite', 'better-queue', 'sqlite3'], 'SELECT id FROM task'),
  queue(
    'node-persistent-queue',
    ['node-persistent-queue', 'sqlite3'],
    "SELECT json_extract(job, '$.n') FROM queue",
  ),
  queue(
    'sidequest',
    ['@sidequest/sqlite-backend', 'sidequest', 'better-sqlite3'],
    'SELECT id FROM sidequest_jobs',
  ),
  bunQueue('bunqueue', 'bunqueue'),
  bunQueue('bunqueue, durable: true', 'bunqueue-durable'),
];

function library(name: string, file: URL): Contestant {
  return { name, packages: [], runtime: 'node', file: fileURLToPath(file), find: 'SELECT id FROM jobs' };
}

function queue(name: string, packages: readonly string[], find: string): Contestant {
  return { name, packages, runtime: 'node', file: peerFile(name), find };
}

function bunQueue(name: string, file: string): Contestant {
  return {
    name,
    packages: ['bunqueue'],
    runtime: 'bun',
    file: peerFile(file),
    find: 'SELECT id FROM jobs',
  };
}
