import { Fleet } from '../../api/contract/fleet.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { counted } from '../../base/counted.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { facts, table } from '../show/table.ts';

const PATH = '/v2/fleet';
/** The hub is asked meanwhile. */
const JOIN_TIMEOUT_MS = 45_000;

/** `tillctl fleet status`. */
export async function fleetStatus(options: GlobalOptions, io: Io): Promise<ExitCode> {
  return show(options, io, await connect(options, io).call({ path: PATH }, dataOf(Fleet)));
}

export interface JoinOptions extends GlobalOptions {
  readonly url: string;
  readonly code: string;
  readonly operatorKey?: readonly { readonly name: string; readonly key: string }[];
}

/** `tillctl fleet join URL CODE`. */
export async function fleetJoin(
  { url, code, operatorKey = [], ...options }: JoinOptions,
  io: Io,
): Promise<ExitCode> {
  const call = {
    method: 'PUT',
    path: PATH,
    body: { hub_url: url, code, operators: operatorKey },
  } as const;
  return show(options, io, await connect(options, io, JOIN_TIMEOUT_MS).call(call, dataOf(Fleet)));
}

/** `tillctl fleet leave`. */
export async function fleetLeave(options: GlobalOptions, io: Io): Promise<ExitCode> {
  return show(options, io, await connect(options, io).call({ method: 'DELETE', path: PATH }, dataOf(Fleet)));
}

function show(
  options: GlobalOptions,
  io: Io,
  answer: { readonly body: unknown; readonly value: { readonly data: Fleet } },
): ExitCode {
  if (options.json) printDocument(io, answer.body);
  else io.out(words(answer.value.data));
  return EXIT.done;
}

type Membership = NonNullable<Fleet['membership']>;

function words({ membership }: Fleet): string {
  if (!membership)
    return 'This shop belongs to no fleet. To join one: tillctl fleet join https://HOST CODE\n';
  const { tenant, shop, hub_url, agent_id, state, trouble, last_exchange_at, commands_withheld } = membership;
  const { journal, operators, commands, configuration } = membership;
  const waiting =
    journal.waiting === null ? '' : `, ${counted(journal.waiting, 'waits', 'wait')} for the hub`;
  const known = facts([
    ['hub', hub_url],
    ['agent', agent_id],
    ['state', trouble === null ? state : `${state}: ${trouble}`],
    ['hub last answered', last_exchange_at],
    ['journal', `${counted(journal.end, 'entry', 'entries')}${waiting}`],
    [
      'operators',
      operators.length === 0
        ? 'none: no commands are taken'
        : operators.map(({ name, key }) => `${name} (${key})`).join(', '),
    ],
    ['commands withheld', commands_withheld],
    ...configurationWords(configuration),
  ]);
  const rows = commands.map(({ at, kind, operator, state: became, details, by }) => [
    at,
    kind,
    operator,
    by === null ? became : `${became} by ${by}`,
    details ?? '',
  ]);
  const asked =
    rows.length === 0 ? '' : `\n${table(['at', 'command', 'operator', 'state', 'details'], rows)}`;
  return `${oneLine(shop)} belongs to the fleet of ${oneLine(tenant)}.\n${known}${asked}`;
}

function configurationWords({ running, attempted, failed }: Membership['configuration']) {
  const waits = attempted?.state === 'waiting' ? 'waits until every terminal is idle' : 'is judged';
  return [
    [
      'configuration',
      running === null ? 'the files of this shop' : `revision ${running} of the hub, over them`,
    ],
    ['attempted', attempted && `revision ${attempted.revision} ${waits}`],
    ['failed', failed && `revision ${failed.revision} (${failed.at}): ${failed.why}`],
  ] as const;
}

/** A name that the hub gave. */
function oneLine(name: string): string {
  return plain(name).replaceAll('\n', ' ');
}
