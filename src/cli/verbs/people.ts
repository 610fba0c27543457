import { AddPerson, AuditTrailEntry, Person } from '../../api/contract/person.ts';
import { dataOf, listOf } from '../../api/contract/primitives.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { choosePerson, everyone } from '../person-choice.ts';
import { noneText } from '../show/empty-list.ts';
import { auditTrailTable, peopleTable } from '../show/person.ts';

const PAGE = 100;

interface PeopleAddOptions extends GlobalOptions {
  readonly name: string;
  readonly role: string;
  readonly user?: string;
}

/** `tillctl people add NAME [--role ROLE] [--user USER]` */
export async function peopleAdd(options: PeopleAddOptions, io: Io): Promise<ExitCode> {
  const { name, role, user } = options;
  const wanted = AddPerson.safeParse({ name, role, ...(user === undefined ? {} : { system_user: user }) });
  if (!wanted.success) {
    const [issue] = wanted.error.issues;
    const field = { name: 'the name', role: '--role', system_user: '--user' }[String(issue?.path[0])];
    throw new AppError('USAGE', `${field ?? 'the person'} ${issue?.message ?? 'is not accepted'}`);
  }
  const call = { method: 'POST', path: '/v2/people', body: wanted.data } as const;
  const { body, value } = await connect(options, io).call(call, dataOf(Person));
  if (options.json) printDocument(io, body);
  else io.out(peopleTable([value.data]));
  io.err(`A code signs them in at the pages: tillctl sign-in --person "${value.data.name}"\n`);
  return EXIT.done;
}

/** `tillctl people list`: everyone, those who may sign in first. */
export async function peopleList(options: GlobalOptions, io: Io): Promise<ExitCode> {
  const people = await everyone(connect(options, io));
  if (options.json) printDocument(io, { object: 'list', data: people, has_more: false, url: '/v2/people' });
  else io.out(people.length === 0 ? noneText('people') : peopleTable(people));
  return EXIT.done;
}

/** `tillctl people disable NAME|ID`: at once and for good; a second call changes nothing. */
export async function peopleDisable(
  options: GlobalOptions & { readonly person: string },
  io: Io,
): Promise<ExitCode> {
  const client = connect(options, io);
  const { id } = await choosePerson(client, options.person);
  const call = { method: 'POST', path: `/v2/people/${id}/disable` } as const;
  const { body, value } = await client.call(call, dataOf(Person));
  if (options.json) printDocument(io, body);
  else io.out(peopleTable([value.data]));
  return EXIT.done;
}

/** `tillctl people audit`: the newest hundred entries. */
export async function peopleAudit(options: GlobalOptions, io: Io): Promise<ExitCode> {
  const call = { path: `/v2/audit?limit=${PAGE}` };
  const { body, value } = await connect(options, io).call(call, listOf(AuditTrailEntry));
  if (options.json) printDocument(io, body);
  else io.out(value.data.length === 0 ? noneText('entries') : auditTrailTable(value.data));
  if (value.has_more) io.err('There is more than this.\n');
  return EXIT.done;
}
