import { Person } from '../api/contract/person.ts';
import { listOf } from '../api/contract/primitives.ts';
import { AppError } from '../base/errors.ts';
import { canonicalId } from '../base/ids.ts';
import { guardText } from '../base/text-guard.ts';
import type { DaemonClient } from './client.ts';
import { withName } from './naming.ts';

const PAGE = 100;

/** All people of the shop, those who may sign in first. */
export async function everyone(client: DaemonClient): Promise<readonly Person[]> {
  const people: Person[] = [];
  for (;;) {
    const search = new URLSearchParams({ limit: String(PAGE), offset: String(people.length) });
    const { value } = await client.call({ path: `/v2/people?${search}` }, listOf(Person));
    people.push(...value.data);
    if (!value.has_more || value.data.length === 0) return people;
  }
}

/** Finds a person by id or name; of an active and a disabled one of one name the active one. @throws REFUSED, USAGE */
export async function choosePerson(client: DaemonClient, word: string): Promise<Person> {
  const people = await everyone(client);
  const name = word.trim().normalize('NFC');
  const active = withName(
    people.filter(({ status }) => status === 'active'),
    name,
  );
  const [found, another] = active.length > 0 ? active : withName(people, name);
  if (found && another)
    throw new AppError(
      'USAGE',
      `several people were called "${found.name}": say an id (tillctl people list)`,
    );
  const person = people.find(({ id }) => id === canonicalId(name)) ?? found;
  if (person) return person;
  const message = `there is no person with the id or name "${guardText(name).slice(0, 64)}": tillctl people list shows them`;
  const error = { type: 'invalid_request_error', code: 'resource_not_found', message, param: 'person' };
  throw new AppError('REFUSED', message, { context: { status: 404, document: { error } } });
}
