import { Queue } from 'bunqueue/client';

/** As its README says under "Embedded", in Bun; without a worker, so that what was enqueued stays. */
export async function open(path, options = {}) {
  const queue = new Queue('reports', { embedded: true, dataPath: path });
  // The library does not offer its connection; what it says of it is read where it keeps it.
  const manager = new URL('./manager.js', import.meta.resolve('bunqueue/client'));
  const { peekSharedManager } = await import(manager.href);
  return {
    enqueue: async (job) => (await queue.add('report', job, options)).id,
    pragma: (name) => peekSharedManager().storage.db.query(`PRAGMA ${name}`).get()?.[name],
  };
}
