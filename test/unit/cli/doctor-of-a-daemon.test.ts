import { afterEach, describe, expect, it } from 'vitest';
import { command } from './command-line.ts';
import { FakeDaemon } from './fake-daemon.ts';

const FINDING = {
  id: 'backup',
  level: 'warn',
  what: 'there is none',
  why: 'a disk dies',
  fix: 'tillctl backup FILE',
};

describe('tillctl doctor --socket', () => {
  let daemon: FakeDaemon;
  afterEach(() => daemon.remove());

  /** A daemon that has these states in turn; the last one stays. */
  async function aDaemon(...states: readonly object[]) {
    const left = [...states];
    const answer = () => {
      const next = (left.length > 1 ? left.shift() : left[0]) ?? {};
      return { status: 200, body: { data: { ...RUNNING, ...next } } };
    };
    daemon = await new FakeDaemon().on('POST /v2/doctor', answer).on('GET /v2/doctor', answer).start();
    return (...words: readonly string[]) => command(['--socket', daemon.socket, 'doctor', ...words]);
  }

  it('is the examination of that daemon, of whose folder and file nothing is known here', async () => {
    const done = {
      state: 'done',
      findings: [FINDING, { ...FINDING, id: 'clock', level: 'ok', why: null, fix: null }],
    };
    const tillctl = await aDaemon({}, {}, done);
    const ran = await tillctl();
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(ran.out.split('\n')).toEqual([
      'WARN  backup             there is none. Why it matters: a disk dies. Fix: tillctl backup FILE',
      expect.stringMatching(/^ok {4}clock/),
      '',
    ]);
    expect(daemon.seen.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
      'POST /v2/doctor',
      'GET /v2/doctor',
      'GET /v2/doctor',
    ]);
    const printed = await tillctl('--json');
    expect(JSON.parse(printed.out)).toEqual({ data: done.findings });
  });

  it('exits with 1 where a check fails, and says why where nothing was found out', async () => {
    expect((await (await aDaemon({ state: 'done', findings: [{ ...FINDING, level: 'fail' }] }))()).exit).toBe(
      1,
    );
    await daemon.remove();
    const failed = await (await aDaemon({ state: 'failed', failure: 'out of memory' }))();
    expect(failed).toMatchObject({ exit: 1, out: '' });
    expect(failed.err).toContain('could not examine itself: out of memory. Next: ');
  });

  it('does not look at another folder instead: no daemon there, or what only a folder has', async () => {
    const tillctl = await aDaemon({ state: 'done' });
    for (const option of ['--offline', '--full']) {
      const { exit, err } = await tillctl(option);
      expect([exit, err]).toEqual([2, expect.stringContaining('--state-dir DIR --config FILE')]);
    }
    expect(daemon.seen).toEqual([]);
    await daemon.stop();
    expect(await tillctl()).toMatchObject({ exit: 3, out: '' });
  });
});

const RUNNING = { state: 'running', started_at: null, ended_at: null, findings: [], failure: null };
