import Database from 'better-sqlite3';
import { better, defineQueue } from 'plainjob';

/** As its README says under "Using node". */
export function open(path) {
  const database = new Database(path);
  const queue = defineQueue({ connection: better(database) });
  return {
    enqueue: (job) => queue.add('report', job).id,
    take: () => {
      const { id } = queue.getAndMarkJobAsProcessing('report');
      queue.markJobAsDone(id);
    },
    pragma: (name) => database.pragma(name, { simple: true }),
  };
}
