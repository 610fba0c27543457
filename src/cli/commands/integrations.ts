import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { type Does, named, wholeNumber } from './does.ts';

const PROVIDER = 'provider_a, provider_b, terminal or provider_d';

/** Providers whose records tilld syncs. */
export function addIntegrations(root: Command, does: Does): void {
  root
    .command('integrations')
    .description('show the integrations and the state of their syncs; of one, its last runs, too')
    .argument('[provider]', PROVIDER)
    .option('--streams', 'each resource of each integration, too')
    .option('--runs', 'the runs of one provider alone, of the last eight days')
    .option('--limit <n>', 'at most this many runs, 1 to 100', wholeNumber(1, 100), 10)
    .option('--after <run>', 'go on with the runs before this one', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(does(async () => (await import('../verbs/integrations.ts')).integrations, named('provider')));
  addSync(root, does);
  addSwitches(root, does);
  addCredentials(root, does);
  addMappings(root, does);
}

function addSync(root: Command, does: Does): void {
  root
    .command('sync')
    .description('sync a provider now')
    .argument('<provider>', PROVIDER)
    .option('--resource <name>', 'this resource alone')
    .option('--full-resync', 'read everything again, not only what is new')
    .option('--dry-run', 'show what would be written and with how many requests; nothing is written')
    .option('--records', 'of a dry run: each record, with personal data masked')
    .option('--show-data', 'of a dry run: each record as it is, with personal data')
    .option('--wait', 'show the progress until it is done; Ctrl-C leaves the sync running')
    .action(does(async () => (await import('../verbs/sync.ts')).sync, named('provider')));
  root
    .command('parked')
    .description('list quarantined records by what they wait for')
    .argument('<provider>', PROVIDER)
    .option('--limit <n>', 'at most this many, 1 to 100', wholeNumber(1, 100), 20)
    .option('--after <id>', 'go on behind this one')
    .option('--cause <id>', 'the records of this cause alone, or of bad, mapping or rejected')
    .addOption(
      new Option(
        '--by <what>',
        'by what they wait for, or by record; default: cause, with --json record',
      ).choices(['cause', 'record']),
    )
    .action(does(async () => (await import('../verbs/parked.ts')).parked, named('provider')));
  root
    .command('retry-parked')
    .description('try quarantined records again now, all of them or those of one cause')
    .argument('<provider>', PROVIDER)
    .option('--cause <id>', 'one cause of `tillctl parked`, or bad, mapping or rejected')
    .action(does(async () => (await import('../verbs/parked.ts')).retryParked, named('provider')));
  root
    .command('approve')
    .description('approve a deletion check: rows that the provider does not have any more are removed')
    .argument('<provider>', PROVIDER)
    .argument('<resource>', 'for example customers')
    .action(does(async () => (await import('../verbs/integration-change.ts')).approve, both('resource')));
}

function addSwitches(root: Command, does: Does): void {
  root
    .command('resume')
    .description('end the pause of an integration, reset its error count, and sync at once')
    .argument('<provider>', PROVIDER)
    .action(does(async () => (await import('../verbs/integration-change.ts')).resume, named('provider')));
  root
    .command('toggle')
    .description('switch the syncs of an integration on or off; nothing is forgotten')
    .argument('<provider>', PROVIDER)
    .argument('<state>', 'on or off', onOrOff)
    .action(does(async () => (await import('../verbs/integration-change.ts')).toggle, both('state')));
  root
    .command('lookback')
    .description('set how many days of invoices the first sync of an integration reads')
    .argument('<provider>', PROVIDER)
    .argument('<days>', '1 to 3650', wholeNumber(1, 3650))
    .action(does(async () => (await import('../verbs/integration-change.ts')).lookback, both('days')));
  root
    .command('mapping-policy')
    .description('set whether a line without a mapped product waits; without an option: show it')
    .argument('<provider>', PROVIDER)
    .option('--require <state>', 'on: it waits for a mapping; off: it is imported without a product', onOrOff)
    .option('--mode <mode>', 'import_only is known')
    .action(
      does(async () => (await import('../verbs/integration-change.ts')).mappingPolicy, named('provider')),
    );
  root
    .command('deactivate')
    .description('deactivate an integration; its credential, mappings and cursors are kept')
    .argument('<provider>', PROVIDER)
    .action(does(async () => (await import('../verbs/integration-change.ts')).deactivate, named('provider')));
}

function addCredentials(root: Command, does: Does): void {
  const verb = (name: 'activate' | 'rotate' | 'test', description: string) =>
    root
      .command(name)
      .description(description)
      .argument('<provider>', PROVIDER)
      .option('--api-key-file <file>', 'the file that holds the key; - reads standard input')
      .option('--base-url <url>', 'https address of the provider (plain http on this machine only)')
      .option('--app-name <name>', 'the name under which tilld introduces itself')
      .option('--app-email <address>', 'the address that the provider may write to')
      .action(does(async () => (await import('../verbs/credentials.ts'))[name], named('provider')));
  const untried = ['--no-test', 'keep the key although it cannot be tried now'] as const;
  verb('activate', 'activate an integration, with a key or with the stored one').option(...untried);
  verb('rotate', 'replace the key of an integration; its address and names stay as they are').option(
    ...untried,
  );
  root
    .command('authorize')
    .description(
      'authorise tilld at a provider in a browser on this machine (OAuth 2.0); the tokens are stored',
    )
    .argument('<provider>', PROVIDER)
    .option(
      '--api-key-file <file>',
      'the file that holds id:secret of the OAuth client; - reads standard input',
    )
    .option('--base-url <url>', 'https address of the provider, where its recipe has none')
    .option(
      '--port <n>',
      'of the redirect address on this machine, where the provider wants one (default: any)',
      wholeNumber(0, 65_535),
      0,
    )
    .option(
      '--config <file>',
      'the configuration (default: ./tilld.jsonc, /etc/tilld/tilld.jsonc, then the demo)',
    )
    .action(does(async () => (await import('../offline/authorize.ts')).authorize, named('provider')));
  verb('test', 'try the stored key, or another one, with each resource of a provider; nothing is stored');
  root
    .command('credentials')
    .description('show what is stored beside the key of an integration; never the key')
    .argument('<provider>', PROVIDER)
    .addArgument(new Argument('[action]', 'show').choices(['show']).default('show'))
    .action(does(async () => (await import('../verbs/credentials.ts')).credentials, named('provider')));
  root
    .command('webhook-secret')
    .description('set or remove the secret with which a provider signs the webhooks that wake its syncs')
    .argument('<provider>', PROVIDER)
    .option('--secret-file <file>', 'the file that holds the secret; - reads standard input')
    .option(
      '--overlap-hours <n>',
      'how long the secret before it stays valid, too, 0 to 168 (default: 24)',
      wholeNumber(0, 168),
    )
    .option('--remove', 'forget the secret: webhooks of the provider are refused from now on')
    .action(does(async () => (await import('../verbs/webhook-secret.ts')).webhookSecret, named('provider')));
}

function addMappings(root: Command, does: Does): void {
  root
    .command('mappings')
    .description(
      'show the product mappings of an integration, edit them as a table, compare them with a file, or apply a file',
    )
    .argument('<provider>', PROVIDER)
    .argument('[action]', 'show, edit, diff or apply', 'show')
    .argument('[file]', 'JSON {"mappings":[…]}, - reads standard input; to edit: a table that was kept')
    .option('--yes', 'apply without a question')
    .action(
      does(
        async () => (await import('../verbs/mappings.ts')).mappings,
        ([provider, action, file]) => ({ provider, action, file }),
      ),
    );
}

/** A provider and a second argument. */
function both(second: string): (args: readonly unknown[]) => object {
  return ([provider, value]) => ({ provider, [second]: value });
}

function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError('It must be on or off.');
}
