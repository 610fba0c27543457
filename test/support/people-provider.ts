import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** A recipe of one list of people that comes as a whole, behind a bearer key. */
export const PEOPLE_RECIPE = {
  recipe: 1,
  id: 'people',
  title: 'People',
  documentation: 'https://people.example/docs',
  auth: { type: 'bearer' },
  resources: {
    customers: {
      path: '/people',
      items: 'data',
      page: { style: 'whole' },
      id: 'id',
      fields: { name: 'name' },
    },
  },
};

export interface PeopleProvider {
  readonly url: string;
  /** How often its list was given. */
  given(): number;
  /** From now on it takes this key alone. */
  takes(key: string): void;
  /** From now on it answers with this status; null: as it should. */
  fails(status: number | null): void;
  /** From now on its answers wait; the returned function sends them, and all later ones at once. */
  waits(): () => void;
}

/** A provider with so many people that takes one key and answers every other one with 401; gone when the test is over. */
export async function aPeopleProvider(key: string, count: number): Promise<PeopleProvider> {
  const data = Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: `Person ${index}` }));
  let given = 0;
  let taken = key;
  let failure: number | null = null;
  let held = Promise.resolve();
  const server = createServer(async (asked, answer) => {
    await held;
    const ok = failure === null && asked.headers.authorization === `Bearer ${taken}`;
    if (ok) given += 1;
    answer.writeHead(ok ? 200 : (failure ?? 401), { 'content-type': 'application/json' });
    answer.end(JSON.stringify(ok ? { data } : { error: 'who is that?' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    given: () => given,
    takes: (other) => {
      taken = other;
    },
    fails: (status) => {
      failure = status;
    },
    waits: () => {
      let goOn = () => {};
      held = new Promise((resolve) => {
        goOn = resolve;
      });
      return () => goOn();
    },
  };
}
