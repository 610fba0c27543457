import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SyncStream } from '../../../src/api/contract/sync.ts';
import { EXIT } from '../../../src/cli/exit-code.ts';
import type { Io } from '../../../src/cli/io.ts';
import { progressOn } from '../../../src/cli/sync/progress.ts';
import { sync } from '../../../src/cli/verbs/sync.ts';
import { documentOf, start } from './command-line.ts';
import { AT, FakeDaemon, list, refusal } from './fake-daemon.ts';

const A = '/v2/integrations/provider_a';
const HURRIED = { lookMs: 5, awayMs: 2000, idleMs: 60 };
type Run = NonNullable<SyncStream['run']>;

function run(no: number, outcome: string, more: Partial<Run> = {}): Run {
  const counts = {
    pages: 1,
    created: 0,
    updated: 0,
    unchanged: 0,
    stale: 0,
    deleted: 0,
    parked: 0,
    ignored: 0,
  };
  const ended_at = outcome === 'running' ? null : AT;
  return {
    no,
    kind: 'changes',
    outcome,
    started_at: AT,
    ended_at,
    code: null,
    message: null,
    read: 0,
    ...counts,
    ...more,
  };
}

function stream(more: Partial<SyncStream> = {}): SyncStream {
  return SyncStream.parse({
    object: 'sync_stream',
    provider: 'provider_a',
    resource: 'invoices',
    state: 'idle',
    rows: 0,
    fresh_at: null,
    is_stale: false,
    paused: false,
    next_run_at: null,
    next_runs_at: [],
    run: null,
    expected: null,
    held: null,
    parked: 0,
    errors: 0,
    last_error: null,
    first_failure: null,
    ...more,
  } satisfies SyncStream);
}

/** What people see, and whether a terminal shows it. */
function anIo(terminal: Io['terminal'] = null) {
  const printed = { out: '', err: '' };
  const io: Io = {
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    env: {},
    cwd: '/',
    input: (async function* () {})(),
    terminal,
    onInterrupt: () => () => undefined,
  };
  return { io, printed };
}

describe('tillctl sync --wait', () => {
  let daemon: FakeDaemon;
  let looks: number;
  /** What the streams show at each look, the last one for ever. */
  let sequence: readonly (readonly SyncStream[])[];
  beforeEach(async () => {
    looks = 0;
    daemon = await new FakeDaemon()
      .on(`GET ${A}/streams`, () => {
        const seen = sequence[Math.min(looks, sequence.length - 1)] ?? [];
        looks += 1;
        return list(seen);
      })
      .on(`POST ${A}/sync`, () => ({ status: 202, body: { success: true, fullResync: false } }))
      .start();
  });
  afterEach(() => daemon.remove());
  const waited = (io: Io, more: object = {}) =>
    sync({ provider: 'provider_a', wait: true, socket: daemon.socket, ...more }, io, HURRIED);

  it('ends with 0 when every stream has run to its end since, not when an older run had', async () => {
    const old = run(4, 'complete');
    sequence = [
      [stream({ run: old }), stream({ resource: 'customers' })],
      [
        stream({ run: old, state: 'queued' }),
        stream({ resource: 'customers', state: 'running', run: run(5, 'running') }),
      ],
      [stream({ run: old, state: 'queued' }), stream({ resource: 'customers', run: run(5, 'complete') })],
      [
        stream({ run: run(6, 'complete', { read: 40 }) }),
        stream({ resource: 'customers', run: run(5, 'complete') }),
      ],
    ];
    const { io, printed } = anIo();
    expect(await waited(io)).toBe(EXIT.done);
    expect(looks).toBe(4);
    expect(printed.out).toContain('changes: complete');
  });

  it.each(['failed', 'held', 'waiting'])('ends with 1 where a run %s', async (outcome) => {
    sequence = [[stream()], [stream({ run: run(1, outcome, { message: 'no answer' }) })]];
    const { io, printed } = anIo();
    expect(await waited(io)).toBe(EXIT.no);
    expect(printed.err).toContain(`provider_a/invoices: ${outcome}, 0 rows read (no answer)`);
  });

  it('goes on through a stop and a restart, for the run does, too', async () => {
    sequence = [
      [stream()],
      [stream({ state: 'queued', run: run(1, 'stopped') })],
      [stream({ state: 'queued', run: run(1, 'killed') })],
      [stream({ run: run(2, 'complete') })],
    ];
    expect(await waited(anIo().io)).toBe(EXIT.done);
  });

  it('waits for a daemon that is away for a moment', async () => {
    sequence = [
      [stream()],
      [stream({ state: 'running', run: run(1, 'running') })],
      [stream({ run: run(1, 'complete') })],
    ];
    const working = waited(anIo().io);
    while (looks < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    await daemon.stop();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await daemon.start();
    expect(await working).toBe(EXIT.done);
  });

  it('prints the streams of its resource as one JSON document', async () => {
    sequence = [[stream()], [stream({ run: run(1, 'complete') }), stream({ resource: 'customers' })]];
    const { io, printed } = anIo();
    expect(await waited(io, { json: true, resource: 'invoices' })).toBe(EXIT.done);
    const { data } = documentOf(printed.out) as { data: { resource: string }[] };
    expect(data.map(({ resource }) => resource)).toEqual(['invoices']);
    expect(daemon.requests(`POST ${A}/sync`)[0]?.body).toEqual({ resource: 'invoices' });
  });

  it('says so when nothing begins', async () => {
    sequence = [[stream({ run: run(3, 'complete') })]];
    await expect(waited(anIo().io)).rejects.toMatchObject({ code: 'SYNC_NOT_BEGUN' });
  });

  it('is told what to do where the sync is refused', async () => {
    sequence = [[stream()]];
    daemon.on(`POST ${A}/sync`, () => refusal(400, 'integration_not_active', 'provider_a is not active: x'));
    await expect(waited(anIo().io)).rejects.toMatchObject({
      context: { next: expect.stringContaining('tillctl activate provider_a') },
    });
  });

  it('leaves the sync running at Ctrl-C, says so and ends with 5', async () => {
    sequence = [[stream()], [stream({ state: 'running', run: run(1, 'running') })]];
    const running = start(['--socket', daemon.socket, 'sync', 'provider_a', '--wait']);
    while (looks < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    running.interrupt();
    const printed = await running.ended;
    expect(printed).toMatchObject({ exit: 5, out: '', err: expect.stringContaining('goes on by itself') });
    expect(daemon.seen.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });
});

describe('the progress of a sync', () => {
  const reading = (read: number, expected: number | null) =>
    stream({ state: 'running', expected, run: run(1, 'running', { read }) });

  it('is one line on a terminal, with rows, rate and what is left', () => {
    let now = 0;
    const { io, printed } = anIo({ columns: 200 });
    const progress = progressOn(io, () => now);
    progress.show([reading(0, 1000)]);
    now = 2000;
    progress.show([reading(500, 1000)]);
    progress.end();
    expect(printed.err).not.toContain('\n\r');
    const last = printed.err.split('\r\u001B[K').at(-1);
    expect(last).toBe(
      'provider_a/invoices  [############............] 50 %  500 of about 1000 rows  250/s  about 2 s left\n',
    );
  });

  it('draws no bar where nobody knows how many rows there are, and none longer than the terminal', () => {
    const { io, printed } = anIo({ columns: 30 });
    const progress = progressOn(io);
    progress.show([reading(7, null)]);
    progress.show([reading(7, 10)]);
    const [, first = '', second = ''] = printed.err.split('\r\u001B[K');
    expect(first).toBe('provider_a/invoices  7 rows');
    expect(second).toHaveLength(29);
  });

  it('is plain lines in a pipe, one for each change and one in ten seconds', () => {
    let now = 0;
    const { io, printed } = anIo();
    const progress = progressOn(io, () => now);
    progress.show([stream({ state: 'queued' })]);
    for (now = 0; now < 12_000; now += 500) progress.show([reading(now, 20_000)]);
    progress.show([stream({ run: run(1, 'complete', { read: 20_000 }) })]);
    progress.end();
    expect(printed.err.split('\n')).toEqual([
      'provider_a/invoices: queued',
      'provider_a/invoices: running, 0 of about 20000 rows read',
      'provider_a/invoices: running, 10000 of about 20000 rows read',
      'provider_a/invoices: complete, 20000 rows read',
      '',
    ]);
    expect(printed.err).not.toContain('\u001B');
  });
});
