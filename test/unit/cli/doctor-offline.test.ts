import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CheckResult } from '../../../src/cli/offline/doctor/check-result.ts';
import { monthFinding } from '../../../src/cli/offline/doctor/offline-room.ts';
import { aFolder } from '../../support/money-database.ts';
import { command, documentOf } from './command-line.ts';

const MIB = 1_048_576;
const device = (id: number, link: object) => ({
  id: `0199c0de-0000-7000-8000-00000000000${id}`,
  name: `Counter ${id}`,
  driver: 'zvt',
  currency: 'EUR',
  link,
});

async function offlineFindings(changes: object): Promise<readonly CheckResult[]> {
  const folder = aFolder();
  const file = join(folder, 'tilld.jsonc');
  writeFileSync(file, JSON.stringify({ version: 1, environment: 'live', ...changes }));
  const ran = await command(['doctor', '--offline', '--json', '--state-dir', folder, '--config', file]);
  const { data } = documentOf(ran.out) as { data: readonly CheckResult[] };
  return data.filter(({ id }) => id.startsWith('offline-') || id === 'credentials');
}

function listening(): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    }),
  );
}

describe('doctor --offline', () => {
  it('names each terminal that does not answer, each that needs a name, and takes those that answer', async () => {
    const port = await listening();
    const found = await offlineFindings({
      devices: [
        device(1, { type: 'tcp', host: '127.0.0.1', port }),
        device(2, { type: 'tcp', host: '127.0.0.1', port: 1 }),
        device(3, { type: 'tcp', host: 'terminal.invalid', port: 20007 }),
        device(4, { type: 'serial', path: '/dev/there-is-no-such-port' }),
      ],
    });
    const levels = found.map(({ id, level, what }) => [id, level, what.slice(0, 9)]);
    expect(levels).toEqual(
      expect.arrayContaining([
        ['offline-terminals', 'ok', 'Counter 1'],
        ['offline-terminals', 'fail', 'Counter 2'],
        ['offline-names', 'warn', 'Counter 3'],
        ['offline-terminals', 'fail', 'Counter 3'],
        ['offline-terminals', 'fail', 'Counter 4'],
        ['offline-writable', 'ok', expect.any(String)],
      ]),
    );
  });

  it('says that payments started here will not be reported while create_local is off', async () => {
    const service = { url: 'https://billing.example' };
    const found = await offlineFindings({ service });
    expect(found.find(({ id }) => id === 'offline-reports')).toMatchObject({ level: 'warn' });
    const on = await offlineFindings({ service: { ...service, create_local: 'on' } });
    expect(on.find(({ id }) => id === 'offline-reports')).toMatchObject({ level: 'ok' });
  });

  it.each([
    ['a new shop with room', { payments: 0, bytes: 0, lately: 0, days: 0, free: 1_000 * MIB }, 'ok'],
    ['a new shop without', { payments: 0, bytes: 0, lately: 0, days: 0, free: 200 * MIB }, 'fail'],
    ['a busy one', { payments: 60_000, bytes: 900 * MIB, lately: 60_000, days: 30, free: 1_200 * MIB }, 'ok'],
    [
      'a busy one short of it',
      { payments: 60_000, bytes: 900 * MIB, lately: 60_000, days: 30, free: 900 * MIB },
      'fail',
    ],
  ])('has room for a month of payments: %s', (_, month, level) => {
    expect(monthFinding(month).level).toBe(level);
  });
});
