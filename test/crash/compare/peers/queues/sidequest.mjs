import { Job, Sidequest } from 'sidequest';

export class Report extends Job {
  run() {
    return undefined;
  }
}

/** As its README says; configured without being started, so that what was enqueued stays. */
export async function open(path) {
  await Sidequest.configure({ backend: { driver: '@sidequest/sqlite-backend', config: path } });
  return {
    enqueue: async (job) => (await Sidequest.build(Report).enqueue(job)).id,
    pragma: async (name) => {
      const answer = await Sidequest.getBackend().backend.knex.raw(`PRAGMA ${name}`);
      return answer?.[0]?.[name];
    },
  };
}
