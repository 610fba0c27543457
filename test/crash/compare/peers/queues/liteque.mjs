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
    take: async () => {
      const { id, allocationId } = await queue.attemptDequeue({ timeoutSecs: 60 });
      await queue.finalize(id, allocationId, 'completed');
    },
    pragma: (name) => client.session.client.pragma(name, { simple: true }),
  };
}
