import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualZvt } from '../../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import {
  type SandboxService,
  startSandboxService,
} from '../../../src/sandbox/service/start-sandbox-service.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import { DEVICE_ID } from '../../support/attempts.ts';
import { OFFICE_RECIPE, Office } from './office.ts';

const SERVICE_KEY = 'rk_sandbox_way_of_an_invoice';
const AREAS = ['payments', 'webhooks', 'customers', 'invoices', 'products', 'settings'];

/** What goes on when the daemon is killed: office, service, terminal, and a folder with what was written. */
export interface InvoiceShop {
  readonly office: Office;
  readonly service: SandboxService;
  readonly terminal: RunningVirtualTerminal;
  readonly config: string;
  readonly stateDir: string;
  close(): Promise<void>;
}

/** Starts it in this process. `folder` must be there and be empty. */
export async function startInvoiceShop(folder: string): Promise<InvoiceShop> {
  const office = new Office();
  await office.start();
  const terminal = await startVirtualTerminal(
    {
      name: 'counter-1',
      protocol: 'zvt',
      over: 'tcp',
      port: 0,
      currency: 'EUR',
      serial: '17F00001',
      terminalId: '52500038',
      autopilot: 'approve',
      autopilotMs: 20,
      missingAcknowledgement: 'keep',
      faults: [],
    },
    virtualZvt,
    { clock: systemClock, log: silentLog, memory: inMemory() },
  );
  const service = await startSandboxService(
    {
      listen: { host: '127.0.0.1', port: 0 },
      keys: [{ key: SERVICE_KEY, scopes: AREAS.flatMap((area) => [`${area}:read`, `${area}:write`]) }],
      devices: [{ id: DEVICE_ID, name: 'Counter 1' }],
      plan: 'unlimited',
      catalogue: { invoices: 0, customers: 0 },
      honoursOurId: true,
      keepsMetadata: true,
      refusesUnknownFields: true,
      hasClaim: true,
    },
    { clock: systemClock, ids: systemIds, log: silentLog, memory: inMemory(), terminals: [terminal] },
  );
  const stateDir = join(folder, 'state');
  const config = join(folder, 'tilld.json');
  mkdirSync(join(stateDir, 'credentials'), { recursive: true });
  writeFileSync(join(stateDir, 'credentials', 'service-key'), SERVICE_KEY, { mode: 0o600 });
  writeFileSync(config, JSON.stringify(configOf(service.url, terminal.address)));
  return {
    office,
    service,
    terminal,
    config,
    stateDir,
    close: async () => {
      await Promise.all([office.stop(), service.stop(), terminal.stop()]);
    },
  };
}

function configOf(url: string, address: string) {
  const [, host, port] = /^tcp:\/\/(.+):(\d+)$/.exec(address) ?? [];
  return {
    version: 1,
    environment: 'sandbox',
    listen: { port: 0 },
    recovery: { settle_ms: 400, read_interval_ms: 60, ask_person_after_ms: 8000, give_up_ms: 15_000 },
    service: { url, poll_interval_ms: 1000, requests_per_minute: 6000, burst: 500, create_local: 'on' },
    mirror: { lists: ['invoices'], interval_s: 60 },
    integrations: {
      provider_a: { connector: 'rest', interval_s: 3600, settings: { recipe: OFFICE_RECIPE } },
    },
    devices: [
      {
        id: DEVICE_ID,
        name: 'Counter 1',
        driver: 'zvt',
        currency: 'EUR',
        link: { type: 'tcp', host, port: Number(port) },
      },
    ],
  };
}

function inMemory() {
  let text: string | null = null;
  return {
    load: () => text,
    save: (next: string) => {
      text = next;
    },
  };
}
