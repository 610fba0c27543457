import { registerHooks } from 'node:module';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { changed } from '../../mutants/plant.ts';

/**
 * A preload that lets a daemon wait for its terminals as long as those of the rounds take, and not as long as those of a shop (up to 240 s),
 * which no configuration shortens: the terminals of the rounds give their customers 2.5 s. What is waited for stays the same, in the same order.
 */

/** The longest silence inside a payment, ms: more than customer and host take. */
const CUSTOMER_MS = 8000;
/** The longest time in which a terminal of the rounds that we do not hear can still charge, ms: customer, host, and its line to us. */
const GOES_ON_MS = 5000;

/** Drivers wait for the customer with a timer of this name. */
const CUSTOMER = 'customer';
const FILE = 'src/payment/recovery/settle-time.ts';

const { timer } = systemClock;
Object.assign(systemClock, {
  timer: (name: string, ms: number, fn: () => void) =>
    timer(name, name === CUSTOMER ? Math.min(ms, CUSTOMER_MS) : ms, fn),
});

const target = new URL(`../../../${FILE}`, import.meta.url).href;
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (url !== target) return loaded;
    return { ...loaded, source: shortened(loaded.source) };
  },
});

function shortened(source: unknown): string {
  const text = source instanceof Uint8Array ? new TextDecoder().decode(source) : String(source);
  return changed(text, FILE, {
    in: 'settleTimeOf',
    find: '{ idleMs: idleMs ?? settleMs, sinceMs: goesOnMs }',
    replace: `{ idleMs: idleMs ?? settleMs, sinceMs: Math.min(goesOnMs, ${GOES_ON_MS}) }`,
  });
}
