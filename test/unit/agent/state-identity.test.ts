import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databaseAgeIn, openMoney } from '../../../src/agent/money.ts';
import type { StateWitnesses } from '../../../src/agent/state-identity.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { holdStateFolder } from '../../../src/runtime/state-folder.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { witnessPlace } from '../../../src/runtime/witness-place.ts';
import { noteRestored } from '../../../src/store/epoch/epoch-note.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aFolder } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** A machine, and the place that it has outside every state folder. */
interface Computer {
  readonly machine: string | null;
  readonly hardware: string | null;
  readonly outside: string;
}

const aComputer = (changes: Partial<Computer> = {}): Computer => ({
  machine: 'machine-1',
  hardware: 'hardware-1',
  outside: aFolder(),
  ...changes,
});

/** One run of the daemon's database. `end: 'killed'`: nothing is noted at its end. */
async function run(
  state: string,
  on: Computer | null,
  { writes = 0, end = 'stopped' }: { writes?: number; end?: 'stopped' | 'killed' } = {},
) {
  const folder = holdStateFolder(state);
  folder.release();
  const clock = new VirtualClock();
  const lifecycle = new Lifecycle(silentLog);
  const witnesses: StateWitnesses | null = on && {
    machine: on.machine,
    hardware: on.hardware,
    place: witnessPlace(state, on.outside, {}),
  };
  const ports = { folder, version: '0.1.0', clock, ids: systemIds, log: silentLog, lifecycle };
  const money = openMoney({ ...ports, ...(witnesses ? { witnesses } : {}) });
  const write = () =>
    money.payments.transaction(() => {
      if (!money.payments.findAttempt(anAttempt().id)) money.payments.insertAttempt(anAttempt());
      const change = { event: 'x', from: 'a', to: 'b', details: {} };
      money.payments.appendJournal({ attemptId: anAttempt().id, at: 1, ...change });
    });
  for (let count = 0; count < writes; count += 1) write();
  const { kind } = money.epoch;
  const { copied, instance, lack } = money.identity ?? { copied: null, instance: null, lack: null };
  if (end === 'killed') money.database.close();
  else await lifecycle.stop();
  return { kind, copied, instance, lack };
}

function putBack(copy: string, state: string): void {
  rmSync(state, { recursive: true });
  cpSync(copy, state, { recursive: true });
}

function copyOf(state: string): string {
  const copy = join(aFolder(), 'state');
  cpSync(state, copy, { recursive: true });
  return copy;
}

describe('a state folder at a start', () => {
  it.each(['stopped', 'killed'] as const)(
    'is itself after every restart (%s), and keeps its instance',
    async (end) => {
      const [state, here] = [aFolder(), aComputer()];
      const first = await run(state, here, { writes: 2, end });
      expect(first).toMatchObject({ kind: 'new', copied: null, lack: null });
      for (let count = 0; count < 3; count += 1)
        expect(await run(state, here, { writes: count, end })).toEqual({ ...first, kind: 'same' });
    },
  );

  it('of an older release is taken over as it is', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, null, { writes: 2 });
    expect(await run(state, here)).toMatchObject({ kind: 'same', copied: null });
    expect(await run(state, here)).toMatchObject({ kind: 'same', copied: null });
  });

  it('is itself after an older release used it again in between', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, here, { writes: 2 });
    await run(state, null, { writes: 2 });
    expect(await run(state, here)).toMatchObject({ kind: 'same', copied: null });
  });

  it('is an older one when a copy of the whole folder was put back, and says so once', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, here, { writes: 2 });
    const copy = copyOf(state);
    await run(state, here, { writes: 1, end: 'killed' });
    putBack(copy, state);
    expect(await run(state, here)).toMatchObject({ kind: 'older', copied: null });
    expect(await run(state, here, { writes: 1 })).toMatchObject({ kind: 'same' });
    expect(await run(state, here)).toMatchObject({ kind: 'same' });
  });

  it('is fresh when it was removed as a whole, and books were kept in it before', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, here, { writes: 2 });
    rmSync(state, { recursive: true });
    expect((await run(state, here)).kind).toBe('fresh');
  });

  it.each<[string, Partial<Computer>]>([
    ['another machine', { machine: 'machine-2', hardware: 'hardware-2' }],
    ['another machine with the same image', { hardware: 'hardware-2' }],
    ['a container whose machine-id is new', { machine: 'machine-2' }],
    ['a machine that tells nothing of itself', { machine: null, hardware: null }],
  ])('is a copy on %s, gets an instance of its own there, and is itself from then on', async (_, changes) => {
    const [state, here] = [aFolder(), aComputer()];
    const original = await run(state, here, { writes: 2 });
    const copy = copyOf(state);
    const there = aComputer(changes);
    const found = await run(copy, there);
    expect(found).toMatchObject({ kind: 'copied', copied: expect.any(String) });
    expect(found.instance).not.toBe(original.instance);
    expect(await run(copy, there)).toEqual({ ...found, kind: 'same' });
    expect(await run(state, here)).toEqual({ ...original, kind: 'same' });
  });

  it('is a copy when a second one is started on the same machine', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, here, { writes: 2 });
    expect(await run(copyOf(state), here)).toMatchObject({ kind: 'copied', copied: 'no_note_outside' });
  });

  it('is a copy when the whole disk was, with the place outside', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, here, { writes: 2 });
    expect(await run(state, { ...here, hardware: 'hardware-2' })).toMatchObject({ copied: 'other_hardware' });
  });

  it('is found out by the next start when the one that found it was cut short', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, here, { writes: 2 });
    const copy = copyOf(state);
    const there = aComputer({ machine: 'machine-2' });
    const before = copyOf(copy);
    await run(copy, there);
    // The note outside is written first, the database last.
    putBack(before, copy);
    expect((await run(copy, there)).kind).toBe('copied');
  });

  it('goes by the other witnesses where nothing can be noted outside, and says why', async () => {
    const state = aFolder();
    const outside = join(aFolder(), 'file');
    writeFileSync(outside, '');
    const here = aComputer({ outside });
    expect(await run(state, here, { writes: 1 })).toMatchObject({
      kind: 'new',
      lack: expect.stringContaining('file'),
    });
    expect(await run(state, here)).toMatchObject({ kind: 'same', copied: null });
    expect(await run(state, { ...here, machine: 'machine-2' })).toMatchObject({ copied: 'other_machine' });
  });

  it('is itself where the place outside cannot be used for a while', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, here, { writes: 1 });
    const file = join(aFolder(), 'file');
    writeFileSync(file, '');
    expect(await run(state, { ...here, outside: file }, { writes: 1 })).toMatchObject({ kind: 'same' });
    expect(await run(state, here)).toMatchObject({ kind: 'same', copied: null, lack: null });
  });

  it('is a copy where the note outside is damaged', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, here, { writes: 1 });
    const place = witnessPlace(state, here.outside, {});
    if (place.kind === 'file') writeFileSync(place.path, '\0'.repeat(9_000));
    expect(await run(state, here)).toMatchObject({ kind: 'copied', copied: 'no_note_outside' });
  });

  it('that a person restored on a new machine begins anew once', async () => {
    const [state, here] = [aFolder(), aComputer()];
    await run(state, here, { writes: 2 });
    const [moved, there] = [join(aFolder(), 'state'), aComputer({ machine: 'machine-2' })];
    mkdirSync(moved);
    cpSync(join(state, 'money.db'), join(moved, 'money.db'));
    noteRestored(join(moved, 'epoch'), { epoch: 'e', count: 2, hash: 'h' });
    expect(['foreign', 'older']).toContain((await run(moved, there)).kind);
    expect((await run(moved, there)).kind).toBe('same');
    expect(existsSync(join(moved, 'epoch'))).toBe(true);
  });
});

describe('a database that is found to be a copy while it is used', () => {
  it('is a restored one from that moment on, through restarts', async () => {
    const [state, here] = [aFolder(), aComputer()];
    const folder = holdStateFolder(state);
    folder.release();
    const clock = new VirtualClock();
    const lifecycle = new Lifecycle(silentLog);
    const place = witnessPlace(state, here.outside, {});
    const witnesses = { machine: here.machine, hardware: here.hardware, place };
    const ports = { folder, version: '0.1.0', clock, ids: systemIds, log: silentLog, lifecycle, witnesses };
    const money = openMoney(ports);
    const memory = databaseAgeIn(money);
    expect(memory).toMatchObject({ lost: false, since: 0, copied: null });
    memory.begin?.('unknown_attempt');
    expect(memory).toMatchObject({ lost: true, since: clock.now(), copied: 'unknown_attempt' });
    expect(money.epoch).toMatchObject({ kind: 'copied', since: clock.now() });
    money.database.close();
    const again = openMoney(ports);
    expect(again.epoch).toMatchObject({ kind: 'same', since: clock.now() });
    expect(databaseAgeIn(again)).toMatchObject({ lost: true, copied: 'unknown_attempt' });
    await lifecycle.stop();
  });
});
