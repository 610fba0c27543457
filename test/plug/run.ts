import { readdirSync, readlinkSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../src/base/errors.ts';
import type { PreferredPort } from '../../src/terminal/port-facts.ts';
import { TerminalRegistry } from '../../src/terminal/terminal-registry.ts';
import { OpenPorts } from '../../src/transport/open-ports.ts';
import { Bus, type UsbDevice } from './bus.ts';
import { Counter } from './counter.ts';
import type { PlugFamily } from './family.ts';
import { type Cycle, KINDS, type Kind, Place } from './place.ts';
import { type Spread, spreadOf } from './spread.ts';

/** What the project promises, ms. */
export const PROMISE = { detectionMs: 2000, returnMs: 5000 } as const;

/** Cycles of each kind in a hundred. */
const SHARE: Readonly<Record<Kind, number>> = {
  idle: 40,
  busy: 20,
  renumbered: 15,
  stranger: 15,
  deaf: 5,
  silent: 5,
};
/** The ids of an Ingenico iPP370, as a public udev rule gives them. */
const TERMINAL = { vendorId: '0b00', productId: '3070', name: 'Terminal' } as const;
/** How long descriptors that are still closing are waited for. */
const CLOSING_MS = 3000;

export interface PlugOptions {
  readonly family: PlugFamily;
  readonly cycles: number;
  /** Counters that are plugged at the same time, 1 to 4; each names its port in another way. */
  readonly counters: number;
  readonly seed: number;
  readonly onCycle?: (done: number) => void;
}

interface Figures {
  readonly detection_ms: Spread;
  readonly return_ms: Spread;
}

export interface PlugResult extends Figures {
  readonly cycles: number;
  readonly by_kind: Readonly<Partial<Record<Kind, Figures & { readonly cycles: number }>>>;
  /** Open in this process, the virtual terminals' ends included. */
  readonly descriptors: {
    readonly before: number;
    readonly after: number;
    readonly leaked: readonly string[];
  };
  /** Timers, watchers and the like that keep a process alive. */
  readonly resources: { readonly before: number; readonly after: number };
  /** How late the event loop of this process was: on a starved machine the figures are the machine's. */
  readonly loop_delay_ms: { readonly p99: number; readonly max: number };
  readonly strangers_refused: number;
  readonly payments_on_strangers: number;
  readonly bytes_to_scales: number;
  readonly warnings: readonly string[];
  readonly failures: readonly string[];
  readonly wall_ms: number;
}

/** Plugs and unplugs until all cycles are done; each counter waits for its own. */
export async function runPlug({ family, cycles, counters, seed, onCycle }: PlugOptions): Promise<PlugResult> {
  const from = performance.now();
  const warnings: string[] = [];
  const onWarning = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`);
  process.on('warning', onWarning);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const bus = new Bus();
  const places = placesOn(family, bus, counters, seed);
  const kinds = KINDS.filter((kind) => !family.without.includes(kind));
  const done: Cycle[] = [];
  const failures: string[] = [];
  let left = cycles;
  const work = async (place: Place, random: () => number) => {
    while (left > 0 && failures.length < 10) {
      left -= 1;
      const kind = draw(kinds, random);
      await place.cycle(kind).then(
        (cycle) => done.push(cycle),
        (error: unknown) => failures.push(`${kind}: ${messageOf(error)}`),
      );
      onCycle?.(done.length);
    }
  };
  try {
    for (const { place } of places) await place.begin();
    // Libraries keep a few descriptors from their first use on.
    await Promise.all(places.map(({ place }) => oneOfEach(kinds, place)));
    const before = await settled();
    const resources = await fewestResources();
    await Promise.all(places.map(({ place, random }) => work(place, random)));
    const after = await settled(before.length);
    return {
      cycles: done.length,
      ...figuresOf(done),
      by_kind: byKind(done),
      descriptors: { before: before.length, after: after.length, leaked: leakedOf(before, after) },
      resources: { before: resources, after: await fewestResources() },
      loop_delay_ms: { p99: Math.round(delay.percentile(99) / 1e6), max: Math.round(delay.max / 1e6) },
      strangers_refused: done.filter(({ kind }) => kind === 'stranger').length,
      payments_on_strangers: sum(places.map(({ place }) => place.stranger.snapshot().ledger.length)),
      bytes_to_scales: sum(places.map(({ place }) => place.bytesToOthers)),
      warnings,
      failures,
      wall_ms: Math.round(performance.now() - from),
    };
  } finally {
    for (const { place } of places) await place.end();
    bus.remove();
    delay.disable();
    process.off('warning', onWarning);
  }
}

async function oneOfEach(kinds: readonly Kind[], place: Place): Promise<void> {
  for (const kind of kinds) await place.cycle(kind);
}

/** Why a result breaks the promise; empty: it keeps it. */
export function brokenPromises(result: PlugResult): readonly string[] {
  const { descriptors, detection_ms, return_ms } = result;
  return [
    ...result.failures,
    ...result.warnings,
    ...(detection_ms.p99 > PROMISE.detectionMs ? [`p99 of detection is ${detection_ms.p99} ms`] : []),
    ...(return_ms.p99 > PROMISE.returnMs ? [`p99 of return is ${return_ms.p99} ms`] : []),
    ...(descriptors.after > descriptors.before ? [`leaked: ${descriptors.leaked.join(', ')}`] : []),
    ...(result.resources.after > result.resources.before ? ['timers or handles are left over'] : []),
    ...(result.payments_on_strangers > 0 ? ['a payment went to another terminal'] : []),
    ...(result.bytes_to_scales > 0 ? ['something was written to a scale'] : []),
  ];
}

/** Counters that name their ports in all the ways there are. */
function placesOn(family: PlugFamily, bus: Bus, count: number, seed: number) {
  const shared = { family, bus, openPorts: new OpenPorts(), registry: new TerminalRegistry() };
  return Array.from({ length: count }, (_, index) => {
    const device = { ...TERMINAL, serial: `8047100${index}` };
    const random = randomOf(seed * 100 + index);
    const preferred = preferredPortOf(index, device, bus);
    const counter = new Counter({ ...shared, name: `Counter ${index + 1}`, preferred });
    return { random, place: new Place(family, counter, bus, device, index * 10, random) };
  });
}

function preferredPortOf(index: number, device: UsbDevice, bus: Bus): PreferredPort {
  const { vendorId, productId, serial } = device;
  const ways: readonly PreferredPort[] = [
    { kind: 'path', path: bus.pathOf(index * 10) },
    { kind: 'path', path: bus.stableName(device) },
    { kind: 'usb', vendorId, productId, serial, plug: null },
    { kind: 'auto', fingerprints: [{ vendorId, productId, note: 'Terminal' }] },
  ];
  return ways[index % ways.length] ?? { kind: 'path', path: bus.pathOf(index * 10) };
}

function draw(kinds: readonly Kind[], random: () => number): Kind {
  let left = random() * sum(kinds.map((kind) => SHARE[kind]));
  for (const kind of kinds) {
    left -= SHARE[kind];
    if (left < 0) return kind;
  }
  return 'idle';
}

function figuresOf(cycles: readonly Cycle[]): Figures {
  return {
    detection_ms: spreadOf(cycles.map(({ detectionMs }) => detectionMs)),
    return_ms: spreadOf(cycles.map(({ returnMs }) => returnMs)),
  };
}

function byKind(cycles: readonly Cycle[]): PlugResult['by_kind'] {
  const kinds = KINDS.map((kind) => [kind, cycles.filter((cycle) => cycle.kind === kind)] as const);
  const found = kinds.filter(([, some]) => some.length > 0);
  return Object.fromEntries(found.map(([kind, some]) => [kind, { cycles: some.length, ...figuresOf(some) }]));
}

/** What is open once no more than `expected` is, or after a while. */
async function settled(expected = 0): Promise<readonly string[]> {
  const until = performance.now() + CLOSING_MS;
  let open = descriptors();
  while (open.length > expected && performance.now() < until) {
    await pause(100);
    open = descriptors();
  }
  return open;
}

/** A beat that is under way holds a timer or two: the fewest of some looks are those that stay. */
async function fewestResources(): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 20; look += 1) {
    fewest = Math.min(fewest, process.getActiveResourcesInfo().length);
    await pause(50);
  }
  return fewest;
}

function descriptors(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

/** What is open after but was not before, by what it leads to; a pty has another number after every plug. */
function leakedOf(before: readonly string[], after: readonly string[]): readonly string[] {
  const kindOf = (target: string) => target.replace(/\d+/g, 'N');
  const rest = before.map(kindOf);
  return after.map(kindOf).filter((target) => {
    const at = rest.indexOf(target);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Mulberry32: the same cycles for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
