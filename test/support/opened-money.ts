import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Money, openMoney } from '../../src/agent/money.ts';
import type { StateWitnesses } from '../../src/agent/state-identity.ts';
import type { Clock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { Lifecycle } from '../../src/runtime/lifecycle.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import { stateFolder } from './state-folder.ts';

export interface OpenedMoney {
  readonly money: Money;
  /** Closes it, as an orderly end of the process; idempotent, and called when the test ends. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the money database of a state folder as the daemon does at its start.
 * @param path of the database; the files beside it are in the same folder
 */
export function openedMoney(
  path: string,
  clock: Clock,
  witnesses: StateWitnesses | null = null,
): OpenedMoney {
  const lifecycle = new Lifecycle(silentLog);
  const folder = stateFolder(dirname(path));
  const version = '0.1.0';
  const money = openMoney({ folder, version, clock, ids: systemIds, log: silentLog, lifecycle, witnesses });
  const close = () => lifecycle.stop();
  onTestFinished(close);
  return { money, close };
}
