import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lackOfOpenssl } from './certificate.ts';
import { Field } from './field.ts';
import { ATTACKS } from './list.ts';
import { attackAll } from './run.ts';

const lack = lackOfOpenssl();
/** What waits for the daemon's time limits or wants the machine for itself is for `npm run security`; a crowd is small here. */
const HERE = ATTACKS.filter(({ kind }) => kind === undefined || kind === 'crowd');

describe.each([
  ['on loopback', false],
  ['with TLS', true],
] as const)('the real daemon %s', (_where, tls) => {
  const attacks = HERE.filter((attack) => (attack.at === 'tls') === tls);
  const groups = [...new Set(attacks.map(({ group }) => group))];
  const missing = tls && lack !== null;
  let field: Field;
  beforeAll(async () => {
    if (!missing) field = await Field.open({ tls, crowd: 300 });
  }, 60_000);
  afterAll(async () => {
    if (!missing) await field.close();
  }, 60_000);

  it.skipIf(missing).each(groups)(
    `refuses and goes on selling: %s${missing ? ` (skipped: ${lack})` : ''}`,
    async (group) => {
      const rows = await attackAll(
        field,
        attacks.filter((attack) => attack.group === group),
        { saleAfter: 'all' },
      );
      const failed = rows.filter(({ pass }) => !pass);
      expect(failed.map(({ attack, came, selling }) => ({ name: attack.name, came, selling }))).toEqual([]);
      expect(rows.length).toBeGreaterThan(0);
    },
    120_000,
  );
});
