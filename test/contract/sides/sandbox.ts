import { silentLog } from '../../../src/base/log.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import type { SandboxKey, SandboxSettings } from '../../../src/sandbox/service/settings.ts';
import {
  type SandboxService,
  startSandboxService,
} from '../../../src/sandbox/service/start-sandbox-service.ts';
import { hold } from '../breach.ts';
import type { End } from '../interface.ts';
import { ACCOUNT } from './account.ts';
import { dashboardAt } from './dashboard.ts';
import { KEY_PLANS, type KeyPlan } from './keys.ts';
import type { Setting, Side } from './side.ts';
import { Stage } from './stage.ts';
import { textMemory } from './text-memory.ts';

const STATUS_OF = { broken: 500, unavailable: 503, gateway_failed: 502, gateway_slow: 504 } as const;
/** Longer than anything that a row does meanwhile, virtual ms. */
const HELD_MS = 60_000;
/** Who works on a payment, where a person at a terminal does on the other side. */
const CLAIM = { agent: 'contract' };

/** Opens the sandbox service: its own HTTP server, its memory in a text. */
export async function openSandbox(setting: Setting): Promise<Side> {
  const stage = new Stage();
  const memory = textMemory();
  const settings = settingsOf(stage, setting);
  const start = () =>
    startSandboxService(settings, {
      clock: stage.clock,
      ids: systemIds,
      log: silentLog,
      memory,
      terminals: [],
    });
  let service: SandboxService = await start();
  const post = async (path: string, body: unknown) => {
    const answer = await stage.send(service.url, {
      method: 'POST',
      path,
      headers: { 'x-api-key': stage.keyOf('full') },
      body,
    });
    hold(answer.status === 200, () => `${path} gave ${answer.status}: ${answer.text}`);
  };
  return {
    name: 'sandbox',
    devices: stage.devices,
    send: (asked) => stage.send(service.url, asked),
    keyOf: (name) => stage.keyOf(name),
    freshDevice: () => stage.freshDevice(),
    freshAmount: () => stage.freshAmount(),
    now: () => stage.clock.now(),
    pass: (ms) => stage.clock.advance(ms),
    jump: (ms) => stage.clock.jumpWallClock(ms),
    until: (what, isSo) => stage.until(what, isSo),
    begin: (id) => post(`/v2/terminal-payments/${id}/claim`, CLAIM),
    finish: (id: string, as: End) => post(`/v2/terminal-payments/${id}/result`, { status: as }),
    failNext: (how) => {
      service.control.behave({ status: { code: STATUS_OF[how], times: 1 } });
    },
    holdNext: () => {
      service.control.behave({ slow_ms: HELD_MS });
      return {
        begun: () => stage.until('the held request', () => stage.clock.pending.includes('sandbox slow')),
        release: async () => {
          service.control.behaveWell();
          await stage.clock.advance(HELD_MS);
        },
      };
    },
    dashboard: dashboardAt(() => service.url, '/sandbox/keys'),
    restart: async () => {
      await service.stop();
      service = await start();
    },
    close: () => service.stop(),
  };
}

function settingsOf(stage: Stage, { plan = 'enterprise' }: Setting): SandboxSettings {
  return {
    listen: { host: '127.0.0.1', port: 0 },
    keys: KEY_PLANS.map((key) => keyOf(key, stage.clock.now())),
    devices: stage.devices.map((id, index) => ({ id, name: `Counter ${index + 1}` })),
    plan,
    honoursOurId: true,
    keepsMetadata: true,
    refusesUnknownFields: true,
    hasClaim: true,
    catalogue: ACCOUNT,
  };
}

function keyOf({ key, scopes, expiresInMs, revoked, allow }: KeyPlan, now: number): SandboxKey {
  return {
    key,
    scopes,
    ...(expiresInMs === undefined ? {} : { expiresAt: now + expiresInMs }),
    ...(revoked ? { revoked } : {}),
    ...(allow ? { allow } : {}),
  };
}
