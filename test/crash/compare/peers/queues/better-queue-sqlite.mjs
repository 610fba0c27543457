import { once } from 'node:events';
import Queue from 'better-queue';
import SqliteStore from 'better-queue-sqlite';

/**
 * As both READMEs say. A ticket is `queued` when the store has taken the task. The work never ends, so that what was enqueued stays
 * in the table: a task that is being worked on keeps its row.
 */
export function open(path) {
  const store = new SqliteStore({ path });
  const queue = new Queue(() => undefined, { store });
  return {
    enqueue: async (job) => {
      const id = `job-${job.n}`;
      await once(queue.push({ ...job, id }), 'queued');
      return id;
    },
    pragma: (name) =>
      new Promise((resolve, reject) => {
        store._db.get(`PRAGMA ${name}`, (error, row) => (error ? reject(error) : resolve(row?.[name])));
      }),
  };
}
