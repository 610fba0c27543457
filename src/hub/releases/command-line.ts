import { type Command, InvalidArgumentError } from 'commander';
import { AppError } from '../../base/errors.ts';
import { type OfTenant, ofTenant, quoted } from '../administration.ts';
import { print, printable, printJson, printRow } from '../printing.ts';
import { listReleases, objectionTo } from './releases.ts';

const TENANT = ['--tenant <name>', 'the merchant'] as const;

interface CheckOptions extends OfTenant {
  readonly least: number;
  readonly mostAmiss?: number;
}

const EXAMPLE = `\nExample, in the job that publishes the next ring:
  tillhub releases check 1.4.0 --tenant Bakery --least 20 && npm run package -- --repository /srv/apt --key KEY --suite stable`;

/** Which releases of tilld the shops run, and how they are with them. */
export function addReleases(hub: Command, database: readonly [flags: string, description: string]): void {
  const releases = hub.command('releases').description('releases of tilld that shops run');
  releases
    .command('list')
    .description('each with its shops, and how many of them are amiss')
    .requiredOption(...TENANT)
    .option('--json', 'one JSON document')
    .option(...database)
    .action((options: OfTenant) =>
      ofTenant(options, async (transaction) => {
        const data = await listReleases(transaction, Date.now());
        if (options.json) return printJson({ data });
        if (data.length === 0)
          return print(
            `No shop has joined yet: tillhub shops invite NAME --tenant ${quoted(options.tenant)}`,
          );
        for (const { version, shops, cannot_sell, silent, in_doubt } of data)
          printRow(
            ...[version, `${shops} shops`, `${cannot_sell} cannot sell`],
            ...[`${silent} silent`, `${in_doubt} with a payment in doubt`],
          );
      }),
    );
  releases
    .command('check <version>')
    .description('ends with 1 where this release should go to no further shop')
    .requiredOption(...TENANT)
    .option('--least <n>', 'so many shops run it at least', whole, 1)
    .option('--most-amiss <n>', 'so many of them may be amiss; default: 2 %, 4 at least', whole)
    .option(...database)
    .addHelpText('after', EXAMPLE)
    .action(check);
}

/** @throws RELEASE_AMISS */
async function check(version: string, options: CheckOptions): Promise<void> {
  await ofTenant(options, async (transaction) => {
    const releases = await listReleases(transaction, Date.now());
    const gate = { least: options.least, mostAmiss: options.mostAmiss ?? null };
    const objection = objectionTo(version, releases, gate);
    if (objection !== null) throw new AppError('RELEASE_AMISS', objection);
    print(`Nothing stands against ${printable(version)}.`);
  });
}

function whole(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be a whole number.');
}
