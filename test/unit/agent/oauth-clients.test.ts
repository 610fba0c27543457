import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCredentials } from '../../../src/agent/configured-integrations.ts';
import { OAuthClients } from '../../../src/agent/oauth-clients.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { ProviderCredentials, SourceAccess } from '../../../src/integration/connector.ts';
import { IntegrationSettings } from '../../../src/integration/settings/integration-settings.ts';
import { systemClock as clock } from '../../../src/runtime/system-clock.ts';
import { SqliteIntegrationStore } from '../../../src/store/integrations/sqlite-integration-store.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { anOAuthServer } from '../../support/oauth-server.ts';
import { aSealer } from '../../support/webhooks.ts';

const SECRET = 'a-secret-of-the-shop';
const NAME = 'provider_a';
const NOW = new AbortController().signal;
const KEY: ProviderCredentials = {
  apiKey: 'the-first-refresh-token',
  baseUrl: '',
  appName: '',
  appEmail: '',
};

async function aShop() {
  const server = await anOAuthServer({ id: 'till', secret: SECRET, refreshToken: KEY.apiKey });
  const store = new SqliteIntegrationStore(aMoneyDatabase(join(aFolder(), 'money.db')), () => 'an id');
  const settings = new IntegrationSettings({ store, sealer: aSealer(), clock, log: silentLog });
  const recipe: { sends: 'basic' | 'post' } = { sends: 'basic' };
  const accessOf = ({ apiKey }: ProviderCredentials): SourceAccess => ({
    baseUrl: server.url,
    headers: {},
    query: {},
    secrets: [SECRET, apiKey],
    oauth: {
      tokenUrl: `${server.url}/token`,
      authorizeUrl: '',
      issuer: '',
      grant: 'refresh_token',
      id: 'till',
      secret: SECRET,
      sends: recipe.sends,
      scope: '',
      parameters: {},
      refreshToken: apiKey,
    },
  });
  const integration = { name: NAME, allowPlainHttp: false, read: readCredentials, accessOf } as const;
  /** The same tilld, or one that was started again. */
  const opened = (clients = new OAuthClients({ settings, clock, log: silentLog })) => ({
    clients,
    token: async (key = KEY) => clients.tokensOf(integration, accessOf(key)).tokens?.current(NOW),
  });
  return { server, settings, opened, store, recipe };
}

describe('the OAuth clients of integrations', () => {
  it('keep their tokens sealed with the credential, and a restart goes on with them', async () => {
    const { server, settings, opened, store } = await aShop();
    settings.keepCredentials(NAME, KEY);
    const { updatedAt } = settings.get(NAME);
    const token = await opened().token();
    expect(await opened().token()).toBe(token);
    expect(server.asked.count).toBe(1);
    const row = store.all().find(({ name }) => name === NAME);
    expect(JSON.stringify(row)).not.toContain(token);
    // No change of a person.
    expect(row?.updatedAt).toBe(updatedAt);
    expect(settings.credentialsOf(NAME, readCredentials)).toEqual(KEY);
  });

  it('have the same tokens for a test and for what is stored after it: its refresh token is used up', async () => {
    const { server, settings, opened } = await aShop();
    const { token, clients } = opened();
    const tested = await token();
    settings.keepCredentials(NAME, KEY);
    expect(await opened(clients).token()).toBe(tested);
    expect(await opened().token()).toBe(tested);
    expect(server.asked).toEqual({ count: 1, most: 1 });
  });

  it('ask as the recipe of the line says, also where another recipe asked for the same client before', async () => {
    const { server, recipe, opened } = await aShop();
    const { token } = opened();
    recipe.sends = 'post';
    await expect(token()).rejects.toMatchObject({ code: 'SOURCE_UNAUTHORISED' });
    recipe.sends = 'basic';
    expect(await token()).toMatch(/^access-token/);
    // They share the tokens all the same.
    recipe.sends = 'post';
    expect(await token()).toMatch(/^access-token/);
    expect(server.asked.count).toBe(2);
  });

  it('never store tokens beside another credential, and keep those of the same one', async () => {
    const { settings, opened } = await aShop();
    settings.keepCredentials(NAME, KEY);
    const { token } = opened();
    const first = await token();
    settings.keepCredentials(NAME, { ...KEY, appName: 'Corner shop' });
    expect(await opened().token()).toBe(first);
    settings.keepCredentials(NAME, { ...KEY, apiKey: 'another' });
    await token().catch(() => {});
    expect(settings.tokensOf(NAME, (text) => JSON.parse(text).tokens ?? null)).toBeNull();
  });
});
