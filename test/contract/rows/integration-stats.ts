import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { PROVIDERS } from '../interface.ts';
import { ask, type Row } from '../row.ts';
import { dataOf, InvoiceRefresh, SyncStats, SyncStatsByResource } from '../shapes.ts';
import { activated, integration, NOT_ACTIVE, post, row, snapshotOf } from './integration-asks.ts';

const A = 'provider_a';
const NOT_FOUND = {
  status: 404,
  error: { type: 'invalid_request_error', code: 'resource_not_found', param: null },
} as const;
const STATS = 'GET sync-stats/{id}';
const BY_RESOURCE = 'GET sync-stats/{id}/resources';
const REFRESH = 'POST invoices/{externalInvoiceId}/refresh';
const STATUS = 'GET invoices/{externalInvoiceId}/refresh-status';

/** Counters, and asking for one invoice again. */
export function statsRows(): readonly Row[] {
  return [
    ...PROVIDERS.map((provider) =>
      row(
        `stats-${provider}`,
        `${provider} counts its syncs, by the id of its snapshot`,
        [STATS, BY_RESOURCE],
        async (side) => {
          const { id } = await snapshotOf(side, provider);
          const path = integration(provider, `sync-stats/${id}`);
          const answer = await ask(side, { path }, { status: 200, body: SyncStats });
          const { data } = shapeOf('the stats', SyncStats, answer.json);
          hold(data.id === id && data.provider === provider, () => answer.text);
          await ask(
            side,
            { path: path.toUpperCase().replace(/^.*SYNC-STATS/, integration(provider, 'sync-stats')) },
            { status: 200 },
          );
          await ask(side, { path: `${path}/resources` }, { status: 200, body: SyncStatsByResource });
        },
      ),
    ),
    row('stats-counted', 'a sync is counted in every window', [STATS, 'POST sync'], async (side) => {
      const { id } = await activated(side, A);
      await ask(side, post(integration(A, 'sync')), { status: 202 });
      const answer = await ask(side, { path: integration(A, `sync-stats/${id}`) }, { status: 200 });
      const { runs, success, failure, last_run_at } = shapeOf('the stats', SyncStats, answer.json).data;
      hold(runs['1h'] > 0 && success['7d'] > 0 && failure['7d'] === 0, () => answer.text);
      hold(last_run_at !== null, () => 'it has no last run');
    }),
    row(
      'stats-others',
      'the id of another integration has no stats here, nor has one of nobody',
      [STATS, BY_RESOURCE],
      async (side) => {
        const { id } = await snapshotOf(side, 'provider_b');
        for (const one of [id, '0198c5a0-0000-7000-8000-0000000000aa']) {
          await ask(side, { path: integration(A, `sync-stats/${one}`) }, NOT_FOUND);
          await ask(side, { path: integration(A, `sync-stats/${one}/resources`) }, NOT_FOUND);
        }
      },
    ),
    row(
      'refresh',
      'one invoice is asked for again, and its status tells how that went',
      [REFRESH, STATUS],
      async (side) => {
        await activated(side, A);
        const path = integration(A, 'invoices/INV-2026%2F7');
        await ask(side, { path: `${path}/refresh-status` }, NOT_FOUND);
        const asked = await ask(side, post(`${path}/refresh`), { status: 202 });
        hold(asked.text === '{"success":true}', () => asked.text);
        const answer = await ask(
          side,
          { path: `${path}/refresh-status` },
          { status: 200, body: dataOf(InvoiceRefresh) },
        );
        const { data } = shapeOf('the refresh', dataOf(InvoiceRefresh), answer.json);
        hold(data.external_invoice_id === 'INV-2026/7', () => answer.text);
        await ask(
          side,
          { path: integration('provider_b', 'invoices/INV-2026%2F7/refresh-status') },
          NOT_FOUND,
        );
      },
    ),
    row(
      'refresh-inactive',
      'an integration that is not active asks for no invoice: 400',
      [REFRESH],
      async (side) => {
        await activated(side, A);
        await ask(side, post(integration(A, 'deactivate')), { status: 200 });
        await ask(side, post(integration(A, 'invoices/i-1/refresh')), NOT_ACTIVE);
      },
    ),
  ];
}
