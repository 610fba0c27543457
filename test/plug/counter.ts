import { driver } from '../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { searchSerialPort } from '../../src/agent/serial-ports.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { PreferredPort } from '../../src/terminal/port-facts.ts';
import type { Outcome, TerminalIdentity, TerminalSession } from '../../src/terminal/ports.ts';
import { type Reach, TerminalSupervisor } from '../../src/terminal/supervisor.ts';
import type { TerminalRegistry } from '../../src/terminal/terminal-registry.ts';
import type { HeldPorts } from '../../src/transport/held-ports.ts';
import type { Bus } from './bus.ts';

/** The beat of a serial device by the configuration's defaults. */
const HEARTBEAT_MS = 750;

export interface CounterDeps {
  readonly name: string;
  readonly preferred: PreferredPort;
  readonly bus: Bus;
  readonly held: HeldPorts;
  readonly registry: TerminalRegistry;
}

/** One place of the shop: the real supervisor, driver, search and transport, and a note of when it changed its mind. */
export class Counter {
  readonly supervisor: TerminalSupervisor;
  readonly #waiters = new Set<() => void>();

  constructor({ name, preferred, bus, held, registry }: CounterDeps) {
    let known: TerminalIdentity | null = null;
    const line = { baudRate: 115_200, dataBits: 8, stopBits: 2, parity: 'none' } as const;
    this.supervisor = new TerminalSupervisor({
      device: { id: name, name, driver: 'zvt', currency: 'EUR', minAmountMinor: 1, maxAmountMinor: 999_999 },
      driver,
      capabilities: zvt.capabilities,
      driverOptions: zvt.options.parse({}),
      openLink: searchSerialPort(preferred, line, { held, log: silentLog, folders: bus.folders }),
      transcript: { record: () => undefined },
      heartbeatMs: HEARTBEAT_MS,
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
      identities: {
        get: () => known,
        remember: (identity) => {
          known = identity;
        },
        setAside: () => null,
      },
      registry,
      onChange: () => {
        for (const look of this.#waiters) look();
      },
    });
  }

  /** Resolves as soon as the reach is one of `kinds`; gives the monotonic ms. @throws after `limitMs`, with what it is instead. */
  until(kinds: readonly Reach['kind'][], limitMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!kinds.includes(this.supervisor.reach.kind)) return;
        end();
        resolve(performance.now());
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`still ${JSON.stringify(this.supervisor.reach)} after ${limitMs} ms`));
      }, limitMs);
      const end = () => {
        clearTimeout(timer);
        this.#waiters.delete(look);
      };
      this.#waiters.add(look);
      look();
    });
  }

  /** Asks whether a sale could go to the terminal now. */
  async isUsable(): Promise<boolean> {
    const { signal } = new AbortController();
    const readiness = await this.supervisor.use((session) => session.readiness(signal));
    return readiness.kind === 'ready';
  }

  /** Begins a sale and gives what it ends with; nothing is stored, so nothing is acknowledged by mistake. */
  sell(amountMinor: number): Promise<Outcome> {
    const { signal } = new AbortController();
    return this.supervisor.use((session: TerminalSession) =>
      session.execute(
        {
          kind: 'sale',
          attemptId: systemIds.uuid(),
          ticket: 'A00001',
          amount: { minor: amountMinor, currency: 'EUR' },
        },
        {
          accepted: () => true,
          progress: () => undefined,
          beforeAcknowledge: () => true,
          beforeEnd: () => true,
        },
        signal,
      ),
    );
  }
}

/** A virtual ZVT terminal that waits for its customer's keys. */
export function aTerminal(name: string, serial: string): VirtualTerminal {
  const terminal = new VirtualTerminal(
    {
      name,
      protocol: 'zvt',
      over: 'pty',
      port: 0,
      currency: 'EUR',
      serial,
      terminalId: '52500038',
      autopilot: 'off',
      autopilotMs: 0,
      missingAcknowledgement: 'keep',
      faults: [],
    },
    zvtDialect({ hostMs: 5 }),
    { clock: systemClock, log: silentLog, memory: { load: () => null, save: () => undefined } },
  );
  terminal.start();
  return terminal;
}
