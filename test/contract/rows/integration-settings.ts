import { hold } from '../breach.ts';
import { SETTABLE } from '../interface.ts';
import { ask, type Row } from '../row.ts';
import { activated, done, hasIssue, integration, put, row, snapshotOf } from './integration-asks.ts';

const A = 'provider_a';

/** Bodies that a PUT refuses, and where its issue stands. */
const WRONG: readonly (readonly [setting: string, body: unknown, path: readonly string[]])[] = [
  ['sync-toggle', {}, ['enabled']],
  ['sync-toggle', { enabled: 'yes' }, ['enabled']],
  ['sync-toggle', { enabled: null }, ['enabled']],
  ['invoice-lookback', {}, ['invoiceLookbackDays']],
  ['invoice-lookback', { invoiceLookbackDays: 0 }, ['invoiceLookbackDays']],
  ['invoice-lookback', { invoiceLookbackDays: 3651 }, ['invoiceLookbackDays']],
  ['invoice-lookback', { invoiceLookbackDays: 30.5 }, ['invoiceLookbackDays']],
  ['invoice-lookback', { invoiceLookbackDays: '30' }, ['invoiceLookbackDays']],
  ['product-mapping-policy', {}, []],
  ['product-mapping-policy', { productMappingMode: 'Import Only' }, ['productMappingMode']],
  ['product-mapping-policy', { productMappingMode: '' }, ['productMappingMode']],
  ['product-mapping-policy', { productMappingMode: 'm'.repeat(65) }, ['productMappingMode']],
  ['product-mapping-policy', { requireProductMappings: 1 }, ['requireProductMappings']],
];
const RIGHT: readonly (readonly [setting: string, body: unknown])[] = [
  ['sync-toggle', { enabled: true }],
  ['invoice-lookback', { invoiceLookbackDays: 1 }],
  ['invoice-lookback', { invoiceLookbackDays: 3650 }],
  ['product-mapping-policy', { productMappingMode: 'import_only' }],
  ['product-mapping-policy', { requireProductMappings: true }],
  ['product-mapping-policy', { productMappingMode: 'import_only', requireProductMappings: false }],
];

/** The three settings that are put one by one. */
export function settingRows(): readonly Row[] {
  return [
    ...RIGHT.map(([setting, body]) => rightRow(setting, body)),
    ...WRONG.map(([setting, body, path]) => wrongRow(setting, body, path)),
    ...['sync-toggle', 'invoice-lookback', 'product-mapping-policy'].map(refusedOfDRow),
    row(
      'toggle',
      'syncs are switched off and on again, and the integration stays active',
      ['PUT sync-toggle', 'enabled'],
      async (side) => {
        await activated(side, A);
        await done(side, put(integration(A, 'sync-toggle'), { enabled: false }));
        const off = await snapshotOf(side, A);
        hold(!off.sync_enabled && off.next_sync_at === null && off.active, () => JSON.stringify(off));
        await done(side, put(integration(A, 'sync-toggle'), { enabled: true }));
        const on = await snapshotOf(side, A);
        hold(on.sync_enabled && on.next_sync_at !== null, () => JSON.stringify(on));
      },
    ),
    row(
      'lookback',
      'the days that the first full sync fetches are in the snapshot, also after a restart',
      ['PUT invoice-lookback', 'invoiceLookbackDays'],
      async (side) => {
        await done(side, put(integration(A, 'invoice-lookback'), { invoiceLookbackDays: 45 }));
        hold((await snapshotOf(side, A)).invoice_lookback_days === 45, () => 'it is another number');
        const before = await snapshotOf(side, A);
        await side.restart();
        const after = await snapshotOf(side, A);
        const same =
          after.invoice_lookback_days === 45 && after.id === before.id && after.active === before.active;
        hold(same, () => JSON.stringify(after));
      },
    ),
  ];
}

function rightRow(setting: string, body: unknown): Row {
  const text = JSON.stringify(body);
  const covers = [`PUT ${setting}`, 'productMappingMode', 'import_only', 'requireProductMappings'];
  return row(`${setting} ${text}`, `${setting} takes ${text}`, covers, async (side) => {
    for (const provider of SETTABLE) await done(side, put(integration(provider, setting), body));
  });
}

function wrongRow(setting: string, body: unknown, path: readonly string[]): Row {
  const text = JSON.stringify(body).slice(0, 60);
  const one = row(
    `${setting} ${text} refused`,
    `${setting} with ${text} is 400 with its issues`,
    [`PUT ${setting}`],
    async (side) => {
      const before = await snapshotOf(side, A);
      await hasIssue(side, put(integration(A, setting), body), path);
      const after = await snapshotOf(side, A);
      hold(JSON.stringify(after) === JSON.stringify(before), () => JSON.stringify(after));
    },
  );
  return { ...one, covers: [...one.covers, 'flat:issues'] };
}

function refusedOfDRow(setting: string): Row {
  return row(
    `${setting} of provider_d`,
    `${setting} is no setting of provider_d: 400 with its issues`,
    [`PUT ${setting}`, 'provider_d'],
    async (side) => {
      const [, body] = RIGHT.find(([name]) => name === setting) ?? [];
      await hasIssue(side, put(integration('provider_d', setting), body), ['provider']);
      await ask(side, { path: integration('provider_d') }, { status: 200 });
    },
  );
}
