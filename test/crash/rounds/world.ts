import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { currencyOf, dialectOf, type LinkKind } from './protocols.ts';

export const DEVICE_ID = '0199c0de-0000-7000-8000-0000000000d1';
const SERVICE_KEY = 'rk_sandbox_crash_rounds';

/** What terminal and service of a round are like, where vendors and services differ. */
export interface Traits {
  /** The driver's name. */
  readonly protocol: string;
  readonly link: LinkKind;
  readonly missingAcknowledgement: VirtualTerminalSettings['missingAcknowledgement'];
  /** The virtual terminal's options, see `habits.ts`. */
  readonly terminal: Readonly<Record<string, unknown>>;
  /** The device's options in the config. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly service: Partial<Pick<SandboxSettings, 'honoursOurId' | 'keepsMetadata' | 'refusesUnknownFields'>>;
  readonly partialApproval: 'void' | 'keep';
}

/** What goes on when the daemon dies: a terminal with its customers, the service, and a folder with what was written. */
export interface World {
  readonly terminal: RunningVirtualTerminal;
  readonly service: SandboxService;
  readonly stateDir: string;
  readonly config: string;
  close(): Promise<void>;
}

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
    await dialectOf(traits.protocol, traits.terminal),
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

function terminalSettings({ protocol, link, missingAcknowledgement }: Traits): VirtualTerminalSettings {
  return {
    name: 'counter-1',
    protocol,
    over: link === 'tcp' ? 'tcp' : 'pty',
    port: 0,
    currency: currencyOf(protocol),
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
  { protocol, partialApproval, options }: Traits,
): string {
  mkdirSync(join(stateDir, 'credentials'), { recursive: true });
  writeFileSync(join(stateDir, 'credentials', 'service-key'), SERVICE_KEY, { mode: 0o600 });
  const tcp = /^tcp:\/\/(.+):(\d+)$/.exec(address);
  const link = tcp ? { type: 'tcp', host: tcp[1], port: Number(tcp[2]) } : { type: 'serial', path: address };
  const device = {
    id: DEVICE_ID,
    name: 'Counter 1',
    driver: protocol,
    currency: currencyOf(protocol),
    link,
    partial_approval: partialApproval,
    options,
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
