import { readFileSync } from 'node:fs';
import { assemble } from './agent/assemble.ts';
import { type Command, readCommandLine } from './agent/command-line.ts';
import { exitCodeOf, mendOf } from './agent/exit-code.ts';
import { openDaemon } from './agent/open-daemon.ts';
import { startProcess } from './agent/process.ts';
import { serve } from './agent/serve.ts';
import { requireTls } from './agent/tls.ts';
import { messageOf } from './base/errors.ts';
import { loadSellingConfig } from './config/load.ts';

/** The group may read every file that this process creates, other users never; the socket depends on it. */
const UMASK = 0o007;

/** The daemon. Its only standard output is the ready line. */
async function main(args: readonly string[]): Promise<void> {
  const version = ownVersion();
  const command = readCommandLine(args, version);
  if (command.kind === 'print') process.stdout.write(`${command.text}\n`);
  else await run(command, version);
}

/** The calls stand in the order of the start; what was started stops in reverse. */
async function run(command: Extract<Command, { kind: 'run' }>, version: string): Promise<void> {
  process.umask(UMASK);
  const { config, refused } = loadSellingConfig(command.config);
  requireTls((command.listen ?? config.listen).host, config);
  const daemon = startProcess(config);
  try {
    const opened = await openDaemon(daemon, { config, refused, command, version });
    const running = await assemble(opened);
    await serve(opened, running);
  } catch (error) {
    await daemon.failed(error);
  }
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
