import { buildDBClient, SqliteQueue } from 'liteque';

/** As its README says under "Usage"; without the runner, so that what was enqueued stays. Its claims do not run on better-sqlite3 13: their transaction gives a promise. */
export function open(path) {
  const client = buildDBClient(path, { runMigrations: true });
  const queue = new SqliteQueue('reports', client, {
    defaultJobArgs: { numRetries: 2 },
    keepFailedJobs: false,
  });
  return {
    enqueue: async (job) => (await queue.enqueue(job)).id,
    pragma: (name) => client.session.client.pragma(name, { simple: true }),
  };
}
