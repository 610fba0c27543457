import {
  type BadRecord,
  badRecord,
  type Connector,
  type ConnectorContext,
  isJsonObject,
  isSourceError,
  type Json,
  type JsonObject,
  jsonOfReply,
  kindOf,
  marksOf,
  nextToken,
  providerDriver,
  readId,
  readToken,
  type SourcePage,
  type SourceRecord,
  type SyncWindow,
  sourceError,
} from '../../../src/driver-kit/provider.ts';
import { placeIn, queryOf, readList } from './page.ts';
import { accessOf, listOf, resourcesOf, type Settings, settingsSchema } from './settings.ts';
import { instantIn } from './timestamp.ts';

export const driver = providerDriver({
  settings: settingsSchema,
  resources: resourcesOf,
  access: accessOf,
  connect: (settings, context) => new ServiceConnector(settings, context),
});

/** If at least this many records are all unreadable, the interface has changed: the run fails. */
const MANY = 20;

/** The lists of the billing service; fields keep their names. */
class ServiceConnector implements Connector {
  readonly resources;
  readonly #settings: Settings;
  readonly #context: ConnectorContext;

  constructor(settings: Settings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.resources = resourcesOf(settings);
  }

  async list(
    name: string,
    _window: SyncWindow,
    token: string | null,
    signal: AbortSignal,
  ): Promise<SourcePage> {
    const list = listOf(this.#settings, name);
    const last = readToken(token);
    const place = placeIn(list, last);
    const reply = await this.#context.http(
      { path: list.path, query: { ...list.query, ...queryOf(list, place) } },
      signal,
    );
    const { items, next } = readList(list, place, jsonOfReply(reply));
    const { records, bad } = recordsOf(name, items);
    return {
      records,
      bad,
      next: next === null ? null : nextToken(last, next, marksOf(records)),
      sourceNow: reply.dateMs,
    };
  }

  async get(name: string, id: string, signal: AbortSignal): Promise<SourceRecord | null> {
    const list = listOf(this.#settings, name);
    if (!list.hasOne)
      throw sourceError('SOURCE_REFUSED', `the service does not give one of ${name} by its id`);
    const reply = await this.#context.http({ path: `${list.path}/${encodeURIComponent(id)}` }, signal);
    if (reply.status === 404) return null;
    const read = readRecord(unwrapped(jsonOfReply(reply)));
    if ('reason' in read)
      throw sourceError('SOURCE_MALFORMED', `one of ${name} cannot be read: ${read.reason}`);
    if (read.id !== id && read.fields['public_id'] !== id) {
      throw sourceError('SOURCE_MALFORMED', `the service was asked for one of ${name} and gave another`);
    }
    return read;
  }

  async test(signal: AbortSignal): Promise<{ readonly valid: boolean; readonly error: string }> {
    try {
      jsonOfReply(await this.#context.http({ path: '/terminal-devices', query: { limit: '1' } }, signal));
      return { valid: true, error: '' };
    } catch (error) {
      if (isSourceError(error)) return { valid: false, error: error.message };
      throw error;
    }
  }
}

function recordsOf(name: string, items: readonly unknown[]) {
  const records: SourceRecord[] = [];
  const bad: BadRecord[] = [];
  for (const item of items) {
    const read = readRecord(item);
    if ('reason' in read) bad.push(read);
    else records.push(read);
  }
  if (records.length === 0 && bad.length >= MANY) {
    throw sourceError(
      'SOURCE_MALFORMED',
      `none of ${bad.length} ${name} could be read: ${bad[0]?.reason ?? ''}`,
    );
  }
  return { records, bad };
}

/** The interface does not say which fields may be absent or null, so only the id is required. */
function readRecord(item: unknown): SourceRecord | BadRecord {
  if (!isJsonObject(item)) return badRecord(null, `it is ${kindOf(item)}, not an object`, item);
  const id = readId(item['id']);
  if ('problem' in id) return badRecord(null, id.problem, item);
  const changed = item['updated_at'] ?? null;
  const updatedAt = changed === null ? null : instantIn(changed);
  if (updatedAt === undefined) return badRecord(id.id, '"updated_at" is no ISO 8601 timestamp', item);
  return { id: id.id, updatedAt, deleted: false, fields: item };
}

/** Single resources are mostly wrapped as `{data: {…}}`; orders are not. */
function unwrapped(body: Json): Json | JsonObject {
  return isJsonObject(body) && isJsonObject(body['data']) ? body['data'] : body;
}
