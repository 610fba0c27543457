import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addBackOffice } from './commands/back-office.ts';
import { addCompletion } from './commands/completion.ts';
import type { Does, Verb } from './commands/does.ts';
import { addDriverTools } from './commands/driver-tools.ts';
import { addFleet } from './commands/fleet.ts';
import { group } from './commands/groups.ts';
import { addIntegrations } from './commands/integrations.ts';
import { addKeys } from './commands/keys.ts';
import { addLooking } from './commands/looking.ts';
import { addBeside, addBooks, addOffline, addSetup } from './commands/offline.ts';
import { addOutbox } from './commands/outbox.ts';
import { addDeciding, addPaying } from './commands/paying.ts';
import { addPeople } from './commands/people.ts';
import { addRecipe } from './commands/recipe.ts';
import { addSignIn } from './commands/sign-in.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { failureOf } from './failure.ts';
import { type GlobalOptions, type Io, printDocument } from './io.ts';

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
  const root = commands(io, finish);
  addCompletion(root, () => commands(io, finish), io);
  group(root);
  return root;
}

/** The verbs, in the order of the help and the manual. */
export function commands(io: Io, finish: (exit: ExitCode) => void): Command {
  const root = new Command('tillctl')
    .description('The command line of tilld: payments, terminals, integrations and their state.')
    .version(ownVersion(), '-V, --version', 'the version of tillctl')
    .option('--json', 'exactly one JSON document on standard output')
    .option(
      '--socket <path>',
      'socket of tilld (else TILLD_SOCKET, ./.tilld/tilld.sock, /run/tilld/tilld.sock)',
    )
    .option('--utc', "times in UTC (default: this machine's time zone)")
    .on('option:utc', () => {
      process.env['TZ'] = 'UTC';
    })
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride()
    .addHelpCommand(
      new Command('help').argument('[command]').description('show the help of a command').helpGroup('Tools:'),
    )
    .addHelpText('after', EXIT_HELP);
  const does: Does =
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
  addPaying(root, does);
  addDeciding(root, does);
  addBackOffice(root, does);
  addIntegrations(root, does);
  addRecipe(root, does);
  addOutbox(root, does);
  addWebhooks(root, does);
  addSetup(root, does);
  addLooking(root, does);
  addPeople(root, does);
  addSignIn(root, does);
  addKeys(root, does);
  addFleet(root, does);
  addBooks(root, does);
  addOffline(root, does);
  addBeside(root, does);
  addDriverTools(root, does);
  return root;
}

const EXIT_HELP = `
Exit codes: 0 done, 1 the outcome was no or a refusal, 2 usage or config, 3 no daemon,
4 outcome unknown, 5 interrupted (the payment, or the sync, goes on),
6 drain --wait: a terminal is not idle in time.`;
