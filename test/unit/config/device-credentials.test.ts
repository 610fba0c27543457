import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withCredentials } from '../../../src/config/device-credentials.ts';
import type {
  DriverContext,
  Link,
  TerminalDriver,
  TerminalSession,
} from '../../../src/driver-kit/terminal.ts';
import { aFolder } from '../../support/money-database.ts';

const { signal } = new AbortController();

/** What a driver gets of these options. */
async function opened(options: unknown, secrets: Readonly<Record<string, string>>): Promise<unknown> {
  const stateDir = aFolder();
  mkdirSync(join(stateDir, 'credentials'));
  for (const [name, value] of Object.entries(secrets))
    writeFileSync(join(stateDir, 'credentials', name), value, { mode: 0o600 });
  let seen: unknown;
  const driver: TerminalDriver = {
    open: async (_link, context) => {
      seen = context.options;
      return {} as TerminalSession;
    },
  };
  await withCredentials(driver, { stateDir, env: {} }).open({} as Link, { options } as DriverContext, signal);
  return seen;
}

it('puts secrets into the options, however deep, and leaves the rest alone', async () => {
  const options = { a: 1, b: [{ c: 'credential:counter-1' }], d: 'a credential:counter-1', e: null };
  expect(await opened(options, { 'counter-1': 'hunter2\n' })).toEqual({ ...options, b: [{ c: 'hunter2' }] });
});

it.each(['credential:missing', 'credential:../service-key', 'credential:'])(
  'refuses to connect with %s',
  async (text) => {
    const refused = opened({ a: text }, {});
    if (text === 'credential:') expect(await refused).toEqual({ a: text });
    else await expect(refused).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  },
);
