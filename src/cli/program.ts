import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EXIT, type ExitCode } from './exit-code.ts';
import { failureOf } from './failure.ts';
import { type GlobalOptions, type Io, printDocument } from './io.ts';

/** What a verb does with its options; loaded when it is called and not before. */
type Verb<Options> = (options: Options & GlobalOptions, io: Io) => Promise<ExitCode>;

/**
 * Runs one command line (without `node` and the script) to its end. Never rejects.
 * @returns the exit code of the process
 */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const session = { exit: EXIT.done as ExitCode };
  const json = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length).includes('--json');
  try {
    await program(io, (exit) => {
      session.exit = exit;
    }).parseAsync([...argv], { from: 'user' });
    return session.exit;
  } catch (error) {
    return error instanceof CommanderError ? usageExit(error, json, io) : failed(error, json, io);
  }
}

function usageExit(error: CommanderError, json: boolean, io: Io): ExitCode {
  if (error.exitCode === 0) return EXIT.done;
  const message =
    error.code === 'commander.help' ? 'a command is missing' : error.message.replace(/^error: /, '');
  if (json) printDocument(io, { error: { type: 'invalid_request_error', code: 'usage', message } });
  return EXIT.usage;
}

function failed(error: unknown, json: boolean, io: Io): ExitCode {
  const failure = failureOf(error);
  if (json) printDocument(io, failure.document);
  io.err(`tillctl: ${failure.words}\n`);
  return failure.exit;
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(version);
}

function program(io: Io, finish: (exit: ExitCode) => void): Command {
  const root = new Command('tillctl')
    .description('Takes payments, shows them, and tells how tilld is.')
    .version(ownVersion(), '-V, --version', 'the version of tillctl')
    .option('--json', 'exactly one JSON document on standard output')
    .option(
      '--socket <path>',
      'socket of tilld (else TILLD_SOCKET, ./.tilld/tilld.sock, /run/tilld/tilld.sock)',
    )
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride()
    .addHelpText('after', EXIT_HELP);
  const does =
    <Options>(
      load: () => Promise<Verb<Options>>,
      positional: (args: readonly unknown[]) => object = () => ({}),
    ) =>
    async (...args: readonly unknown[]) => {
      const command = args.at(-1);
      if (!(command instanceof Command)) return;
      const options = { ...command.optsWithGlobals<Options & GlobalOptions>(), ...positional(args) };
      finish(await (await load())(options, io));
    };
  addLooking(root, does);
  addPaying(root, does);
  addDeciding(root, does);
  addKeys(root, does);
  addOffline(root, does);
  return root;
}

type Does = <Options>(
  load: () => Promise<Verb<Options>>,
  positional?: (args: readonly unknown[]) => object,
) => (...args: readonly unknown[]) => Promise<void>;

function addLooking(root: Command, does: Does): void {
  root
    .command('status')
    .description('what can sell, report, and is fresh')
    .action(does(async () => (await import('./verbs/status.ts')).status));
  root
    .command('devices')
    .description('the terminals and what they are doing')
    .action(does(async () => (await import('./verbs/devices.ts')).devices));
  root
    .command('payments')
    .description('payments, newest first')
    .option('--status <status>', 'only these: requested, in_progress, succeeded, declined, cancelled, error')
    .option('--in-doubt', 'only those of which nobody knows yet whether the customer was charged')
    .option('--limit <n>', 'at most this many, 1 to 100', wholeNumber(1, 100), 20)
    .action(does(async () => (await import('./verbs/payments.ts')).payments));
  root
    .command('explain')
    .description('the whole story of one payment')
    .argument('<id>', 'id of the payment')
    .action(
      does(
        async () => (await import('./verbs/explain.ts')).explain,
        ([id]) => ({ id }),
      ),
    );
}

function addPaying(root: Command, does: Does): void {
  root
    .command('pay')
    .description('take a card payment and wait for its outcome')
    .requiredOption('--device <device>', 'id or name of the device')
    .requiredOption('--amount <amount>', 'decimal amount, like 12.34')
    .option('--currency <code>', "ISO 4217 code (default: the device's)")
    .option('--invoice <id>', 'id of the invoice that is paid')
    .option('--reference <text>', 'your own reference, 1 to 64 characters')
    .option('--after <id>', 'a final payment that you have seen and pass by')
    .option('--no-wait', 'end as soon as the payment is accepted')
    .option('--idempotency-key <key>', 'the key of an earlier try: the same payment, never a second one')
    .option(
      '--timeout <seconds>',
      'how long to wait while the outcome is in doubt',
      wholeNumber(1, 3600),
      150,
    )
    .action(does(async () => (await import('./verbs/pay.ts')).pay));
}

function addDeciding(root: Command, does: Does): void {
  root
    .command('cancel')
    .description('ask for a payment to be stopped; once it runs, the terminal decides')
    .argument('<id>', 'id of the payment')
    .action(
      does(
        async () => (await import('./verbs/cancel.ts')).cancel,
        ([id]) => ({ id }),
      ),
    );
  root
    .command('resolve')
    .description('end a doubt by what a person saw on the terminal')
    .argument('<id>', 'id of the payment')
    .addOption(
      new Option('--as <outcome>', 'what it was').choices(['succeeded', 'not_charged']).makeOptionMandatory(),
    )
    .requiredOption('--by <name>', 'who looked')
    .requiredOption('--reason <text>', 'why')
    .requiredOption('--shown <text>', 'what the terminal showed: receipt number, authorisation code')
    .action(
      does(
        async () => (await import('./verbs/resolve.ts')).resolve,
        ([id]) => ({ id }),
      ),
    );
}

function addKeys(root: Command, does: Does): void {
  root
    .command('keys')
    .description('API keys of the local interface')
    .command('create')
    .description('make a key; it is shown once')
    .option('--name <name>', 'what it is for', 'till')
    .requiredOption('--scope <scope>', 'what it may do; repeat for more', collect)
    .option('--allow <cidr>', 'address or range it may be used from; repeat for more', collect)
    .option('--expires <days>', 'days until it ends', wholeNumber(1, 3650))
    .action(does(async () => (await import('./verbs/keys-create.ts')).keysCreate));
}

function addOffline(root: Command, does: Does): void {
  root
    .command('decode')
    .description('recorded bytes of a terminal as JSON; needs no daemon')
    .requiredOption('--protocol <protocol>', 'protocol of the bytes, like zvt')
    .option('--layer <layer>', 'frame, apdu, message or stream (default: found out)')
    .option('--context <hex>', 'the request that the bytes answer')
    .argument('<hex...>', 'the bytes; - reads one HEX per line from standard input')
    .action(
      does(
        async () => (await import('./offline/decode.ts')).decode,
        ([hex]) => ({ hex }),
      ),
    );
  root
    .command('config')
    .description('the configuration file')
    .command('check')
    .description('check a configuration file; needs no daemon')
    .argument('[file]', 'default: ./tilld.jsonc, /etc/tilld/tilld.jsonc, then the demo')
    .action(
      does(
        async () => (await import('./offline/config-check.ts')).configCheck,
        ([file]) => ({ file }),
      ),
    );
}

function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

const EXIT_HELP = `
Exit codes: 0 done, 1 the outcome was no or a refusal, 2 usage or config, 3 no daemon,
4 outcome unknown, 5 interrupted (the payment goes on).`;
