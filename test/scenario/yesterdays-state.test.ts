import { describe, expect, it } from 'vitest';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { Till, tillctl } from '../support/till.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects and fails when it is not there
type Json = any;

const CREATE = 'POST /v2/terminal-payments';

async function opened(world: World) {
  const daemon = await Daemon.start(world);
  const get = (path: string): Promise<Json> => askOver(daemon.socket, 'GET', path);
  const [device] = (await get('/v2/terminal-devices')).data;
  const sale = { device_id: device.id, amount_minor: 800, currency: 'EUR', reference: 'order 7' };
  const till = await Till.at(daemon);
  const sell = async (): Promise<Json> => (await till.ask('POST', '/terminal-payments', sale)).body;
  const refusedTask = async (open = true): Promise<string | undefined> =>
    (await get(`/v2/terminal-tasks?open=${open}`)).data.find(({ kind }: Json) => kind === 'report_rejected')
      ?.message;
  return { daemon, get, sell, refusedTask };
}

describe("nobody is told yesterday's state", () => {
  it('by a task that was written when a report was refused, while the customer was still paying', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const { daemon, get, sell, refusedTask } = await opened(world);
    world.service.control.behave({ status: { times: 1000, only: CREATE, code: 402 } });
    const { id } = (await sell()).data;
    await eventually(async () => (await refusedTask()) !== undefined);
    expect(await refusedTask()).toMatch(/not known yet whether the customer was charged/);
    await eventually(() => world.terminal.snapshot().busy);
    await new Promise((resolve) => setTimeout(resolve, 300));
    world.terminal.press('approve');
    const path = `/v2/terminal-payments/${id}`;
    await eventually(async () => (await get(path)).data.status === 'succeeded');

    expect(await refusedTask()).toMatch(
      /^The service did not take the outcome\. The customer HAS paid 8\.00 EUR\./,
    );
    expect(await refusedTask()).not.toMatch(/not known|wait/i);
    expect((await tillctl(daemon, 'tasks')).stdout).toMatch(/The customer HAS paid 8\.00 EUR\./);
    expect((await get(path)).data.message).not.toMatch(/not known/);

    // "can report: yes" does not stand beside a report that was refused.
    const { data: status } = await get('/v2/status');
    expect([status.can_report, status.reasons.map(({ code }: Json) => code)]).toEqual([
      false,
      ['report_refused'],
    ]);
    expect((await tillctl(daemon, 'status')).stdout).toMatch(/can report +NO/);
    expect((await tillctl(daemon, 'doctor')).stdout).not.toMatch(/it can report to the service/);

    world.service.control.behaveWell();
    const [{ id: report }] = JSON.parse((await tillctl(daemon, 'outbox', 'list', '--json')).stdout).data;
    await tillctl(daemon, 'outbox', 'retry', report);
    await eventually(async () => (await get('/v2/status')).data.can_report);
    expect(await refusedTask()).toBeUndefined();
    expect(await refusedTask(false)).toMatch(/has taken it since|is being sent again/);
  });

  it('by the refusal of the same sale: it charged nothing, and the customer HAS paid already', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const { daemon, get, sell } = await opened(world);
    const { id } = (await sell()).data;
    const path = `/v2/terminal-payments/${id}`;
    await eventually(async () => (await get(path)).data.status === 'succeeded');
    const { error } = await sell();
    expect(error).toMatchObject({ code: 'payment_already_paid', details: { payment_id: id } });
    expect(error.message).toMatch(
      new RegExp(
        `^This request charged the customer NOTHING: it was not started\\. Payment ${id}, .+, stands in its way: ` +
          'The customer HAS paid 8\\.00 EUR\\. Do not take it again\\.',
      ),
    );
    const again = await tillctl(
      daemon,
      'pay',
      '--device',
      'Counter 1',
      '--amount',
      '8',
      '--reference',
      'order 7',
    );
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('The customer HAS paid 8.00 EUR.'),
    ]);

    const back = await tillctl(daemon, 'refund', id, '--amount', '3');
    expect(back.stderr).toMatch(/the sale was paid with \S+ [\d*]+: the customer must present that card/);
    const listed = (await tillctl(daemon, 'payments')).stdout;
    expect(listed).toContain('PARTLY GIVEN BACK');
    await tillctl(daemon, 'refund', id);
    expect((await tillctl(daemon, 'payments')).stdout).not.toContain('PARTLY GIVEN BACK');
    expect((await sell()).data.status).toBe('requested');
  });
});
