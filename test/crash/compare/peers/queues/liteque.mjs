import { buildDBClient, SqliteQueue } from 'liteque';

/** As its README says under "Usage"; without the runner, so that what was enqueued stays. */
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
