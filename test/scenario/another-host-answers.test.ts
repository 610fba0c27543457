import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { linkOf, Till } from '../support/till.ts';

const AMOUNT = { device_id: DEVICE_ID, amount_minor: 4200, currency: 'EUR' };

describe('a network whose sign-in page, or whose proxy, answers in place of the service', {
  timeout: 60_000,
}, () => {
  it.each([
    ['page', 'captive_portal', /the network wants a sign-in/],
    ['redirect', 'captive_portal', /the network wants a sign-in/],
    ['json', 'wrong_host', /another host or a proxy/],
    ['conflict', 'wrong_host', /another host or a proxy/],
    ['version', 'wrong_host', /another host or a proxy/],
  ] as const)(
    '(%s) is shown as %s; the shop sells, and everything is told and run once it is gone',
    async (answer, code, words) => {
      const world = await aWorld({ autopilotMs: 20 });
      const { control } = world.service;
      control.behave({ foreign: { answer } });
      const daemon = await Daemon.start(world);
      const till = await Till.at(daemon);
      await eventually(async () => (await linkOf(daemon)).code === code, 20_000);
      expect(await linkOf(daemon)).toMatchObject({ state: 'offline', reason: expect.stringMatching(words) });
      control.requestPayment({ ...AMOUNT, amount_minor: 77 });
      const { id } = (await till.ask('POST', '/terminal-payments', AMOUNT)).body.data;
      const shown = async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data;
      await eventually(async () => (await shown()).charged === 'yes', 20_000);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(await shown()).toMatchObject({ reported: 'pending' });
      expect(await (await fetch(`${daemon.url}/metrics`)).text()).toContain(
        `tilld_link_down{reason="${code}"} 1`,
      );
      expect(world.terminal.snapshot().ledger).toHaveLength(1);

      control.behaveWell();
      await eventually(async () => (await shown()).reported === 'yes', 30_000);
      await eventually(() => world.terminal.snapshot().ledger.length === 2, 30_000);
      await eventually(() => control.ledger().every(({ status }) => status === 'succeeded'), 30_000);
      expect(
        control
          .ledger()
          .map(({ amount_minor }) => amount_minor)
          .toSorted(),
      ).toEqual([4200, 77]);
      expect(await linkOf(daemon)).toMatchObject({ state: 'online', code: null });
    },
  );
});
