import { KeySummary } from '../api/contract/key.ts';
import { listOf } from '../api/contract/primitives.ts';
import { AppError } from '../base/errors.ts';
import { canonicalId } from '../base/ids.ts';
import { guardText } from '../base/text-guard.ts';
import type { DaemonClient } from './client.ts';
import { withName } from './naming.ts';

const PAGE = 100;
const MOST_PAGES = 100;
const Page = listOf(KeySummary);

/** Every matching key, newest first, as one list. `query`: more filters of `GET /v2/keys`. */
export async function allKeys(
  client: DaemonClient,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly KeySummary[]> {
  const keys: KeySummary[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const search = new URLSearchParams({ limit: String(PAGE), offset: String(page * PAGE), ...query });
    const { value } = await client.call({ path: `/v2/keys?${search}` }, Page);
    keys.push(...value.data);
    if (!value.has_more) break;
  }
  return keys;
}

/**
 * Finds a key by id, or by a unique name. Of an active and a revoked key with one name it selects the active one.
 * @throws REFUSED (resource_not_found) when there is none; USAGE when several have the name, or when it is a key itself
 */
export async function chooseKey(client: DaemonClient, wanted: string): Promise<KeySummary> {
  const word = wanted.trim();
  if (/^rk_(live|sandbox)_/.test(word)) {
    throw new AppError(
      'USAGE',
      'this is a key itself, which must not stand in a command line: use its id or its name (tillctl keys list)',
    );
  }
  const keys = await allKeys(client);
  const byId = keys.find((key) => key.id === canonicalId(word));
  if (byId) return byId;
  const living = withName(
    keys.filter(({ status }) => status !== 'revoked'),
    word,
  );
  const named = living.length > 0 ? living : withName(keys, word);
  const [found, another] = named;
  if (found && another) {
    const ids = named.map(({ id, status }) => `${id} (${status})`);
    throw new AppError(
      'USAGE',
      `several keys are called "${found.name}": say the id of one: ${ids.join(', ')}`,
    );
  }
  return found ?? unknown(word);
}

function unknown(word: string): never {
  const message = `there is no API key with the id or name "${guardText(word).slice(0, 64)}": tillctl keys list shows them`;
  const error = { type: 'invalid_request_error', code: 'resource_not_found', message, param: 'id' };
  throw new AppError('REFUSED', message, { context: { status: 404, document: { error } } });
}
