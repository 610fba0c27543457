import type { Judging } from '../fleet/agent/configuration-keeper.ts';
import { assemble } from './assemble.ts';
import type { Command } from './command-line.ts';
import { openDaemon } from './open-daemon.ts';
import { startProcess } from './process.ts';
import { serve } from './serve.ts';
import { startingConfig } from './starting-config.ts';
import { requireTls } from './tls.ts';

/** The group may read every file that this process creates, other users never; the socket depends on it. */
const UMASK = 0o007;

/**
 * Runs the daemon. The calls stand in the order of the start; what was started stops in reverse.
 * @param judging how a configuration of its fleet is judged
 * @throws what stopped the start
 */
export async function runDaemon(
  command: Extract<Command, { kind: 'run' }>,
  version: string,
  judging: Judging,
): Promise<void> {
  process.umask(UMASK);
  const starting = startingConfig(command.config, command.stateDir, Date.now());
  const { config } = starting;
  requireTls((command.listen ?? config.listen).host, config);
  const daemon = startProcess(config);
  try {
    const opened = await openDaemon(daemon, { ...starting, command, version, judging });
    const running = await assemble(opened);
    await serve(opened, running);
  } catch (error) {
    await daemon.failed(error);
  }
}
