import { type Command, InvalidArgumentError } from 'commander';
import { AppError } from '../../base/errors.ts';
import { actor, type OfTenant, ofTenant, quoted } from '../administration.ts';
import { type AgentOfShop, readAgent } from '../operators/agents.ts';
import { print, printable, printJson, printRow } from '../printing.ts';
import { release } from './release.ts';
import { revoke } from './revoke.ts';

interface ReleaseOptions extends OfTenant {
  readonly epoch: string;
  readonly branch: number;
  readonly seq: number;
  readonly reason: string;
}

const TENANT = ['--tenant <name>', 'the merchant'] as const;

/** The machines of the shops: what is known of one, and what its merchant decides about it. */
export function addAgents(hub: Command, database: readonly [flags: string, description: string]): void {
  const agents = hub.command('agents').description('the machines of the shops');
  agents
    .command('show <id>')
    .description('its journals, where they contradict themselves, and what was released')
    .requiredOption(...TENANT)
    .option('--json', 'one JSON document')
    .option(...database)
    .action(showAgent);
  agents
    .command('release <id>')
    .description('give commands to an agent in quarantine again; tillhub agents show names the position')
    .requiredOption(...TENANT)
    .requiredOption('--epoch <id>', 'that of its journal now')
    .requiredOption('--branch <n>', 'the history that its shop goes on with', count)
    .requiredOption('--seq <n>', 'the entry of it from which on it is trusted', count)
    .requiredOption('--reason <text>', 'what was found, for the audit')
    .option(...database)
    .action(releaseAgent);
  agents
    .command('revoke <id>')
    .description('refuse an agent from its next request on; it goes on to sell')
    .requiredOption(...TENANT)
    .option(...database)
    .action(revokeAgent);
}

/** @throws AGENT_UNKNOWN */
async function showAgent(id: string, options: OfTenant): Promise<void> {
  await ofTenant(options, async (transaction) => {
    const found = await readAgent(transaction, id);
    if (found === null) throw unknownAgent(id, options.tenant);
    if (options.json) return printJson({ data: { shop: found.shop, ...found.agent } });
    for (const cells of rowsOf(found.shop, found.agent)) printRow(...cells);
    if (found.agent.quarantined !== null) for (const line of nextSteps(found.agent, options)) print(line);
  });
}

function rowsOf(shop: string, agent: AgentOfShop): readonly (readonly string[])[] {
  const { id, version, seen_at, revoked_at, quarantined, journal, breaks, releases } = agent;
  const state = revoked_at !== null ? 'revoked' : quarantined !== null ? `no commands: ${quarantined}` : '';
  return [
    [shop, id, version, seen_at === null ? 'never seen' : `seen ${seen_at}`, state],
    ...journal.map(({ epoch, branch, first_seq, next_seq }) => [
      'history',
      ...[epoch, `branch ${branch}`, `entries ${first_seq} to ${next_seq - 1}`],
    ]),
    ...breaks.map(({ epoch, branch, seq, stored_hash, sent_hash, found_at }) => [
      ...['break', epoch, `branch ${branch}`, `entry ${seq}`, `found ${found_at}`],
      `${sent_hash} contradicts ${stored_hash ?? 'nothing that is stored'}`,
    ]),
    ...releases.map((one) => [
      ...['released', one.released_at, `by ${one.actor}`, one.quarantined],
      ...[one.epoch, `branch ${one.branch}`, `from entry ${one.seq} on`, one.reason],
    ]),
  ];
}

/** What a person does about a quarantine. */
function nextSteps({ id, journal }: AgentOfShop, { tenant }: OfTenant): readonly string[] {
  const histories = journal.map(
    ({ epoch, branch, next_seq }) =>
      `  tillhub agents release ${id} --tenant ${quoted(tenant)} --epoch ${quoted(epoch)} --branch ${branch} --seq ${next_seq - 1} --reason "WHAT WAS FOUND"`,
  );
  return [
    'Find the second process or copy of the state folder first, and end it. Then release it with the history that its shop goes on with:',
    ...histories,
  ];
}

async function releaseAgent(id: string, options: ReleaseOptions): Promise<void> {
  const { tenant: name, epoch, branch, seq, reason } = options;
  await ofTenant(options, async (transaction, tenant) => {
    await release(transaction, tenant, { id, epoch, branch, seq, reason }, actor(), Date.now());
    print(
      `Agent ${printable(id)} of ${printable(name)} gets commands again. The break of its journal stays in shop, export and audit.`,
    );
  });
}

/** @throws AGENT_UNKNOWN */
async function revokeAgent(id: string, options: OfTenant): Promise<void> {
  await ofTenant(options, async (transaction, tenant) => {
    if (!(await revoke(transaction, tenant, id, actor()))) throw unknownAgent(id, options.tenant);
    print(`Agent ${id} is revoked. Its shop goes on to sell, and reports here no more.`);
  });
}

function unknownAgent(id: string, tenant: string): AppError {
  return new AppError(
    'AGENT_UNKNOWN',
    `${tenant} has no agent ${id} of which this could be done: tillhub shops list --tenant ${quoted(tenant)}`,
  );
}

function count(text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be a whole number.');
}
