import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../../src/runtime/pino-log.ts';
import { standardError } from '../../../src/runtime/standard-error.ts';

const MEBIBYTE = 1_048_576;

/** Where the log goes: it takes half of what it is given, and refuses with this error until it is mended. */
function aSink(refusal: string | null) {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-stderr-'));
  const path = join(folder, 'stderr');
  const file = openSync(path, 'a');
  const sink = { refusal, asked: 0, text: () => readFileSync(path, 'utf8') };
  const write = fs.writeSync;
  const spy = vi.spyOn(fs, 'writeSync').mockImplementation((_file: number, data: unknown) => {
    sink.asked += 1;
    if (sink.refusal !== null) throw Object.assign(new Error(sink.refusal), { code: sink.refusal });
    const bytes = Buffer.from(data as string);
    return write(file, bytes.subarray(0, Math.max(1, Math.ceil(bytes.length / 2))));
  });
  onTestFinished(() => {
    spy.mockRestore();
    closeSync(file);
    rmSync(folder, { recursive: true });
  });
  const lines = () =>
    sink
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { sink, lines, log: createLog('info', standardError(file)) };
}

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

describe('the log', () => {
  describe.each(['ENOSPC', 'EPIPE', 'EIO', 'EAGAIN'])('that meets %s', (code) => {
    it('stops nothing, asks once a line, and writes afterwards what it held', () => {
      const { sink, lines, log } = aSink(code);
      for (let line = 0; line < 3; line += 1) log.info({ line }, 'held');
      expect([sink.asked, sink.text()]).toEqual([3, '']);
      sink.refusal = null;
      log.info({}, 'written');
      expect(lines().map(({ line, msg }) => [line, msg])).toEqual([
        [0, 'held'],
        [1, 'held'],
        [2, 'held'],
        [undefined, 'written'],
      ]);
    });

    it('holds no more than it may, and says afterwards how much it left out', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const { sink, lines, log } = aSink(code);
      log.info({ text: 'x '.repeat(MEBIBYTE / 2 - 100) }, 'held');
      for (let line = 0; line < 3; line += 1) log.info({ text: 'y '.repeat(200) }, 'left out');
      sink.refusal = null;
      vi.advanceTimersByTime(100);
      await nextTick();
      log.info({}, 'written');
      expect(lines().slice(1)).toMatchObject([
        { lost: 3, msg: 'log lines could not be written' },
        { msg: 'written' },
      ]);
    });
  });

  it('writes what it held although no other line comes, and says that it was late', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { sink, lines, log } = aSink('EAGAIN');
    log.info({}, 'held');
    vi.advanceTimersByTime(100);
    expect(sink.text()).toBe('');
    sink.refusal = null;
    vi.advanceTimersByTime(100);
    await nextTick();
    expect(lines()).toMatchObject([{ msg: 'held' }, { lost: 0, msg: 'log lines could not be written' }]);
  });

  it('is written whole where the system takes it in pieces', () => {
    const { lines, log } = aSink(null);
    log.info({ device: 'Counter 1' }, 'listening');
    expect(lines()).toMatchObject([{ level: 'info', device: 'Counter 1', msg: 'listening' }]);
  });

  it('shows no card number', () => {
    const { sink, log } = aSink(null);
    log.info({ text: '4111111111111111' }, 'x');
    expect(sink.text()).not.toContain('4111111111111111');
  });
});
