import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AppError, messageOf } from '../../base/errors.ts';
import { actor, type OfTenant, ofTenant, quoted } from '../administration.ts';
import type { TenantTransaction } from '../database/connect.ts';
import { print, printable, printJson, printRow } from '../printing.ts';
import {
  addTargets,
  type By,
  createRollout,
  MOST_ADDED,
  pauseRollout,
  RINGS,
  type Ring,
  resumeRollout,
  startRollout,
  stopRollout,
} from './rollouts.ts';
import { sum } from './targets.ts';
import { listRollouts, listTargets, readRollout } from './view.ts';

const TENANT = ['--tenant <name>', 'the merchant'] as const;
const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;
const MOST_LISTED = 100;
const MOST_SHOWN = 20;

interface StartOptions extends OfTenant {
  readonly percent: readonly number[];
  readonly hours: readonly number[];
  readonly mostFailures?: number;
}

const EXAMPLES = `\nExamples (KEY and NAME stand for yours):
  tillhub shops list --tenant Bakery --agents > agents.txt        # first the shops that get the settings first
  tillhub configuration sign merchant.json --agents agents.txt --key KEY --operator NAME > signed.txt
  tillhub rollouts start winter signed.txt --tenant Bakery
  tillhub rollouts start winter signed.txt --tenant Bakery --percent 10,50,100 --hours 1,12 --most-failures 2
  tillhub rollouts show winter --tenant Bakery`;

/** Settings for many shops, ring by ring. */
export function addRollouts(hub: Command, database: readonly [flags: string, description: string]): void {
  const rollouts = hub.command('rollouts').description('settings for many shops, ring by ring');
  addStart(rollouts, database);
  rollouts
    .command('list')
    .description('rollouts, the newest first')
    .requiredOption(...TENANT)
    .option('--json', 'one JSON document')
    .option(...database)
    .action((options: OfTenant) =>
      ofTenant(options, async (transaction) => {
        const listed = await listRollouts(transaction, { limit: MOST_LISTED });
        if (options.json) return printJson(listed);
        if (listed.data.length === 0) return print('There are no rollouts.');
        for (const rollout of listed.data) printRow(...cellsOf(rollout));
      }),
    );
  rollouts
    .command('show <name>')
    .description('one rollout, and the shops that did not keep the settings')
    .requiredOption(...TENANT)
    .option('--json', 'one JSON document')
    .option(...database)
    .action(show);
  for (const [verb, description, run] of DECISIONS)
    rollouts
      .command(`${verb} <name>`)
      .description(description)
      .requiredOption(...TENANT)
      .option(...database)
      .action((name: string, options: OfTenant) =>
        ofTenant(options, async (transaction, tenant) => {
          await run(transaction, { tenant, actor: actor() }, name);
          printRow(...cellsOf(await readRollout(transaction, name)));
        }),
      );
}

function addStart(rollouts: Command, database: readonly [flags: string, description: string]): void {
  rollouts
    .command('start <name> <file>')
    .description('give signed settings, one a line, to their shops: the first lines are the first ring')
    .requiredOption(...TENANT)
    .addOption(
      listed(
        '--percent <list>',
        'the part of the shops that each ring reaches, with those before',
        whole(1, 100),
        RINGS.map(({ percent }) => percent),
      ),
    )
    .addOption(
      listed(
        '--hours <list>',
        'the pauses between the rings',
        whole(0, 168),
        RINGS.slice(0, -1).map(({ minutes }) => minutes / 60),
      ),
    )
    .option(
      '--most-failures <n>',
      'it pauses at so many; default: 2 % of the shops that its rings have reached, no more than have kept the settings, 5 at least',
      (text) => whole(1, 20_000)(text)[0],
    )
    .option(...database)
    .addHelpText('after', EXAMPLES)
    .action(start);
}

const DECISIONS: readonly [string, string, (at: TenantTransaction, by: By, name: string) => Promise<void>][] =
  [
    ['pause', 'give the settings to no further shop; those that have them go on', pauseRollout],
    ['resume', 'go on; failures until now do not count any more', resumeRollout],
    ['stop', 'end it for good: shops that were not given the settings never get them from it', stopRollout],
  ];

/** @throws COMMAND_INVALID and what a rollout refuses: nothing of it is kept then */
async function start(name: string, file: string, options: StartOptions): Promise<void> {
  if (!NAME.test(name))
    throw new AppError('COMMAND_INVALID', 'a rollout is named with letters, digits, dots, hyphens and _');
  const rings = ringsOf(options);
  const signed = linesOf(file);
  await ofTenant(options, async (transaction, tenant) => {
    const by = { tenant, actor: actor() };
    await createRollout(transaction, by, { name, rings, most_failures: options.mostFailures ?? null });
    for (let first = 0; first < signed.length; first += MOST_ADDED)
      await addTargets(transaction, by, name, signed.slice(first, first + MOST_ADDED), Date.now());
    await startRollout(transaction, by, name);
    print(
      `${name} has started with ${signed.length} shops. Next: tillhub rollouts show ${name} --tenant ${quoted(options.tenant)}`,
    );
  });
}

function ringsOf({ percent, hours }: StartOptions): readonly Ring[] {
  const rises = percent.every((one, index) => one > (percent[index - 1] ?? 0));
  if (!rises || percent.at(-1) !== 100)
    throw new AppError('COMMAND_INVALID', '--percent must rise to 100, like 1,10,50,100');
  if (hours.length !== percent.length - 1)
    throw new AppError(
      'COMMAND_INVALID',
      `--hours names the pauses between ${percent.length} rings, so it has ${percent.length - 1} numbers`,
    );
  return percent.map((one, index) => ({ percent: one, minutes: (hours[index] ?? 0) * 60 }));
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (cause) {
    throw new AppError('COMMAND_INVALID', `${file}: ${messageOf(cause)}`, { cause });
  }
}

async function show(name: string, options: OfTenant): Promise<void> {
  await ofTenant(options, async (transaction) => {
    const rollout = await readRollout(transaction, name);
    if (options.json) return printJson({ data: rollout });
    printRow(...cellsOf(rollout));
    for (const state of ['failed', 'refused', 'silent'] as const) {
      const { data, has_more } = await listTargets(transaction, { name, state, limit: MOST_SHOWN });
      for (const { shop, agent_id, ring, details } of data)
        printRow(state, shop, agent_id, `ring ${ring}`, details ?? '');
      if (has_more) print('…');
    }
    if (rollout.state === 'paused')
      print(
        `Then: tillhub rollouts resume ${printable(name)} --tenant ${quoted(options.tenant)}, or stop in place of resume`,
      );
  });
}

type Rollout = Awaited<ReturnType<typeof readRollout>>;

function cellsOf({ name, state, paused_by, ring, rings, next_ring_at, shops }: Rollout): readonly string[] {
  const total = Object.values(shops).reduce((all, count) => all + count, 0);
  return [
    name,
    paused_by === null ? state : `${state} by ${paused_by}`,
    `ring ${ring} of ${rings.length}`,
    `${sum(shops, ['succeeded'])} of ${total} shops have the settings`,
    ...Object.entries(shops)
      .filter(([one]) => one !== 'succeeded')
      .map(([one, count]) => `${count} ${one.replace('_', ' ')}`),
    next_ring_at === null ? '' : `the next ring begins ${next_ring_at}`,
  ];
}

/** The default is shown as it is typed. */
function listed(
  flags: string,
  description: string,
  parse: (text: string) => readonly number[],
  standard: readonly number[],
): Option {
  return new Option(flags, description).argParser(parse).default(standard, standard.join(','));
}

function whole(least: number, most: number): (text: string) => readonly number[] {
  return (text) => {
    const values = text.split(',').map((one) => (/^\d{1,5}$/.test(one) ? Number(one) : Number.NaN));
    if (values.every((value) => value >= least && value <= most)) return values;
    throw new InvalidArgumentError(`It must be whole numbers from ${least} to ${most}, with commas between.`);
  };
}
