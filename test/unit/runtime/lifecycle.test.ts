import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';

describe('the lifecycle', () => {
  it('stops parts in reverse order, once, and goes on when one fails', async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(silentLog);
    for (const name of ['database', 'queues', 'api']) {
      lifecycle.started(name, () => {
        stopped.push(name);
        if (name === 'queues') throw new Error('stuck');
      });
    }
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    await lifecycle.stop();
    expect(stopped).toEqual(['api', 'queues', 'database']);
  });

  it('stops a part that starts after the stop, and tells the start to end', async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(silentLog);
    const done = lifecycle.stop();
    expect(() => lifecycle.started('late', () => void stopped.push('late'))).toThrow(
      expect.objectContaining({ code: 'SHUTTING_DOWN' }),
    );
    await done;
    await lifecycle.stop();
    expect(stopped).toEqual(['late']);
  });
});
