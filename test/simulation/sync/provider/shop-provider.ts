import type { Json, JsonObject, SourceReply, SourceRequest } from '../../../../src/integration/connector.ts';
import { sourceError } from '../../../../src/integration/failure/source-error.ts';
import type { Random } from '../../random.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PAGE_SIZE = 20;
export const RESOURCES = ['customers', 'invoices', 'products'] as const;
export type Resource = (typeof RESOURCES)[number];

/** Its recipe: expressions over fields that may be null, missing or lists of none and of one. */
export const RECIPE = {
  recipe: 1,
  id: 'things',
  title: 'Things',
  documentation: 'https://things.example/docs',
  auth: { type: 'bearer' },
  baseUrl: 'https://things.example',
  resources: Object.fromEntries(RESOURCES.map((name) => [name, resourceOf(name)])),
};

function resourceOf(path: Resource) {
  const bound = (parameter: string) => ({ parameter, format: 'unix_ms' });
  return {
    path: `/${path}`,
    items: 'data',
    page: { style: 'offset', size: PAGE_SIZE, sizeParameter: 'limit' },
    changes: { from: bound('since'), until: bound('until') },
    id: 'id',
    updatedAt: { value: 'updated_at', format: 'unix_ms' },
    deletes: 'tombstones',
    deleted: 'gone',
    fields: { name: '$join([first, last], " ")', note: '$string(comment)', lines: 'lines' },
  };
}

/** What the expressions of {@link RECIPE} mean, without them: null is null, a list stays a list. */
export function meantBy({ id, version, updated_at, gone, ...raw }: JsonObject): JsonObject {
  const { first = null, last = null, comment = null, lines = null } = raw;
  const name = [first, last].filter((part) => part !== null).join(' ');
  return { ...raw, id, version, updated_at, gone, name, note: comment, lines } as JsonObject;
}

/** How an answer came about. */
export type AnswerKind = 'page' | 'limited' | 'unavailable' | 'forbidden' | 'unauthorised' | 'errors';

/** What the provider saw and did; `at`: true time. */
export interface ProviderWatch {
  readonly asked: (resource: Resource, at: number) => void;
  readonly answered: (resource: Resource, kind: AnswerKind, at: number, retryAfterMs?: number) => void;
}

/**
 * A provider with three collections, below HTTP: it stands for `net/` and what is behind it, so without sockets and retries of single requests.
 * Its access tokens end in the middle of whatever is read; the line fetches another one and asks once more, as `net/source-http.ts` does.
 */
export class ShopProvider {
  readonly rows: Readonly<Record<Resource, Map<string, JsonObject>>> = {
    customers: new Map(),
    invoices: new Map(),
    products: new Map(),
  };
  readonly forbidden = new Set<Resource>();
  /** The key that it takes. */
  key = 'key 1';
  /** Chances per request. */
  limits = 0;
  tokenEnds = 0;
  /** True times: until then it cannot answer; answers 200 with errors and no data; its authorisation server is away. */
  downUntil = 0;
  errorsUntil = 0;
  authorisationDownUntil = 0;
  readonly #random: Random;
  readonly #now: () => number;
  readonly #watch: ProviderWatch;
  readonly #limitedUntil = new Map<Resource, number>();
  #made = 0;

  constructor(random: Random, now: () => number, watch: ProviderWatch) {
    this.#random = random;
    this.#now = now;
    this.#watch = watch;
    for (const resource of RESOURCES) for (let no = 0; no < random.int(5, 45); no += 1) this.write(resource);
  }

  /** A row that is new, changed or deleted. */
  write(resource: Resource): void {
    const random = this.#random;
    const rows = this.rows[resource];
    const known = random.chance(0.6) ? [...rows.values()].filter(({ gone }) => gone !== true) : [];
    const before = known.length > 0 ? random.pick(known) : null;
    if (before === null) this.#made += 1;
    const id = before?.['id'] ?? `${resource} ${this.#made}`;
    rows.set(String(id), this.#row(String(id), Number(before?.['version'] ?? 0) + 1, before !== null));
  }

  /** An answer to a request with this key. */
  answer(request: SourceRequest, key: string): SourceReply {
    const resource = RESOURCES.find((name) => request.path === `/${name}`);
    if (!resource) return this.#reply(404, { message: 'not found' });
    const at = this.#now();
    this.#watch.asked(resource, at);
    const heard = (kind: AnswerKind, retryAfterMs?: number) =>
      this.#watch.answered(resource, kind, at, retryAfterMs);
    if (at < this.downUntil) {
      heard('unavailable');
      return this.#reply(503, { message: 'closed for maintenance' });
    }
    if (key !== this.key || (this.#random.chance(this.tokenEnds) && !this.#renews())) {
      heard('unauthorised');
      return this.#reply(401, { message: 'this key is not known' });
    }
    if (at < (this.#limitedUntil.get(resource) ?? 0) || this.#random.chance(this.limits))
      return this.#limited(resource, at, heard);
    if (this.forbidden.has(resource)) {
      heard('forbidden');
      return this.#reply(403, { message: `this key may not read ${resource}` });
    }
    if (at < this.errorsUntil) {
      heard('errors');
      return this.#reply(200, { data: null, errors: [{ message: 'the backend failed' }] });
    }
    heard('page');
    return this.#page(resource, request);
  }

  /** The line's own request for another token. @returns false: it is refused */
  #renews(): boolean {
    if (this.#now() >= this.authorisationDownUntil) return true;
    throw sourceError('SOURCE_UNAVAILABLE', 'the authorisation server does not answer');
  }

  #limited(
    resource: Resource,
    at: number,
    heard: (kind: AnswerKind, retryAfterMs: number) => void,
  ): SourceReply {
    const until = this.#limitedUntil.get(resource) ?? 0;
    const retryAfterMs = at < until ? until - at : this.#random.pick([5_000, 20 * MINUTE, HOUR, HOUR]);
    this.#limitedUntil.set(resource, at + retryAfterMs);
    heard('limited', retryAfterMs);
    return { ...this.#reply(429, { message: 'slow down' }), retryAfterMs };
  }

  #page(resource: Resource, { query = {} }: SourceRequest): SourceReply {
    const bound = (name: string, absent: number) => Number(query[name] ?? absent);
    const [since, until] = [bound('since', 0), bound('until', Number.MAX_SAFE_INTEGER)];
    const all = [...this.rows[resource].values()].filter(({ updated_at: at }) => {
      return query['since'] === undefined || (Number(at) >= since && Number(at) <= until);
    });
    const offset = bound('offset', 0);
    return this.#reply(200, { data: all.slice(offset, offset + PAGE_SIZE) });
  }

  #row(id: string, version: number, mayGo: boolean): JsonObject {
    const random = this.#random;
    const orNull = (value: Json) => (random.chance(0.4) ? null : value);
    const lines = Array.from({ length: random.pick([0, 1, 1, 3]) }, () => ({ text: orNull('a line') }));
    const texts = { first: orNull('Anna'), last: 'Żak', comment: orNull(`note ${version}`) };
    const more = random.chance(0.5) ? { tags: orNull([orNull('one')]), address: orNull({ city: null }) } : {};
    const gone = mayGo && random.chance(0.1);
    return { id, version, updated_at: this.#now(), gone, lines: orNull(lines), ...texts, ...more };
  }

  #reply(status: number, body: Json): SourceReply {
    const headers = { 'content-type': 'application/json' };
    return { status, headers, text: JSON.stringify(body), dateMs: this.#now(), retryAfterMs: null };
  }
}
