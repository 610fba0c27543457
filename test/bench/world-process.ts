import { virtualZvt } from '../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemClock as clock } from '../../src/runtime/system-clock.ts';
import { systemIds as ids } from '../../src/runtime/system-ids.ts';
import { startSandboxService } from '../../src/sandbox/service/start-sandbox-service.ts';
import { startVirtualTerminal } from '../../src/sandbox/terminal/start-virtual-terminal.ts';

/** What the world around a daemon is made of; the first message to this process. */
export interface WorldOptions {
  readonly key: string;
  readonly deviceIds: readonly string[];
  readonly customers: number;
}

/** Where it can be reached; its answer. */
export interface WorldPlaces {
  readonly serviceUrl: string;
  readonly terminal: string;
}

const SCOPES = [
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
  'customers:read',
  'customers:write',
  'invoices:read',
  'products:read',
  'settings:read',
  'settings:write',
] as const;

/** The service and a terminal in a process of their own, so that what they cost is not measured as the daemon's. */
async function main({ key, deviceIds, customers }: WorldOptions): Promise<void> {
  const kept: { text: string | null } = { text: null };
  const memory = {
    load: () => kept.text,
    save: (text: string) => {
      kept.text = text;
    },
  };
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
    { clock, log: silentLog, memory },
  );
  const service = await startSandboxService(
    {
      listen: { host: '127.0.0.1', port: 0 },
      keys: [{ key, scopes: SCOPES }],
      devices: deviceIds.map((id, index) => ({ id, name: `Counter ${index + 1}` })),
      plan: 'unlimited',
      honoursOurId: true,
      keepsMetadata: true,
      refusesUnknownFields: true,
      hasClaim: true,
      catalogue: { customers },
    },
    {
      clock,
      ids,
      log: silentLog,
      memory: { load: () => null, save: () => undefined },
      terminals: [terminal],
    },
  );
  process.send?.({ serviceUrl: service.url, terminal: terminal.address } satisfies WorldPlaces);
}

process.once('message', (options) => void main(options as WorldOptions));
/** It ends with whoever asked for it. */
process.on('disconnect', () => process.exit(0));
