import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../src/base/errors.ts';
import type { Key } from '../../../src/sandbox/controllable-terminal.ts';
import { hold } from '../breach.ts';
import type { End } from '../interface.ts';
import { CounterTerminal } from './counter-terminal.ts';
import { dashboardAt } from './dashboard.ts';
import { type OpenShop, openShop } from './open-shop.ts';
import type { Setting, Side } from './side.ts';
import { Stage } from './stage.ts';
import { textMemory } from './text-memory.ts';

/** Longest that a payment may take to come to an end, virtual ms; a doubt is read for minutes. */
const LONGEST_MS = 1_200_000;
const STEP_MS = 1000;
/** What the core throws then; a code that has no answer of its own is an internal error. */
const CODE_OF = {
  broken: 'PLANTED',
  unavailable: 'STORAGE_FAILED',
  gateway_failed: null,
  gateway_slow: null,
} as const;
const KEY_OF: Readonly<Record<Exclude<End, 'error'>, Key>> = {
  succeeded: 'approve',
  declined: 'decline',
  cancelled: 'abort',
};

/** Opens the local interface over the real core, a real database, and a virtual terminal for each device. */
export async function openLocal(setting: Setting): Promise<Side> {
  const stage = new Stage();
  const folder = mkdtempSync(join(tmpdir(), 'tilld-contract-'));
  const terminals = new Map(
    stage.devices.map((id, index) => [id, new CounterTerminal(stage.clock, index, textMemory())]),
  );
  const faults: AppError[] = [];
  const start = () => openShop({ folder, stage, terminals, setting, faults });
  let shop: OpenShop = await start();
  const statusOf = (id: string) => shop.statusOf(id);
  const passUntil = async (what: string, isSo: () => boolean) => {
    for (let passed = 0; passed < LONGEST_MS && !isSo(); passed += STEP_MS)
      await stage.clock.advance(STEP_MS);
    hold(isSo(), () => `${what} did not come about`);
  };
  const begin = (id: string) =>
    passUntil(`${id} at its terminal`, () => terminalOf(terminals, shop.deviceOf(id)).isAtWork);
  return {
    name: 'local',
    devices: stage.devices,
    send: (asked) => stage.send(shop.url, asked),
    keyOf: (name) => stage.keyOf(name),
    freshDevice: () => stage.freshDevice(),
    freshAmount: () => stage.freshAmount(),
    now: () => stage.clock.now(),
    pass: (ms) => stage.clock.advance(ms),
    jump: (ms) => stage.clock.jumpWallClock(ms),
    until: (what, isSo) => stage.until(what, isSo),
    begin,
    finish: async (id, as) => {
      const terminal = terminalOf(terminals, shop.deviceOf(id));
      await begin(id);
      if (as === 'error') terminal.losePower();
      else terminal.press(KEY_OF[as]);
      await passUntil(`${id} ${as}`, () => statusOf(id) === as);
    },
    failNext: (how) => {
      const code = CODE_OF[how];
      if (code === null) throw new Error('there is no gateway behind the local interface');
      faults.push(new AppError(code, 'planted'));
    },
    holdNext: () => {
      throw new Error('a write of the local interface is done in one go: nothing can hold it');
    },
    dashboard: dashboardAt(() => shop.socket, '/v2/keys'),
    restart: async () => {
      await shop.close();
      shop = await start();
    },
    close: async () => {
      await shop.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function terminalOf(terminals: ReadonlyMap<string, CounterTerminal>, deviceId: string): CounterTerminal {
  const terminal = terminals.get(deviceId);
  if (!terminal) throw new Error(`no terminal at ${deviceId}`);
  return terminal;
}
