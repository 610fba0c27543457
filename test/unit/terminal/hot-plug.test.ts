import { describe, expect, it, onTestFinished } from 'vitest';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Answered, PortSearch, Way } from '../../../src/terminal/link.ts';
import type { Readiness, TerminalDriver, TerminalIdentity } from '../../../src/terminal/ports.ts';
import { TerminalSupervisor } from '../../../src/terminal/supervisor.ts';
import { TerminalRegistry } from '../../../src/terminal/terminal-registry.ts';
import { type MemoryLinkPair, memoryLinkPair } from '../../support/memory-link.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const OURS: TerminalIdentity = { grade: 'serial', serial: '17F00001' };
const ANOTHER: TerminalIdentity = { grade: 'serial', serial: '17F00002' };
const HEARTBEAT_MS = 750;

/** A driver that asks the port who is there, and answers beats while the test lets it. */
function hotPlug() {
  const clock = new VirtualClock();
  /** Who stands at each port; a port that is not here is not there. */
  const bus = new Map<string, TerminalIdentity>();
  const open = new Map<string, MemoryLinkPair>();
  const opened: string[] = [];
  const learned: [string, Answered][] = [];
  const closedSessions: string[] = [];
  const wakeup: { ring: () => void; isOn: boolean } = { ring: () => undefined, isOn: false };
  const answers: {
    beat: () => Promise<Readiness>;
    identify: (signal: AbortSignal, where: string) => Promise<TerminalIdentity>;
  } = {
    beat: async () => ({ kind: 'ready' }),
    identify: async (_signal, where) => bus.get(where) ?? ANOTHER,
  };
  let known: TerminalIdentity | null = OURS;
  let forgotten = 0;

  const wayTo = (where: string): Way => ({
    where,
    open: async () => {
      opened.push(where);
      const pair = memoryLinkPair({ kind: 'serial' });
      open.set(where, pair);
      return pair.ours;
    },
  });
  const search: PortSearch = {
    ways: async () => {
      if (bus.size === 0) throw new AppError('LINK_REFUSED', 'there is no such port', { retry: 'safe' });
      return [...bus.keys()].map(wayTo);
    },
    learn: (way, who) => void learned.push([way.where, who]),
    forget: () => {
      forgotten += 1;
    },
    watch: (onChange) => {
      wakeup.ring = onChange;
      wakeup.isOn = true;
      return () => {
        wakeup.isOn = false;
      };
    },
  };
  const driver: TerminalDriver = {
    open: async (link) => {
      const [where = '', pair] = [...open].find(([, one]) => one.ours === link) ?? [];
      return {
        capabilities: zvt.capabilities,
        identify: (signal) => answers.identify(signal, where),
        readiness: () => answers.beat(),
        lastTransaction: async () => ({ kind: 'empty' }),
        totals: async () => null,
        execute: async () => ({ kind: 'unknown', code: 'x', message: 'x' }),
        abort: () => undefined,
        endOfDay: async () => ({ kind: 'refused', code: 'x', message: 'x' }),
        journal: async () => ({ complete: false, lines: [], totals: null }),
        close: async () => {
          closedSessions.push(where);
          await pair?.ours.close();
        },
      };
    },
  };
  const changes: unknown[] = [];
  const supervisor = new TerminalSupervisor({
    device: {
      id: 'd',
      name: 'Counter 1',
      driver: 'x',
      currency: 'EUR',
      minAmountMinor: 1,
      maxAmountMinor: 9,
    },
    driver,
    capabilities: zvt.capabilities,
    driverOptions: {},
    openLink: search,
    transcript: { record: () => undefined },
    heartbeatMs: HEARTBEAT_MS,
    clock,
    ids: { uuid: () => 'u', nameBased: () => 'n', random: () => 0.5 },
    log: silentLog,
    identities: {
      get: () => known,
      remember: (identity) => {
        known = identity;
      },
      setAside: () => null,
    },
    registry: new TerminalRegistry(),
  });
  supervisor.subscribe(() => changes.push(supervisor.reach));
  onTestFinished(() => clock.runUntil(supervisor.stop(), 60_000));
  const begin = async () => {
    supervisor.start();
    await clock.advance(10);
    expect(supervisor.reach.kind).toBe('up');
  };
  const pull = async (where: string) => {
    bus.delete(where);
    open.get(where)?.cut('unplugged', `${where} is gone`);
    await clock.settle();
  };
  return {
    clock,
    bus,
    opened,
    learned,
    closedSessions,
    wakeup,
    answers,
    supervisor,
    begin,
    pull,
    forgotten: () => forgotten,
    changes,
  };
}

describe('a terminal whose cable is pulled', () => {
  it('is away at once while idle, and its session is closed', async () => {
    const { bus, begin, pull, supervisor, closedSessions } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    await pull('/dev/ttyACM0');
    expect(supervisor.reach).toEqual({ kind: 'down', reason: 'connection lost: /dev/ttyACM0 is gone' });
    expect(closedSessions).toEqual(['/dev/ttyACM0']);
  });

  it('is away at once in the middle of a task, where no beat can tell, and the task reads to its own end', async () => {
    const { bus, begin, pull, supervisor, closedSessions } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    const task = supervisor.use(() => ended);
    await pull('/dev/ttyACM0');
    expect(supervisor.reach.kind).toBe('down');
    expect(closedSessions).toEqual([]);
    end('what came before the loss');
    expect(await task).toBe('what came before the loss');
    expect(closedSessions).toEqual(['/dev/ttyACM0']);
  });

  it('is looked for within 0.4 s, again and again, for the first 10 s', async () => {
    const { bus, begin, pull, supervisor, clock } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    await pull('/dev/ttyACM0');
    await clock.advance(9000);
    bus.set('/dev/ttyACM0', OURS);
    await clock.advance(400);
    expect(supervisor.reach.kind).toBe('up');
  });

  it('is back within 4 s of its plug after five minutes, without any bell', async () => {
    const { bus, begin, pull, supervisor, clock } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    await pull('/dev/ttyACM0');
    await clock.advance(300_000);
    bus.set('/dev/ttyACM0', OURS);
    await clock.advance(4000);
    expect(supervisor.reach.kind).toBe('up');
  });

  it('is back at once when a port rings, and tried on for 10 s when it is not ready yet', async () => {
    const { bus, begin, pull, supervisor, clock, wakeup, opened } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    await pull('/dev/ttyACM0');
    await clock.advance(300_000);
    wakeup.ring();
    wakeup.ring();
    await clock.advance(2000);
    bus.set('/dev/ttyACM0', OURS);
    await clock.advance(400);
    expect(supervisor.reach.kind).toBe('up');
    const before = opened.length;
    wakeup.ring();
    await clock.advance(500);
    expect(opened.length).toBe(before);
  });

  it('is met anew when it does not hear the first frame after its plug', async () => {
    const { bus, begin, pull, supervisor, clock, answers } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    await pull('/dev/ttyACM0');
    const met = answers.identify;
    const reasons: unknown[] = [];
    answers.identify = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      });
    bus.set('/dev/ttyACM0', OURS);
    await clock.advance(1000);
    answers.identify = met;
    await clock.advance(2500);
    expect(supervisor.reach.kind).toBe('up');
    // A driver takes its own TERMINAL_NO_ANSWER for a reason to write its frame again.
    expect(reasons).toMatchObject([{ code: 'TERMINAL_STOPPED' }]);
  });

  it('is found under another number, and the port is learned', async () => {
    const { bus, begin, pull, supervisor, clock, learned } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    await pull('/dev/ttyACM0');
    bus.set('/dev/ttyACM7', OURS);
    await clock.advance(1000);
    expect(supervisor.reach.kind).toBe('up');
    expect(learned).toEqual([
      ['/dev/ttyACM0', 'ours'],
      ['/dev/ttyACM7', 'ours'],
    ]);
  });
});

describe('another terminal at the place', () => {
  it('is refused, left alone, and the next port is asked', async () => {
    const { bus, begin, learned, closedSessions, supervisor, opened } = hotPlug();
    bus.set('/dev/ttyACM0', ANOTHER);
    bus.set('/dev/ttyACM1', OURS);
    await begin();
    expect(opened).toEqual(['/dev/ttyACM0', '/dev/ttyACM1']);
    expect(learned).toEqual([
      ['/dev/ttyACM0', 'stranger'],
      ['/dev/ttyACM1', 'ours'],
    ]);
    expect(closedSessions).toEqual([]);
    expect(supervisor.identity).toEqual(OURS);
  });

  it('is asked ever more seldom while it stays there', async () => {
    const { bus, clock, opened, supervisor } = hotPlug();
    bus.set('/dev/ttyACM0', ANOTHER);
    supervisor.start();
    await clock.advance(60_000);
    expect(supervisor.reach).toMatchObject({
      kind: 'wrong_terminal',
      answering: { serial: ANOTHER.serial },
    });
    expect(opened.length).toBeLessThan(13);
    const before = opened.length;
    await clock.advance(60_000);
    expect(opened.length - before).toBeLessThan(8);
  });

  it('is met as a new one once it is adopted, wherever the old one hung', async () => {
    const { bus, begin, supervisor, forgotten, clock } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    await clock.runUntil(supervisor.meetAnew());
    expect(forgotten()).toBe(1);
  });
});

describe('a terminal that loses its power with the cable in', () => {
  it('is away within 2 s although its protocol waits longer, and its late answer counts', async () => {
    const { bus, begin, answers, supervisor, clock } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    const { promise, resolve } = Promise.withResolvers<Readiness>();
    answers.beat = () => promise;
    await clock.advance(2000);
    expect(supervisor.reach).toEqual({ kind: 'down', reason: 'the terminal does not answer' });
    await clock.advance(3000);
    answers.beat = async () => ({ kind: 'ready' });
    resolve({ kind: 'ready' });
    await clock.settle();
    expect(supervisor.reach.kind).toBe('up');
  });

  it('is away also where it had no paper before: it is to be switched on first', async () => {
    const { bus, begin, answers, supervisor, clock, changes } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    answers.beat = async () => ({ kind: 'person', code: 'TERMINAL_PRINTER', message: 'no paper' });
    await clock.advance(2 * HEARTBEAT_MS);
    expect(supervisor.reach).toEqual({ kind: 'down', reason: 'no paper', needs: 'terminal_printer' });
    const { promise, resolve } = Promise.withResolvers<Readiness>();
    answers.beat = () => promise;
    await clock.advance(HEARTBEAT_MS + 2000);
    expect(supervisor.reach).toEqual({ kind: 'down', reason: 'the terminal does not answer' });
    expect(changes.at(-1)).toEqual(supervisor.reach);
    resolve({ kind: 'ready' });
    await clock.settle();
  });

  it('is not called away when it always takes a second to answer', async () => {
    const { bus, begin, answers, supervisor, clock } = hotPlug();
    bus.set('/dev/ttyACM0', OURS);
    await begin();
    answers.beat = () =>
      new Promise((resolve) => void clock.timer('answer', 1000, () => resolve({ kind: 'ready' })));
    await clock.advance(20_000);
    const reaches: string[] = [];
    for (let step = 0; step < 100; step += 1) {
      await clock.advance(100);
      reaches.push(supervisor.reach.kind);
    }
    expect(new Set(reaches)).toEqual(new Set(['up']));
  });
});

it('a supervisor that was stopped hears no bell and leaves no timer', async () => {
  const { bus, begin, supervisor, clock, wakeup } = hotPlug();
  bus.set('/dev/ttyACM0', OURS);
  await begin();
  await clock.runUntil(supervisor.stop());
  expect(wakeup.isOn).toBe(false);
  expect(clock.pending).toEqual([]);
});
