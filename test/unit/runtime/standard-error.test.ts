import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/runtime/pino-log.ts';
import { standardError } from '../../../src/runtime/standard-error.ts';

/** Where the log goes: it refuses with this error until it is mended. */
function aSink(refusal: string | null) {
  const sink = { refusal, text: '', asked: 0 };
  const write = (bytes: Uint8Array) => {
    sink.asked += 1;
    if (sink.refusal !== null) throw Object.assign(new Error(sink.refusal), { code: sink.refusal });
    const part = bytes.subarray(0, Math.max(1, Math.ceil(bytes.length / 2)));
    sink.text += Buffer.from(part).toString();
    return part.length;
  };
  return { sink, log: createLog('info', standardError(write)) };
}

describe('the log', () => {
  it.each(['ENOSPC', 'EPIPE', 'EIO', 'EAGAIN'])(
    'that meets %s stops nobody, and says afterwards how much it left out',
    (code) => {
      const { sink, log } = aSink(code);
      for (let line = 0; line < 3; line += 1) log.info({ line }, 'left out');
      expect(sink.asked).toBeLessThan(10);
      sink.refusal = null;
      log.info({}, 'written');
      const lines = sink.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines).toMatchObject([{ lost: 3, msg: 'log lines could not be written' }, { msg: 'written' }]);
    },
  );

  it('is written whole where the system takes it in pieces', () => {
    const { sink, log } = aSink(null);
    log.info({ device: 'Counter 1' }, 'listening');
    expect(JSON.parse(sink.text)).toMatchObject({ level: 'info', device: 'Counter 1', msg: 'listening' });
  });

  it('shows no card number', () => {
    const { sink, log } = aSink(null);
    log.info({ text: '4111111111111111' }, 'x');
    expect(sink.text).not.toContain('4111111111111111');
  });
});
