import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { InProcessDriverHost } from '../../../src/agent/driver-host.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import type { TerminalManifest } from '../../../src/driver-kit/define.ts';
import { ChildProcessDriverHost } from '../../../src/driver-packages/child-process-driver-host.ts';
import { readPackages } from '../../../src/driver-packages/read-package.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import type { TerminalDriver } from '../../../src/terminal/ports.ts';
import { sectionOf, writePackage, writeZvtPackage } from './write-package.ts';

const SCRIPTED = join(import.meta.dirname, 'scripted-driver.js');

/** A place where drivers run, with a driver of each kind in it. */
export interface TestedHost {
  readonly name: string;
  readonly scripted: (log?: Log) => Promise<TerminalDriver>;
  readonly zvt: () => Promise<TerminalDriver>;
}

/** The folder of packages of one test file. */
export function packagesFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tilld-packages-'));
}

/** Starts the host of one package that is installed in the folder; ends with the test. */
export function startHost(folder: string, name: string, log: Log = silentLog) {
  const [installed] = readPackages(folder, [name]);
  if (!installed) throw new Error(`${name} is not installed`);
  const { manifest, files } = installed;
  const child = new ChildProcessDriverHost(new Map([[manifest.id, files]]), { clock: systemClock, log });
  onTestFinished(() => child.stop());
  const own = new InProcessDriverHost(log);
  const hosted: TerminalManifest = { ...manifest, load: () => child.driverOf(manifest) };
  return { child, driver: () => own.driverOf(hosted) };
}

/** Both hosts. */
export const HOSTS: readonly TestedHost[] = [
  {
    name: 'in the process of tilld',
    scripted: async (log = silentLog) => {
      const { driver }: { driver: TerminalDriver } = await import(SCRIPTED);
      return new InProcessDriverHost(log).host(driver);
    },
    zvt: () => new InProcessDriverHost(silentLog).driverOf(zvt),
  },
  {
    name: 'in a process of its own',
    scripted: (log) => {
      const folder = packagesFolder();
      const files = { 'driver.js': readFileSync(SCRIPTED, 'utf8') };
      writePackage(folder, 'scripted', sectionOf(zvt, 'scripted'), files);
      return startHost(folder, 'scripted', log).driver();
    },
    zvt: async () => {
      const folder = packagesFolder();
      await writeZvtPackage(folder);
      return startHost(folder, 'zvt-package').driver();
    },
  },
];
