import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { ReplayingProxy } from '../support/replaying-proxy.ts';
import { Till } from '../support/till.ts';

const AMOUNT = 1234;

/** A real daemon whose terminal is reached through a machine of an attacker. */
async function aShop() {
  const ports = { terminal: 0 };
  const proxy = await ReplayingProxy.start(() => ports.terminal);
  const link = { type: 'tcp', host: '127.0.0.1', port: proxy.port };
  const world = await aWorld(
    { autopilotMs: 50 },
    { devices: [{ id: DEVICE_ID, name: 'Counter 1', driver: 'zvt', currency: 'EUR', link }] },
  );
  ports.terminal = Number(new URL(world.terminal.address).port);
  const daemon = await Daemon.start(world);
  const till = await Till.at(daemon);
  let turn = 0;
  const pay = async () => {
    proxy.next();
    turn += 1;
    const body = { device_id: DEVICE_ID, amount_minor: AMOUNT, currency: 'EUR', reference: `basket ${turn}` };
    const { id } = await eventually(async () => {
      const answer = await till.ask('POST', '/terminal-payments', body);
      return answer.status === 201 && answer.body.data;
    });
    return eventually(async () => {
      const { data } = (await till.ask('GET', `/terminal-payments/${id}`)).body;
      return (data.completed_at !== null || data.needs_person) && data;
    }, 60_000);
  };
  const ask = async (path: string) => (await till.ask('GET', path)).body.data;
  return { proxy, world, pay, ask };
}

describe('a machine of the shop network that answers with what the terminal once said', {
  timeout: 90_000,
}, () => {
  it('does not get its replayed approval believed', async () => {
    const { proxy, world, pay, ask } = await aShop();
    expect(await pay()).toMatchObject({ status: 'succeeded' });
    proxy.play(1);
    const second = await pay();
    expect(proxy.deceived).toBe(1);
    expect(world.terminal.snapshot().ledger).toHaveLength(1);
    expect(second).toMatchObject({
      status: 'in_progress',
      charged: 'unknown',
      in_doubt: true,
      error_code: 'terminal_not_believed',
      message: expect.stringContaining('The approval is not believed'),
    });
    expect(await ask('/terminal-tasks')).toMatchObject([
      {
        kind: 'terminal_not_believed',
        message: expect.stringContaining(`tillctl devices adopt ${DEVICE_ID}`),
      },
    ]);
    expect(await ask('/terminal-devices')).toMatchObject([{ status: 'wrong_terminal' }]);
  });

  it('gets no payment at all when what it shows is older than what was paid since', async () => {
    const { proxy, world, pay, ask } = await aShop();
    await pay();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await pay()).toMatchObject({ status: 'succeeded' });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await pay()).toMatchObject({ status: 'succeeded' });
    proxy.play(2);
    const last = await pay();
    expect(proxy.deceived).toBe(0);
    expect(last).toMatchObject({ status: 'cancelled', charged: 'no', error_code: 'wrong_terminal' });
    expect(world.terminal.snapshot().ledger).toHaveLength(3);
    expect(await ask('/terminal-devices')).toMatchObject([{ status: 'wrong_terminal' }]);
  });
});
