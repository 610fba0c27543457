import { readCommandLine } from '../../src/agent/command-line.ts';
import { exitCodeOf } from '../../src/agent/exit-code.ts';
import { runDaemon } from '../../src/agent/run-daemon.ts';
import { messageOf } from '../../src/base/errors.ts';

/** The daemon, which judges a configuration of its fleet for seconds in place of minutes. */
const JUDGING = { holdsMs: 8_000, amissMs: 6_000 };

try {
  const command = readCommandLine(process.argv.slice(2), '0.1.0');
  if (command.kind === 'run') await runDaemon(command, '0.1.0', JUDGING);
} catch (error) {
  process.stderr.write(`tilld: ${messageOf(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
