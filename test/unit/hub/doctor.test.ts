import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateOf, examine, type Finding } from '../../../src/hub/doctor.ts';
import { type TestHub, testHub } from '../../fleet/hub.ts';
import { lackOfOpenssl, makeCertificate } from '../../security/certificate.ts';
import { aFolder } from '../../support/money-database.ts';

const DAY_MS = 86_400_000;
let test: TestHub;
beforeAll(async () => {
  test = await testHub();
});
afterAll(() => test.stop());

const levels = (findings: readonly Finding[]) =>
  Object.fromEntries(findings.map(({ id, level }) => [id, level]));
const found = async (id: string) => (await examine(test.database, Date.now())).find((one) => one.id === id);

describe('tillhub doctor', () => {
  it('finds nothing amiss with a new database', async () => {
    const findings = await examine(test.database, Date.now());
    expect(levels(findings)).toMatchObject({
      database: 'ok',
      tables: 'ok',
      primary: 'ok',
      isolation: 'ok',
      clock: 'ok',
    });
    expect(findings.filter(({ level, next }) => (level === 'ok') !== (next === null))).toEqual([]);
  });

  it('names a table whose rows every tenant could see', async () => {
    await sql`ALTER TABLE shop NO FORCE ROW LEVEL SECURITY`.execute(test.database);
    const finding = await found('isolation');
    await sql`ALTER TABLE shop FORCE ROW LEVEL SECURITY`.execute(test.database);
    expect(finding).toMatchObject({ level: 'failure' });
    expect(finding?.what).toContain('table shop ');
  });

  it('says to migrate where a step is missing, and looks no further at the tables', async () => {
    const rename = (from: string, to: string) =>
      sql`UPDATE kysely_migration SET name = ${to} WHERE name = ${from}`.execute(test.database);
    await rename('0002-operators', '0002-unknown');
    const findings = await examine(test.database, Date.now());
    await rename('0002-unknown', '0002-operators');
    expect(levels(findings)).toMatchObject({ tables: 'failure' });
    expect(findings.find(({ id }) => id === 'tables')?.next).toContain('tillhub migrate');
    expect(levels(findings)).not.toHaveProperty('isolation');
  });

  it('says that the clocks of machine and server are apart', async () => {
    const findings = await examine(test.database, Date.now() + 60_000);
    expect(findings.find(({ id }) => id === 'clock')).toMatchObject({
      level: 'warning',
      what: expect.stringMatching(/(59|60|61) s apart/),
    });
  });

  it.skipIf(lackOfOpenssl() !== null)('reads the certificate: good, about to end, ended, none', () => {
    const { certificatePath: file } = makeCertificate(aFolder());
    const end = Date.parse(new X509Certificate(readFileSync(file)).validTo);
    const until = (days: number) => certificateOf(file, end - days * DAY_MS)[0];
    expect(until(15)).toMatchObject({ level: 'ok' });
    expect(until(13)).toMatchObject({ level: 'warning' });
    expect(until(-1)).toMatchObject({ level: 'failure', next: 'renew it' });
    writeFileSync(file, 'no certificate');
    expect(until(15)).toMatchObject({ level: 'failure' });
    expect(certificateOf(undefined, end)).toEqual([]);
  });
});
