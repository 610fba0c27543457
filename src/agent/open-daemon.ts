import { resolve } from 'node:path';
import type { RefusedIntegration } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { serviceEnvironment } from '../config/service-key.ts';
import type { Judging } from '../fleet/agent/configuration-keeper.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import { holdStateFolder, type StateFolder } from '../runtime/state-folder.ts';
import { systemClock as clock } from '../runtime/system-clock.ts';
import { systemIds as ids } from '../runtime/system-ids.ts';
import type { Command } from './command-line.ts';
import { keepDiskSpace } from './disk-space.ts';
import { type Money, openMoney } from './money.ts';
import type { DaemonProcess } from './process.ts';
import type { Sandbox } from './sandbox.ts';
import { serviceKey } from './service-key.ts';
import { type StartDeps, whenThereIsSpace } from './space-to-start.ts';
import type { StartingConfig } from './starting-config.ts';
import { stateWitnesses } from './state-identity.ts';
import { whenLeft } from './when-free.ts';

/** What the daemon was started with. */
export interface StartedWith {
  readonly config: Config;
  /** Integrations that the configuration has and `config` lacks. */
  readonly refused: readonly RefusedIntegration[];
  readonly command: Extract<Command, { kind: 'run' }>;
  readonly version: string;
  /** The shop's own files alone, without the settings of its fleet. */
  readonly own: Config;
  /** The settings of its fleet that `config` has; null: none. */
  readonly fleet: StartingConfig['fleet'];
  readonly judging: Judging;
}

/** The state folder is held, the database open, and the sandbox of a demo runs. */
export interface OpenedDaemon extends StartedWith {
  readonly daemon: DaemonProcess;
  readonly start: StartDeps;
  readonly folder: StateFolder;
  readonly money: Money;
  readonly disk: DiskSpace;
  /** The key for the service; null: there is none. */
  readonly credential: () => string | null;
  /** null: the configuration has none. */
  readonly sandbox: Sandbox | null;
  /** Address of the service without `/v2`; null: none is configured. */
  readonly serviceUrl: string | null;
}

/** Opens what the agent stands on; on a full disk it waits for space. */
export async function openDaemon(daemon: DaemonProcess, started: StartedWith): Promise<OpenedDaemon> {
  const { config, command, version } = started;
  const { log, lifecycle, signal, diskFailed: onFailure } = daemon;
  const stateDir = resolve(command.stateDir ?? config.state_dir);
  const start = { folder: stateDir, clock, log, signal };
  const folder = await whenThereIsSpace(() => whenLeft(() => holdStateFolder(stateDir), start), start);
  lifecycle.started('state folder', () => folder.release());
  const witnesses = stateWitnesses(folder.path, config, process.env);
  const opening = { folder, version, clock, ids, log, lifecycle, witnesses, onFailure };
  const money = await whenThereIsSpace(() => openMoney(opening), start);
  const disk = keepDiskSpace({ folder: folder.path, money, clock, log, lifecycle });
  const credential = serviceKey(config, folder, log);
  const sandbox = await sandboxOf(daemon, started, folder, credential() ?? '');
  const environment = serviceEnvironment(config);
  const isUsed = environment !== null && environment !== 'mock';
  const serviceUrl = isUsed ? (config.service?.url ?? sandbox?.serviceUrl ?? null) : null;
  return { ...started, daemon, start, folder, money, disk, credential, sandbox, serviceUrl };
}

async function sandboxOf(
  { log, lifecycle }: DaemonProcess,
  { config, command }: StartedWith,
  folder: StateFolder,
  key: string,
): Promise<Sandbox | null> {
  if (!config.sandbox) return null;
  const { startSandbox } = await import('./sandbox.ts');
  const anyPort = command.listen?.port === 0;
  const ports = { config, folder: folder.sandbox, serviceKey: key, anyPort, clock, ids, log, lifecycle };
  return startSandbox(config.sandbox, ports);
}
