import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError, messageOf } from '../base/errors.ts';
import { loadSellingConfig, type SellingConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import {
  begin,
  type ConfigurationPlace,
  ConfigurationState,
  givenUp,
} from '../fleet/agent/configuration-state.ts';
import { ownerOf } from '../runtime/pid-file.ts';
import { writeFileDurably } from '../store/disk/durable-file.ts';

/** What the daemon starts with. */
export interface StartingConfig extends SellingConfig {
  /** The shop's own files alone. */
  readonly own: Config;
  /** Settings of a fleet over them, and their revision; null: none. */
  readonly fleet: { readonly revision: number; readonly settings: Readonly<Record<string, unknown>> } | null;
}

/**
 * Reads the shop's own files, and the settings of its fleet over them. Whatever is wrong with the latter, the shop starts: with the last good ones, or with its own files alone.
 * @param stateDir null: what the files say
 * @throws CONFIG_NOT_FOUND, CONFIG_INVALID for the shop's own files
 */
export function startingConfig(file: string, stateDir: string | null, now: number): StartingConfig {
  const own = loadSellingConfig(file);
  const alone = { ...own, own: own.config, fleet: null };
  const folder = resolve(stateDir ?? own.config.state_dir);
  const place = configurationPlace(join(folder, 'credentials'));
  const state = quietly(() => place.read());
  if (!state) return alone;
  // A second daemon is refused its folder; it must not count as a start.
  const isHeld = quietly(() => ownerOf(join(folder, 'tilld.pid')).kind === 'alive') ?? false;
  const keep = (changed: ConfigurationState) => isHeld || kept(place, changed);
  let begun = begin(state, now);
  if (begun.state !== state && !keep(begun.state)) begun = { state, run: state.good };
  for (const fleet of new Set([begun.run, begun.state.good])) {
    if (fleet === null) break;
    try {
      return { ...loadSellingConfig(file, fleet.settings), own: own.config, fleet };
    } catch (error) {
      const failed = { revision: fleet.revision, why: messageOf(error), at: now };
      const isTried = begun.state.attempt !== null && fleet === begun.run && fleet !== begun.state.good;
      keep(isTried ? givenUp(begun.state, failed.why, now) : { ...begun.state, failed });
    }
  }
  return alone;
}

/** A file of the credentials, beside the membership: it is in no backup, and another machine begins without it. */
export function configurationPlace(credentials: string): ConfigurationPlace {
  const path = join(credentials, 'fleet-configuration.json');
  return {
    read: () => read(path),
    keep: (state) => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileDurably(path, `${JSON.stringify(state)}\n`);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** null: there is no such file. @throws FLEET_FILE_UNREADABLE */
function read(path: string): ConfigurationState | null {
  try {
    return ConfigurationState.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new AppError('FLEET_FILE_UNREADABLE', `${path} cannot be read: ${messageOf(error)}`);
  }
}

/** @returns whether it is on disk */
function kept(place: ConfigurationPlace, state: ConfigurationState): boolean {
  return quietly(() => place.keep(state) ?? true) ?? false;
}

/** null: it failed. The keeper says so once there is a log. */
function quietly<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
