import { describe, expect, it } from 'vitest';
import { InProcessDriverHost } from '../../../src/agent/driver-host.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Link } from '../../../src/terminal/link.ts';
import type { DriverContext, TerminalDriver, TerminalSession } from '../../../src/terminal/ports.ts';

const never = new AbortController().signal;

/** A link that only notes that it was abandoned. */
function aLink() {
  const seen = { abandoned: false };
  const abandon = async () => {
    seen.abandoned = true;
  };
  const closed = new Promise<never>(() => undefined);
  return { seen, link: { kind: 'tcp', closed, abandon, close: async () => undefined } as unknown as Link };
}

/** A session whose terminal hangs up after each answer; its driver fails in `readiness`, and goes on. */
async function failing(when: 'before dialling' | 'after dialling' | 'while dialling') {
  const host = new InProcessDriverHost(silentLog);
  const [first, dialled] = [aLink(), aLink()];
  const fail = () => host.claim(new Error('planted'));
  const context = {
    deviceId: 'counter-1',
    transcript: { record: () => undefined },
    dial: async () => {
      if (when === 'while dialling') fail();
      return dialled.link;
    },
  } as unknown as DriverContext;
  const dialling = Promise.withResolvers<string>();
  const driver: TerminalDriver = {
    open: async (_link, { dial }) =>
      ({
        readiness: async () => {
          if (when === 'before dialling') fail();
          await dial(never).then(
            () => dialling.resolve('dialled'),
            (error) => dialling.resolve(error.code),
          );
          if (when === 'after dialling') fail();
          return { kind: 'ready' };
        },
      }) as unknown as TerminalSession,
  };
  const session = await host.host(driver).open(first.link, context, never);
  const answer = await session.readiness(never).catch((error) => error.code);
  return { answer, dialled: await dialling.promise, first, second: dialled, session };
}

describe('a driver that failed', () => {
  it('opens no further connection, on which what still runs of it could send', async () => {
    const { answer, dialled, first, session } = await failing('before dialling');
    expect([answer, dialled, first.seen.abandoned]).toEqual(['DRIVER_FAULT', 'DRIVER_FAULT', true]);
    await expect(session.readiness(never)).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
  });

  it('gets no connection that was being opened', async () => {
    const { dialled, second } = await failing('while dialling');
    expect([dialled, second.seen.abandoned]).toEqual(['DRIVER_FAULT', true]);
  });

  it('loses the connection that it has', async () => {
    const { answer, second } = await failing('after dialling');
    expect([answer, second.seen.abandoned]).toEqual(['DRIVER_FAULT', true]);
  });

  it('is not blamed for what happens outside of drivers', () => {
    expect(new InProcessDriverHost(silentLog).claim(new Error('of the core'))).toBe(false);
  });
});
