import { readFileSync } from 'node:fs';
import { readCommandLine } from './agent/command-line.ts';
import { exitCodeOf, mendOf } from './agent/exit-code.ts';
import { runDaemon } from './agent/run-daemon.ts';
import { messageOf } from './base/errors.ts';
import { JUDGING } from './fleet/agent/configuration-keeper.ts';

/** The daemon. Its only standard output is the ready line. */
async function main(args: readonly string[]): Promise<void> {
  const version = ownVersion();
  const command = readCommandLine(args, version);
  if (command.kind === 'print') process.stdout.write(`${command.text}\n`);
  else await runDaemon(command, version, JUDGING);
}

/** The call that started tilld, for the command that corrects a failed start; such a command often changes `--listen`. */
function ownCall(args: readonly string[]): string {
  const viaNpm = process.env['npm_lifecycle_event'] === 'start';
  const own = viaNpm ? args.slice(2) : args;
  const kept = own.filter((arg, index) => !arg.startsWith('--listen') && own[index - 1] !== '--listen');
  return [viaNpm ? 'npm start --' : 'tilld', ...kept].join(' ');
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}

/** Ends with an exit code in every case. */
async function begin(): Promise<void> {
  const args = process.argv.slice(2);
  try {
    await main(args);
  } catch (error) {
    const mend = mendOf(error, ownCall(args));
    process.stderr.write(`tilld: ${messageOf(error)}\n${mend === null ? '' : `${mend}\n`}`);
    process.exitCode = exitCodeOf(error);
  }
}

void begin();
