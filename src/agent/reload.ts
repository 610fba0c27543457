import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { configChanges } from '../config/changes.ts';
import { loadSellingConfig } from '../config/load.ts';
import { problemText } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { tlsOf } from './tls.ts';

export interface ReloadDeps {
  readonly file: string;
  /** Those of the fleet, which stand over the files; null: none. */
  readonly settings: Readonly<Record<string, unknown>> | null;
  /** The configuration that the daemon was started with. */
  readonly running: Config;
  readonly log: Log & { setLevel(level: Config['log']['level']): void };
  readonly renewTls: (tls: NonNullable<ReturnType<typeof tlsOf>>) => void;
}

/**
 * Reads the configuration again. It applies the log level and the certificate (its files too, under the same names), and the log names the other keys
 * that differ from the running configuration, because those need a restart. A file that cannot be used changes nothing.
 */
export function reloadConfig({ file, settings, running, log, renewTls }: ReloadDeps): void {
  try {
    const { config: read, refused } = loadSellingConfig(file, settings ?? {});
    for (const { name, problems } of refused)
      log.error(
        { slot: name, problems: problems.map(problemText) },
        'integration would be refused at the next start',
      );
    const { takenOver, needRestart } = configChanges(running, read);
    const tls = running.tls && read.tls ? tlsOf(read) : null;
    if (tls) renewTls(tls);
    log.info({ file, changed: takenOver, certificate: tls !== null }, 'configuration was read again');
    log.setLevel(read.log.level);
    if (needRestart.length > 0)
      log.warn({ keys: needRestart, mend: 'systemctl restart tilld' }, 'these changes need a restart');
  } catch (error) {
    log.error({ file, error: messageOf(error) }, 'configuration cannot be used, nothing was changed');
  }
}
