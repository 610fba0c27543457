import { searchSerialPort } from '../../src/agent/serial-ports.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Currency } from '../../src/base/money.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { PreferredPort } from '../../src/terminal/port-facts.ts';
import type { Outcome, TerminalIdentity, TerminalSession } from '../../src/terminal/ports.ts';
import { type Reach, TerminalSupervisor } from '../../src/terminal/supervisor.ts';
import type { TerminalRegistry } from '../../src/terminal/terminal-registry.ts';
import type { OpenPorts } from '../../src/transport/open-ports.ts';
import type { Bus } from './bus.ts';
import type { PlugFamily } from './family.ts';

/** The beat of a serial device by the configuration's defaults, where its driver asks for no longer one. */
const HEARTBEAT_MS = 750;

export interface CounterDeps {
  readonly family: PlugFamily;
  readonly name: string;
  readonly preferred: PreferredPort;
  readonly bus: Bus;
  readonly openPorts: OpenPorts;
  readonly registry: TerminalRegistry;
}

/** One place of the shop: the real supervisor, driver, search and transport, and a note of when it changed its mind. */
export class Counter {
  readonly supervisor: TerminalSupervisor;
  readonly #waiters = new Set<() => void>();
  readonly #currency: Currency;

  constructor({ family, name, preferred, bus, openPorts, registry }: CounterDeps) {
    const { manifest, driver, currency } = family;
    this.#currency = currency;
    let known: TerminalIdentity | null = null;
    const line = { baudRate: 115_200, dataBits: 8, stopBits: 2, parity: 'none' } as const;
    this.supervisor = new TerminalSupervisor({
      device: { id: name, name, driver: manifest.id, currency, minAmountMinor: 1, maxAmountMinor: 999_999 },
      driver,
      capabilities: manifest.capabilities,
      driverOptions: manifest.options.parse({}),
      openLink: searchSerialPort(preferred, line, { open: openPorts, log: silentLog, folders: bus.folders }),
      transcript: { record: () => undefined },
      heartbeatMs: Math.max(manifest.defaults.heartbeatMs ?? 0, HEARTBEAT_MS),
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
    });
    this.supervisor.subscribe(() => {
      for (const look of this.#waiters) look();
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
          amount: { minor: amountMinor, currency: this.#currency },
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

/** A virtual terminal that waits for its customer's keys. Its terminal id is made of the digits of its serial number. */
export function aTerminal(
  { manifest, dialect, currency }: PlugFamily,
  name: string,
  serial: string,
): VirtualTerminal {
  const terminal = new VirtualTerminal(
    {
      name,
      protocol: manifest.id,
      over: 'pty',
      port: 0,
      currency,
      serial,
      terminalId: serial.replace(/\D/g, '').padStart(8, '0'),
      autopilot: 'off',
      autopilotMs: 0,
      missingAcknowledgement: 'keep',
      faults: [],
    },
    dialect(),
    { clock: systemClock, log: silentLog, memory: { load: () => null, save: () => undefined } },
  );
  terminal.start();
  return terminal;
}
