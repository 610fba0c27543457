import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { TerminalDriver } from '../../terminal/ports.ts';
import { inGuide } from '../guide.ts';
import type { ToChild } from '../messages.ts';
import { listen, send } from './channel.ts';
import { consoleLine } from './child-log.ts';
import { lockDown } from './lockdown.ts';
import { type LoadedDriver, Sessions } from './sessions.ts';

// The process of one driver package. Whatever of `process` is needed is taken here: the package gets none of it.
const exit = process.exit.bind(process);
const now = Date.now.bind(Date);
const monotonic = performance.now.bind(performance);

const clock: Clock = {
  now,
  monotonic,
  timer: (_name, ms, fn) => {
    const timer = setTimeout(fn, ms);
    return { stop: () => clearTimeout(timer) };
  },
};

/** A Ctrl-C reaches every process of the terminal window: tilld decides when a payment has ended. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('uncaughtException', failed);

function failed(error: unknown): void {
  try {
    send({ type: 'fault', message: messageOf(error).slice(0, 500) });
  } finally {
    exit(1);
  }
}

let sessions: Sessions | null = null;
/** What came while the package was being loaded. */
const early: Exclude<ToChild, { type: 'load' | 'ping' }>[] = [];

listen(
  (message) => {
    if (message.type === 'ping') send({ type: 'pong', count: message.count });
    else if (message.type === 'load') start(message).catch(failed);
    else if (sessions) sessions.take(message);
    else early.push(message);
  },
  () => exit(0),
);

async function start({ folder, file }: Extract<ToChild, { type: 'load' }>): Promise<void> {
  lockDown({ folder, log: consoleLine });
  const loaded: unknown = await import(file);
  sessions = new Sessions(await driverIn(loaded), clock);
  send({ type: 'ready' });
  for (const message of early.splice(0)) sessions.take(message);
}

interface Exported {
  readonly open?: TerminalDriver['open'];
  readonly load?: () => Promise<TerminalDriver>;
  readonly options?: { parse(options: unknown): unknown };
}

/** The export `driver`: a driver, or what `defineTerminal` returns. */
async function driverIn(module: unknown): Promise<LoadedDriver> {
  const { driver: exported } = module as { readonly driver?: Exported };
  const options = exported?.options;
  const parse = (raw: unknown) => (options ? options.parse(raw) : raw);
  if (typeof exported?.open === 'function') return { driver: exported as TerminalDriver, parse };
  if (typeof exported?.load === 'function') return { driver: await exported.load(), parse };
  throw new Error(inGuide('package', 'its export "driver" is neither a driver nor a manifest'));
}
