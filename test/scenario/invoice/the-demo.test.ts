import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Daemon, eventually } from '../../support/daemon.ts';
import { aFolder } from '../../support/money-database.ts';
import { askOver } from '../../support/socket.ts';
import { tillctl } from '../../support/till.ts';

const ROOT = join(import.meta.dirname, '../../..');

interface Integrations {
  readonly data: readonly {
    readonly provider: string;
    readonly active: boolean;
    readonly auto_send: boolean;
    readonly managed_by: string;
  }[];
}

it('the demo imports its invoices by itself, and one of them is paid by its number, also at its provider', {
  timeout: 240_000,
}, async () => {
  const place = { folder: aFolder(), config: join(ROOT, 'config/demo/tilld.jsonc') };
  let daemon = await Daemon.start(place);
  const integrations = async () => {
    const { data } = (await askOver(daemon.socket, 'GET', '/v2/integrations')) as Integrations;
    return data.map(({ provider, active, auto_send: sends, managed_by: by }) => [
      provider,
      active,
      sends,
      by,
    ]);
  };
  expect(await integrations()).toEqual([
    ['provider_a', true, true, 'local'],
    ['provider_b', false, false, 'local'],
    ['terminal', true, false, 'local'],
    ['provider_d', false, false, 'local'],
  ]);
  const synced = await tillctl(daemon, 'sync', 'provider_a', '--full-resync', '--wait');
  expect(synced.code, synced.stderr).toBe(0);
  await eventually(
    async () => (await tillctl(daemon, 'mirror', 'invoices', '--search', 'A-1003')).stdout.includes('A-1003'),
    90_000,
  );
  const pay = () => tillctl(daemon, 'pay', '--device', 'Counter 1', '--invoice', 'A-1003');
  const paid = await pay();
  expect(paid.code, paid.stderr).toBe(0);
  expect(paid.stdout).toContain('The customer HAS paid 31.98 EUR.');
  const again = await pay();
  expect([again.code, again.stderr.includes('invoice_already_paid')]).toEqual([1, true]);
  await eventually(() => daemon.log.includes('payment recorded at the provider'), 30_000);

  // What a person switched off stays off, and the invoices are still there.
  await tillctl(daemon, 'deactivate', 'provider_a');
  await daemon.stop();
  daemon = await Daemon.start(place);
  expect((await integrations())[0]).toEqual(['provider_a', false, true, 'local']);
  expect((await pay()).stderr).toContain('invoice_already_paid');
});
