import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A fault of a release, for tests: the kernel kills the process at its start, once a configuration with the heartbeat 4321 is tried by it. It is loaded before the daemon
 * (`--import`), which has no such thing.
 */
const folder = process.argv[process.argv.indexOf('--state-dir') + 1] ?? '';
const before = startsNow();
setInterval(() => {
  if (startsNow() > before) process.kill(process.pid, 'SIGKILL');
}, 1).unref();

function startsNow() {
  try {
    const { attempt } = JSON.parse(
      readFileSync(join(folder, 'credentials', 'fleet-configuration.json'), 'utf8'),
    );
    return attempt?.settings.heartbeat_ms === 4321 ? attempt.starts : 0;
  } catch {
    return 0;
  }
}
