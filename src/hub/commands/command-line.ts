import { type Command, InvalidArgumentError } from 'commander';
import { AppError } from '../../base/errors.ts';
import { actor, type OfTenant, ofTenant, quoted } from '../administration.ts';
import { print, printJson, printRow } from '../printing.ts';
import { listCommands, sendCommand } from './send.ts';
import { agentsIn, mergedSettings } from './settings.ts';
import { makeOperatorKey, signCommand } from './sign.ts';

const MOST_LISTED = 100;
const HOUR_S = 3_600;
const LONGEST_HOURS = 168;

interface SignOptions {
  readonly key: string;
  readonly agent: string;
  readonly operator: string;
  readonly hours: number;
}

const SIGN_EXAMPLES = `\nExamples (KEY, ID and NAME stand for yours):
  tillhub sign '{"kind": "doctor"}' --key KEY --agent ID --operator NAME
  tillhub sign '{"kind": "resync", "provider": "provider_a"}' --key KEY --agent ID --operator NAME
  tillhub sign '{"kind": "resume", "provider": "provider_a"}' --key KEY --agent ID --operator NAME
  tillhub sign '{"kind": "restart"}' --key KEY --agent ID --operator NAME
  tillhub sign '{"kind": "end_of_day", "device_id": "ID", "reason": "…"}' --key KEY --agent ID --operator NAME
end_of_day, resolve, retry_report, drop_report and adopt become tasks, which a person of the shop does or declines.`;

/** What an operator asks of shops. `sign` needs no hub: it runs where the key is. */
export function addCommands(hub: Command, database: readonly [flags: string, description: string]): void {
  hub
    .command('keys')
    .description("an operator's key, on the operator's own machine")
    .command('new <file>')
    .description('make a key and print its public half, for tillctl fleet join --operator-key')
    .action((file: string) => print(makeOperatorKey(file)));
  hub
    .command('sign <command>')
    .description('sign a command for one agent and print it; the hub is not asked')
    .requiredOption('--key <file>', "the operator's key")
    .requiredOption('--agent <id>', 'the agent: tillhub shops list --tenant MERCHANT')
    .requiredOption('--operator <name>', 'who asks, for the audit of hub and shop')
    .option('--hours <n>', 'how long it is good', hours, 24)
    .addHelpText('after', SIGN_EXAMPLES)
    .action(async (command: string, options: SignOptions) => {
      const { key, agent: agentId, operator } = options;
      const asked = { agentId, operator, seconds: options.hours * HOUR_S, command: jsonOf(command) };
      print(await signCommand(key, asked, Date.now()));
    });
  addConfiguration(hub);
  const commands = hub.command('commands').description('commands of operators to shops');
  commands
    .command('send <signed>')
    .description('keep a signed command until its agent asks')
    .requiredOption('--tenant <name>', 'the merchant')
    .option(...database)
    .action((signed: string, options: OfTenant) =>
      ofTenant(options, async (transaction, tenant) => {
        const { kind, agentId } = await sendCommand(transaction, tenant, signed.trim(), actor(), Date.now());
        print(
          `${kind} waits for agent ${agentId}, which asks about once a minute. Then: tillhub commands list --tenant ${quoted(options.tenant)}`,
        );
      }),
    );
  commands
    .command('list')
    .description('the newest commands, and what became of them')
    .requiredOption('--tenant <name>', 'the merchant')
    .option('--json', 'one JSON document')
    .option(...database)
    .action((options: OfTenant) =>
      ofTenant(options, async (transaction) => {
        const listed = await listCommands(transaction, { limit: MOST_LISTED });
        if (options.json) return printJson(listed);
        const rows = listed.data;
        if (rows.length === 0) return print('No commands were sent.');
        for (const { shop, kind, operator, created_at, state, decided_by, details } of rows) {
          const became = decided_by === null ? state : `${state} by ${decided_by}`;
          printRow(created_at, shop, kind, `by ${operator}`, became, details ?? '');
        }
      }),
    );
}

interface SignConfigurationOptions extends Omit<SignOptions, 'agent' | 'hours'> {
  readonly hours?: number;
  readonly agent?: string;
  readonly agents?: string;
  readonly revision?: number;
  readonly over?: string;
}

/** What shops are to be configured like: neither needs a hub. */
function addConfiguration(hub: Command): void {
  const configuration = hub
    .command('configuration')
    .description('settings of shops, merged from files of the merchant, a group and the shop');
  configuration
    .command('show <files...>')
    .description('merge the files, each over the one before (RFC 7396), and print the settings')
    .action((files: readonly string[]) => printJson(mergedSettings(files)));
  configuration
    .command('sign <files...>')
    .description(
      'merge the files, sign the settings for one agent, or for many, and print the commands; the hub is not asked',
    )
    .requiredOption('--key <file>', "the operator's key")
    .option('--agent <id>', 'the agent: tillhub shops list --tenant MERCHANT')
    .option(
      '--agents <file>',
      'many, for a rollout: one agent a line, then files that are merged for it alone; tillhub shops list --agents makes the file',
    )
    .requiredOption('--operator <name>', 'who asks, for the audit of hub and shop')
    .option('--hours <n>', 'how long it is good; default: 24, for many 168', hours)
    .option('--revision <n>', 'a number that only grows; default: the second of the signature', revision)
    .option(
      '--over <digest>',
      'take back what a person at the shop has changed: the digest that the shop named',
    )
    .addHelpText(
      'after',
      `\nExamples (KEY, ID, NAME and SIGNED stand for yours):
  tillhub configuration show merchant.json north.json berlin-1.json
  tillhub configuration sign merchant.json north.json berlin-1.json --key KEY --agent ID --operator NAME
  tillhub commands send SIGNED --tenant MERCHANT
  tillhub configuration sign merchant.json --agents agents.txt --key KEY --operator NAME > signed.txt`,
    )
    .action(signConfiguration);
}

async function signConfiguration(files: readonly string[], options: SignConfigurationOptions): Promise<void> {
  const { key, agent, agents, operator, over } = options;
  if ((agent === undefined) === (agents === undefined))
    throw new AppError('COMMAND_INVALID', 'name --agent ID, or --agents FILE for many');
  const now = Date.now();
  const revision = options.revision ?? Math.floor(now / 1_000);
  const seconds = (options.hours ?? (agent === undefined ? LONGEST_HOURS : 24)) * HOUR_S;
  const targets = agent === undefined ? agentsIn(agents ?? '') : [{ agentId: agent, files: [] }];
  // All are signed before one is printed: a mistake in the last line leaves no half of a list.
  const signed: string[] = [];
  for (const target of targets) {
    const settings = mergedSettings([...files, ...target.files]);
    const command = { kind: 'configuration', revision, settings, ...(over === undefined ? {} : { over }) };
    signed.push(await signCommand(key, { agentId: target.agentId, operator, seconds, command }, now));
  }
  print(signed.join('\n'));
}

function revision(text: string): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 on.');
}

function hours(text: string): number {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= LONGEST_HOURS) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${LONGEST_HOURS}.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON, like \'{"kind": "doctor"}\'.');
  }
}
