import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { InProcessDriverHost } from '../../src/agent/driver-host.ts';
import { silentLog } from '../../src/base/log.ts';
import { ChildProcessDriverHost } from '../../src/driver-packages/child-process-driver-host.ts';
import { readPackages } from '../../src/driver-packages/read-package.ts';
import { systemClock as clock } from '../../src/runtime/system-clock.ts';
import { startVirtualTerminal } from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import type { DriverContext, Observer, TerminalDriver, TerminalSession } from '../../src/terminal/ports.ts';
import { openTcpLink } from '../../src/transport/tcp.ts';
import { writeZvtPackage } from '../support/driver-packages/write-package.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../support/shop.ts';
import { type BenchOptions, figuresOf, type Print, quantile } from './figure.ts';

const WARM_UP = 20;
/** Before each sale, in ms: no shop sells so fast, and a package may send so many messages a second only. */
const PAUSE_MS = 25;
const MIB = 1024 * 1024;
/** What an exchange through a process of its own may take, at the 99th percentile, in ms. */
const BAR_MS = 2;
const never = new AbortController().signal;

/** A sale with the ZVT driver in this process and in a process of its own, in turns: what the channel costs. */
export async function driverHosts({ times }: BenchOptions, print: Print): Promise<void> {
  const figure = figuresOf('driver-hosts', print);
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-packages-'));
  await writeZvtPackage(folder);
  const packages = readPackages(folder, ['zvt-package']);
  const files = new Map(packages.map(({ manifest, files: found }) => [manifest.id, found] as const));
  const child = new ChildProcessDriverHost(files, { clock, log: silentLog });
  const own = new InProcessDriverHost(silentLog);
  const hosted = packages.map(({ manifest }) => ({ ...manifest, load: () => child.driverOf(manifest) }));
  const hosts = [
    await laneOf(await own.driverOf(zvt)),
    await laneOf(await own.driverOf(hosted[0] ?? zvt)),
  ] as const;
  try {
    for (let sale = 0; sale < times + WARM_UP; sale += 1)
      for (const lane of hosts) {
        await wait(PAUSE_MS);
        await lane.sell(sale);
      }
    const [inProcess, inChild] = hosts.map(({ samples }) => samples.slice(WARM_UP)) as [number[], number[]];
    const [ownEcho, childEcho] = [await exchanges(hosts[0], times), await exchanges(hosts[1], times)];
    for (const q of [0.5, 0.99]) {
      const [one, other] = [quantile(inProcess, q), quantile(inChild, q)];
      const name = `p${q * 100}`;
      figure(`a sale in the process of tilld, ${name}`, one, 'ms');
      figure(`a sale in a process of its own, ${name}`, other, 'ms', {
        name: 'in the process of tilld',
        value: one,
      });
      figure(`the difference, ${name}`, other - one, 'ms');
      const [near, far] = [quantile(ownEcho, q), quantile(childEcho, q)];
      figure(`an exchange with the terminal in the process of tilld, ${name}`, near, 'ms');
      figure(`the same in a process of its own, ${name}`, far, 'ms', { name: 'the bar', value: BAR_MS });
    }
    figure('memory of the process of a package', (child.rssBytes().get('zvt-package') ?? 0) / MIB, 'MiB');
  } finally {
    for (const lane of hosts) await lane.close();
    child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One terminal with its driver, and how long each sale took. */
async function laneOf(driver: TerminalDriver) {
  const dialect = zvtDialect({ hostMs: 0, cardRemovalMs: 0 });
  const terminal = await startVirtualTerminal({ ...VIRTUAL_TERMINAL, autopilotMs: 0 }, dialect, {
    clock,
    log: silentLog,
    memory: textMemory(),
  });
  const { hostname, port } = new URL(terminal.address.replace('tcp:', 'http:'));
  const dial = openTcpLink({ host: hostname, port: Number(port), connectTimeoutMs: 2000 });
  const transcript = { record: () => undefined };
  const context: DriverContext = {
    deviceId: 'counter-1',
    currency: 'EUR',
    options: {},
    clock,
    log: silentLog,
    transcript,
    dial,
    openBeside: dial,
  };
  const link = await dial(never);
  const session = await driver.open(link, context, never);
  const samples: number[] = [];
  return {
    samples,
    ask: () => session.lastTransaction(never),
    sell: async (sale: number) => void samples.push(await timed(session, sale)),
    close: async () => {
      await link.close();
      await terminal.stop();
    },
  };
}

/** How long a question to the terminal takes, its answer included. */
async function exchanges(
  { ask }: { readonly ask: () => Promise<unknown> },
  times: number,
): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let asked = 0; asked < times + WARM_UP; asked += 1) {
    await wait(PAUSE_MS);
    const from = performance.now();
    await ask();
    samples.push(performance.now() - from);
  }
  return samples.slice(WARM_UP);
}

const OBSERVER: Observer = {
  accepted: () => true,
  progress: () => undefined,
  beforeAcknowledge: () => true,
  beforeEnd: () => true,
};

async function timed(session: TerminalSession, sale: number): Promise<number> {
  const ticket = `A${sale.toString(36).toUpperCase().padStart(5, '0')}`;
  const amount = { minor: 1000 + sale, currency: 'EUR' } as const;
  const attemptId = `0199c0de-0000-7000-8000-${String(sale).padStart(12, '0')}`;
  const from = performance.now();
  const { kind } = await session.execute({ kind: 'sale', amount, attemptId, ticket }, OBSERVER, never);
  const took = performance.now() - from;
  if (kind !== 'approved') throw new Error(`a sale ended ${kind}`);
  return took;
}
