import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zvtDialect } from '../../../drivers/terminals/zvt/virtual.ts';
import type { ZvtVirtualOptions } from '../../../drivers/terminals/zvt/virtual-options.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import type { Memory, VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';
import type { SandboxSettings } from '../../../src/sandbox/service/settings.ts';
import {
  type SandboxService,
  startSandboxService,
} from '../../../src/sandbox/service/start-sandbox-service.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../../src/sandbox/terminal/start-virtual-terminal.ts';

export const DEVICE_ID = '0199c0de-0000-7000-8000-0000000000d1';
const SERVICE_KEY = 'rk_sandbox_crash_rounds';

/** How the terminal is connected. */
export const LINKS = ['tcp', 'serial'] as const;
export type LinkKind = (typeof LINKS)[number];

/** What terminal and service of a round are like, where vendors and services differ. */
export interface Traits {
  readonly link: LinkKind;
  readonly missingAcknowledgement: VirtualTerminalSettings['missingAcknowledgement'];
  readonly terminal: Partial<ZvtVirtualOptions>;
  readonly service: Partial<Pick<SandboxSettings, 'honoursOurId' | 'keepsMetadata' | 'refusesUnknownFields'>>;
  readonly partialApproval: 'void' | 'keep';
  /** Receipts come to the till as texts, and are part of what must be acknowledged; else the terminal prints them. */
  readonly receipts: boolean;
}

/** What goes on when the daemon dies: a terminal with its customers, the service, and a folder with what was written. */
export interface World {
  readonly terminal: RunningVirtualTerminal;
  readonly service: SandboxService;
  readonly stateDir: string;
  readonly config: string;
  close(): Promise<void>;
}

/** Times of the virtual terminal, in ms: those of the protocol are shorter than in a shop, so that a dead till is given up sooner. */
const TERMINAL_TIMES = { hostMs: 120, customerTimeoutMs: 2500, t2Ms: 600, t3Ms: 1200 } as const;
/** The driver's own, the least that it allows being 500 and 1000. */
const DRIVER_TIMES = { t2_ms: 600, t3_ms: 1200 } as const;
/** A sandbox may say "not charged" sooner than a shop: this terminal tells at once what it has stored. */
const RECOVERY = {
  settle_ms: 400,
  read_interval_ms: 60,
  ask_person_after_ms: 8000,
  give_up_ms: 15_000,
} as const;

/** Starts terminal and service in this process, and writes a config that points at them. `folder` must be there and be empty. */
export async function startWorld(folder: string, traits: Traits): Promise<World> {
  const ports = { clock: systemClock, log: silentLog };
  const terminal = await startVirtualTerminal(
    terminalSettings(traits),
    zvtDialect({ ...TERMINAL_TIMES, ...traits.terminal }),
    { ...ports, memory: inMemory() },
  );
  try {
    const service = await startSandboxService(serviceSettings(traits), {
      ...ports,
      ids: systemIds,
      memory: inMemory(),
      terminals: [terminal],
    });
    const stateDir = join(folder, 'state');
    return {
      terminal,
      service,
      stateDir,
      config: writeConfig(folder, stateDir, terminal.address, service.url, traits),
      close: async () => {
        await service.stop();
        await terminal.stop();
      },
    };
  } catch (error) {
    await terminal.stop();
    throw error;
  }
}

function terminalSettings({ link, missingAcknowledgement }: Traits): VirtualTerminalSettings {
  return {
    name: 'counter-1',
    protocol: 'zvt',
    over: link === 'tcp' ? 'tcp' : 'pty',
    port: 0,
    currency: 'EUR',
    serial: '17F00001',
    terminalId: '52500038',
    autopilot: 'off',
    autopilotMs: 0,
    missingAcknowledgement,
    faults: [],
  };
}

function serviceSettings({ service }: Traits): SandboxSettings {
  return {
    listen: { host: '127.0.0.1', port: 0 },
    keys: [{ key: SERVICE_KEY, scopes: ['payments:read', 'payments:write', 'webhooks:read'] }],
    devices: [{ id: DEVICE_ID, name: 'Counter 1' }],
    plan: 'enterprise',
    honoursOurId: true,
    keepsMetadata: true,
    refusesUnknownFields: true,
    hasClaim: true,
    ...service,
  };
}

function writeConfig(
  folder: string,
  stateDir: string,
  address: string,
  serviceUrl: string,
  { partialApproval, receipts }: Traits,
): string {
  mkdirSync(join(stateDir, 'credentials'), { recursive: true });
  writeFileSync(join(stateDir, 'credentials', 'service-key'), SERVICE_KEY, { mode: 0o600 });
  const tcp = /^tcp:\/\/(.+):(\d+)$/.exec(address);
  const link = tcp ? { type: 'tcp', host: tcp[1], port: Number(tcp[2]) } : { type: 'serial', path: address };
  const device = {
    id: DEVICE_ID,
    name: 'Counter 1',
    driver: 'zvt',
    currency: 'EUR',
    link,
    partial_approval: partialApproval,
    options: { ...DRIVER_TIMES, receipts },
  };
  const config = {
    version: 1,
    environment: 'sandbox',
    log: { level: 'debug' },
    limits: { requests_per_minute: 60_000, burst: 1000 },
    lane: { wait_ms: 300_000 },
    recovery: RECOVERY,
    heartbeat_ms: 2000,
    service: {
      url: serviceUrl,
      poll_interval_ms: 250,
      requests_per_minute: 6000,
      burst: 200,
      create_local: 'on',
    },
    devices: [device],
  };
  const file = join(folder, 'tilld.jsonc');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** What a terminal or a service remembers lives as long as the round: nobody kills those. */
function inMemory(): Memory {
  let kept: string | null = null;
  return {
    load: () => kept,
    save: (text) => {
      kept = text;
    },
  };
}
