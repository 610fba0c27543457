import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVICE_ID } from '../support/attempts.ts';
import type { Place } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';

/** A file that was touched a moment ago is left for later. */
const STILL_MS = 1_200;

/** A shop like that of the demo: the terminal and the service are in the daemon itself, and files of a folder are an integration. */
export interface SandboxShop extends Place {
  /** Puts a list of customers into the folder; `whole`, so that who is not in it is gone. */
  export(customers: readonly string[]): Promise<void>;
}

/** @param terminal changes of the virtual terminal */
export function aSandboxShop(terminal: object = {}): SandboxShop {
  const folder = aFolder();
  const files = join(folder, 'export');
  mkdirSync(files);
  const config = join(folder, 'tilld.jsonc');
  writeFileSync(config, JSON.stringify(configOf(files, terminal)));
  let made = 0;
  return {
    folder,
    config,
    export: async (customers) => {
      made += 1;
      writeFileSync(join(files, `customers-${made}.csv`), ['number,name', ...customers].join('\n'));
      await new Promise((resolve) => setTimeout(resolve, STILL_MS));
    },
  };
}

function configOf(files: string, terminal: object): object {
  return {
    version: 1,
    environment: 'sandbox',
    log: { level: 'debug' },
    heartbeat_ms: 1000,
    recovery: { settle_ms: 1000, read_interval_ms: 100 },
    service: { poll_interval_ms: 1000, requests_per_minute: 6000, burst: 200, create_local: 'on' },
    devices: [
      {
        id: DEVICE_ID,
        name: 'Counter 1',
        driver: 'zvt',
        currency: 'EUR',
        link: { type: 'virtual', terminal: 'counter-1' },
      },
    ],
    integrations: {
      provider_b: {
        connector: 'files',
        folder: files,
        sink: 'mirror',
        settings: {
          resources: { customers: { files: 'customers-*.csv', mode: 'whole', id: 'number' } },
          still_s: 1,
        },
      },
    },
    sandbox: {
      service: { listen: { host: '127.0.0.1', port: 0 }, plan: 'enterprise' },
      terminals: [{ name: 'counter-1', protocol: 'zvt', autopilot: 'off', ...terminal }],
    },
  };
}
