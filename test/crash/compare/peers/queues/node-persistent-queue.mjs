import Queue from 'node-persistent-queue';

/** As its README says: `.add()` resolves when the job has been saved in the database; without an id, so the job brings its own. */
export async function open(path) {
  const queue = new Queue(path);
  await queue.open();
  return {
    enqueue: async (job) => {
      await queue.add(job);
      return job.n;
    },
    pragma: (name) =>
      new Promise((resolve, reject) => {
        queue.db.get(`PRAGMA ${name}`, (error, row) => (error ? reject(error) : resolve(row?.[name])));
      }),
  };
}
