import {
  at,
  type BadRecord,
  type Connector,
  type ConnectorContext,
  type InvoicePayment,
  isJsonObject,
  isSourceError,
  type Json,
  jsonOfReply,
  kindOf,
  marksOf,
  nextToken,
  providerDriver,
  readToken,
  type SampledRecord,
  type SourcePage,
  type SourceRecord,
  type SourceReply,
  type SourceSample,
  type SyncWindow,
  sourceError,
} from '../../../src/driver-kit/provider.ts';
import { failedExamples } from './examples.ts';
import { isDeclaredEmpty, refuseFailure } from './failure.ts';
import { Mapping } from './mapping.ts';
import { isUnsure, nextPlace } from './pages.ts';
import { Payments } from './payments.ts';
import { quietMs } from './rate.ts';
import type { Resource } from './recipe.ts';
import { type Around, getRequest, listRequest } from './request.ts';
import { isFilter, requestText, sampledRecord } from './sample.ts';
import { accessOf, authorisedByOf, needsOf, resourcesOf, type Settings, settingsSchema } from './settings.ts';
import type { TimeRule } from './time-format.ts';
import { missingWords } from './total.ts';
import { schemeOf } from './webhook.ts';
import { windowBounds } from './window-query.ts';

export const driver = providerDriver({
  settings: settingsSchema,
  resources: resourcesOf,
  takesPayments: ({ recipe }) => recipe.payments !== undefined,
  needs: needsOf,
  authorisedBy: authorisedByOf,
  title: ({ recipe }) => recipe.title,
  webhook: ({ recipe }) => (recipe.webhook ? schemeOf(recipe.webhook) : null),
  failedExamples,
  access: accessOf,
  connect: (settings, context) => new RestConnector(settings, context),
});

/** Most records of one answer. */
const MOST_RECORDS = 100_000;

/** If at least this many records are all unreadable, the source or the recipe has changed: the run fails. */
const MANY = 20;

/** Executes a recipe. Keeps nothing between two calls except the compiled expressions. */
class RestConnector implements Connector {
  readonly resources;
  readonly recordPayment?: NonNullable<Connector['recordPayment']>;
  readonly #settings: Settings;
  readonly #context: ConnectorContext;
  readonly #mappings = new Map<string, Mapping>();

  constructor(settings: Settings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.resources = resourcesOf(settings);
    const { recipe } = settings;
    if (!recipe.payments) return;
    const payments = new Payments(recipe.payments, this.#values());
    this.recordPayment = (payment, signal) => this.#record(payments, payment, signal);
  }

  async list(
    name: string,
    window: SyncWindow,
    token: string | null,
    signal: AbortSignal,
  ): Promise<SourcePage> {
    const resource = this.#resource(name);
    const last = readToken(token);
    const reply = await this.#context.http(listRequest(resource, window, last, this.#around()), signal);
    const isWhole = last === null && window.from === null;
    const { body, items } = await this.#listed(resource, reply, isWhole);
    const { records, bad, warnings } = await this.#mapped(name, items, reply);
    const shown = { body, reply, count: items.length, lastId: records.at(-1)?.id ?? null };
    const place = nextPlace(resource.page, last, shown);
    return {
      records,
      bad,
      next: place === null ? null : nextToken(last, this.#withoutKey(place), marksOf(records)),
      sourceNow: reply.dateMs,
      ...(place !== null && isUnsure(resource.page, shown) ? { isNextUnsure: true } : {}),
      ...(last === null && place === null ? missingWords(shown) : {}),
      ...warned(warnings),
    };
  }

  async sample(name: string, window: SyncWindow, limit: number, signal: AbortSignal): Promise<SourceSample> {
    const resource = this.#resource(name);
    const request = listRequest(resource, window, null, this.#around());
    const reply = await this.#context.http(request, signal);
    const { body, items } = await this.#listed(resource, reply, window.from === null);
    const rule = this.#timeRule(reply);
    const records: SampledRecord[] = [];
    for (const raw of items.slice(0, limit)) {
      const mapped = await this.#mapping(name).map(raw, rule);
      records.push(sampledRecord(resource, raw, mapped, rule));
    }
    const lastId = items.length === 0 ? null : (records.at(-1)?.mapped?.id ?? '');
    const next = nextPlace(resource.page, readToken(null), { body, reply, count: items.length, lastId });
    return {
      request: requestText(request),
      received: items.length,
      hasMore: next !== null,
      isFiltered:
        windowBounds(resource, window, this.#zone()).length > 0 || Object.keys(resource.query).some(isFilter),
      named: Object.keys(resource.fields),
      records,
      ...warned(next === null ? Object.values(missingWords({ body, reply, count: items.length })) : []),
    };
  }

  async get(name: string, id: string, signal: AbortSignal): Promise<SourceRecord | null> {
    const { get } = this.#resource(name);
    if (!get) throw sourceError('SOURCE_REFUSED', `the recipe does not say how one of ${name} is asked for`);
    const reply = await this.#context.http(getRequest(get, id, this.#values()), signal);
    if (reply.status === 404 || reply.status === 410) return null;
    const item = at(await this.#body(reply), get.item);
    const found = Array.isArray(item) ? (item[0] ?? null) : item;
    if (found === null && get.item !== '') return null;
    const mapped = await this.#mapping(name).map(found ?? null, this.#timeRule(reply));
    if (mapped.kind === 'bad')
      throw sourceError('SOURCE_MALFORMED', `one of ${name} cannot be read: ${mapped.bad.reason}`);
    if (mapped.record.id !== id)
      throw sourceError('SOURCE_MALFORMED', `the source was asked for one of ${name} and gave another`);
    return mapped.record;
  }

  async test(signal: AbortSignal): Promise<{ readonly valid: boolean; readonly error: string }> {
    try {
      const { recipe } = this.#settings;
      const first = Object.values(recipe.resources)[0];
      const request = recipe.test
        ? { path: recipe.test.path }
        : first && listRequest(first, { from: null, to: this.#context.clock.now() }, null, this.#around());
      if (request) await this.#body(await this.#context.http(request, signal));
      return { valid: true, error: '' };
    } catch (error) {
      if (isSourceError(error)) return { valid: false, error: error.message };
      throw error;
    }
  }

  /** Looked up before it is created: a repeat, after any kill or lost answer, records it once. */
  async #record(
    payments: Payments,
    payment: InvoicePayment,
    signal: AbortSignal,
  ): Promise<'created' | 'present'> {
    const found = await this.#body(await this.#context.http(payments.findRequest(payment), signal));
    if (await payments.isIn(found, payment)) return 'present';
    const created = await this.#context.http(await payments.createRequest(payment), signal);
    const isExplained = this.#settings.recipe.failure !== undefined && created.text.trim() !== '';
    if (created.status < 200 || created.status > 299 || isExplained) await this.#body(created);
    return 'created';
  }

  /** The answer to a request for a page, and the records in it. `isWhole`: it is the first page of everything. */
  async #listed(resource: Resource, reply: SourceReply, isWhole: boolean) {
    const { empty } = resource;
    if (typeof empty === 'object' && !isWhole && (await isDeclaredEmpty(empty, reply)))
      return { body: null, items: [] };
    const body = await this.#body(reply);
    const isMissing = empty === 'missing' && hasOnlyNumbers(at(body, parentOf(resource.items)));
    return { body, items: isMissing ? [] : listIn(body, resource.items) };
  }

  #around(): Around {
    return {
      zone: this.#zone(),
      values: this.#values(),
      absolute: (address, path) => this.#absolute(address, path),
    };
  }

  #values(): Readonly<Record<string, string>> {
    return { ...this.#settings.recipe.values, ...this.#settings.values };
  }

  async #body(reply: SourceReply): Promise<Json> {
    const { failure } = this.#settings.recipe;
    const body = this.#json(reply);
    if (failure) await refuseFailure(failure, body, reply);
    return body;
  }

  #json(reply: SourceReply): Json {
    try {
      return jsonOfReply(reply);
    } catch (error) {
      const asked = quietMs(this.#settings.recipe.rate, reply, this.#nowOf(reply));
      if (
        !isSourceError(error) ||
        error.code !== 'SOURCE_RATE_LIMITED' ||
        reply.retryAfterMs ||
        asked === null
      )
        throw error;
      throw sourceError('SOURCE_RATE_LIMITED', error.message, { status: reply.status, retryAfterMs: asked });
    }
  }

  async #mapped(name: string, items: readonly Json[], reply: SourceReply) {
    const records: SourceRecord[] = [];
    const bad: BadRecord[] = [];
    const warnings = new Set<string>();
    const mapping = this.#mapping(name);
    for (const item of items) {
      const mapped = await mapping.map(item, this.#timeRule(reply));
      if (mapped.kind === 'bad') bad.push(mapped.bad);
      else {
        records.push(mapped.record);
        for (const warning of mapped.warnings) warnings.add(warning);
      }
    }
    if (records.length === 0 && bad.length >= MANY) {
      throw sourceError(
        'SOURCE_MALFORMED',
        `none of ${bad.length} records of ${name} could be read: ${bad[0]?.reason ?? ''}`,
      );
    }
    return { records, bad, warnings: [...warnings] };
  }

  #resource(name: string): Resource {
    const { resources } = this.#settings.recipe;
    const resource = Object.hasOwn(resources, name) ? resources[name] : undefined;
    if (!resource) throw sourceError('SOURCE_REFUSED', `the recipe has no resource "${name}"`);
    return resource;
  }

  #mapping(name: string): Mapping {
    const known = this.#mappings.get(name);
    if (known) return known;
    const made = new Mapping(this.#resource(name), this.#values());
    this.#mappings.set(name, made);
    return made;
  }

  #zone(): string | null {
    return this.#settings.timeZone ?? this.#settings.recipe.timeZone ?? null;
  }

  #timeRule(reply: SourceReply): TimeRule {
    return { zone: this.#zone(), nowMs: this.#nowOf(reply) };
  }

  #nowOf(reply: SourceReply): number {
    return reply.dateMs ?? this.#context.clock.now();
  }

  /** An address as a source may write it: absolute, or relative to the list's address. */
  #absolute(address: string, path: string): string {
    const { baseUrl } = accessOf(this.#settings, this.#context.credentials);
    const url = URL.parse(address, baseUrl.replace(/\/+$/, '') + path);
    if (!url)
      throw sourceError('SOURCE_MALFORMED', 'the next page that the source names has no usable address');
    return url.href;
  }

  /** If an address repeats the query's key, the key is removed before it is stored in the sync state. */
  #withoutKey(place: string | number): string | number {
    const { auth } = this.#settings.recipe;
    if (auth.type !== 'query' || typeof place !== 'string') return place;
    const [path = '', query] = place.split('?', 2);
    if (query === undefined) return place;
    const kept = query.split('&').filter((pair) => decoded(pair.split('=')[0] ?? '') !== auth.name);
    return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
  }
}

function hasOnlyNumbers(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.values(value).every((one) => typeof one === 'number');
}

/** The place of what holds the value at a place. */
function parentOf(place: string): string {
  return place.split('.').slice(0, -1).join('.');
}

function warned(warnings: readonly string[]): { readonly warnings?: readonly string[] } {
  return warnings.length > 0 ? { warnings } : {};
}

function listIn(body: Json, place: string): readonly Json[] {
  const items = at(body, place);
  const where = place === '' ? 'the answer' : `"${place}"`;
  if (!Array.isArray(items))
    throw sourceError('SOURCE_MALFORMED', `${where} is ${kindOf(items)}, not a list`);
  if (items.length > MOST_RECORDS)
    throw sourceError('SOURCE_MALFORMED', `${where} holds more than ${MOST_RECORDS} records`);
  return items;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
