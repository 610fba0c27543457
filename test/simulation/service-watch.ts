import type { HttpReply, HttpRequest } from '../../src/net/http-client.ts';
import type { PaymentRecord } from '../../src/sandbox/service/records.ts';
import type { Crime } from './crimes.ts';

/** The service forgets a key after 24 h; ours are not trusted for more than 23. */
const KEY_LIVES_MS = 24 * 3_600_000;
/** A look-up belongs to the delivery that follows it at once. */
const JUST_NOW_MS = 300_000;

/** What was asked under one `Idempotency-Key`. */
interface Keyed {
  readonly firstAt: number;
  readonly what: string;
  /** The last answer was a refusal of the body (400): a corrected one may follow. */
  readonly mayChange: boolean;
}

export interface ServiceWatchDeps {
  readonly elapsed: () => number;
  readonly accuse: (crime: Crime, text: string) => void;
  readonly paymentOf: (id: string) => PaymentRecord | undefined;
  /** Payments that the service lost by itself. */
  readonly isForgotten: (id: string) => boolean;
  /** Longest that a key may be used without a look-up; default: as long as the service remembers it. */
  readonly keyTrustMs?: number;
}

/**
 * Sees every request of ours as it reaches the service, and holds it against the rules of reporting.
 *
 * INVARIANTS it holds the agent to:
 * - a key is used for one body (after a 400 for a corrected one);
 * - a key that the service may have forgotten is not used without a look-up right before;
 * - a refund or a void is not reported before the end of its sale.
 */
export class ServiceWatch {
  readonly #deps: ServiceWatchDeps;
  readonly #trustMs: number;
  readonly #keys = new Map<string, Keyed>();
  readonly #lookedAt = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #late = new Set<string>();
  /** Bodies as they came, for who searches them. */
  readonly bodies: string[] = [];

  constructor(deps: ServiceWatchDeps) {
    this.#deps = deps;
    this.#trustMs = deps.keyTrustMs ?? KEY_LIVES_MS;
  }

  /** Keys that were used again, rightly or not, when they were no longer to be trusted. */
  get lateKeys(): number {
    return this.#late.size;
  }

  /** The final no that this key was answered with last; undefined: none. */
  refusalOf(key: string): number | undefined {
    return this.#refused.get(key);
  }

  /** The key was used again when the service had forgotten it. */
  wasLate(key: string): boolean {
    return this.#late.has(key);
  }

  arrives(request: HttpRequest): void {
    const id = idIn(request);
    if (request.method === 'GET' && id !== null) this.#lookedAt.set(id, this.#deps.elapsed());
    if (request.method === 'GET') return;
    if (request.body !== undefined) this.bodies.push(request.body);
    this.#judgeKey(request, id);
    this.#judgeFamily(request);
  }

  answered(request: HttpRequest, { status }: HttpReply): void {
    const key = request.headers?.['idempotency-key'];
    const known = key === undefined ? undefined : this.#keys.get(key);
    if (key === undefined || !known) return;
    this.#keys.set(key, { ...known, mayChange: status === 400 });
    if (status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status))
      this.#refused.set(key, status);
    else if (status < 300) this.#refused.delete(key);
  }

  #judgeKey(request: HttpRequest, id: string | null): void {
    const key = request.headers?.['idempotency-key'];
    if (key === undefined) return;
    const what = `${request.method} ${request.path}\n${request.body ?? ''}`;
    const now = this.#deps.elapsed();
    const known = this.#keys.get(key);
    this.#keys.set(key, { firstAt: known?.firstAt ?? now, what, mayChange: false });
    if (!known) return;
    if (known.what !== what && !known.mayChange)
      this.#deps.accuse('broken_rules', `key ${key} is used for two requests: ${request.path}`);
    if (request.path.endsWith('/claim') || now - known.firstAt <= this.#trustMs) return;
    this.#late.add(key);
    const looked = this.#lookedAt.get(createdId(request) ?? id ?? '');
    if (looked !== undefined && now - looked < JUST_NOW_MS) return;
    const hours = Math.round((now - known.firstAt) / 3_600_000);
    this.#deps.accuse('broken_rules', `${request.path} is sent again after ${hours} h without a look-up`);
  }

  #judgeFamily(request: HttpRequest): void {
    const parentId = /^\/terminal-payments\/([^/]+)\/(?:refund|void)$/.exec(request.path)?.[1];
    if (parentId === undefined || this.#deps.isForgotten(parentId)) return;
    const parent = this.#deps.paymentOf(parentId);
    if (parent && parent.completedAt !== null) return;
    this.#deps.accuse(
      'broken_rules',
      `${request.path} is told while its sale is ${parent?.status ?? 'not known'} at the service`,
    );
  }
}

function idIn({ path }: HttpRequest): string | null {
  return /^\/terminal-payments\/([^/]+)/.exec(path)?.[1] ?? null;
}

/** The id that a create wants for its payment: a look-up asks for that one. */
function createdId({ body }: HttpRequest): string | null {
  const id: unknown = body === undefined ? null : Reflect.get(Object(JSON.parse(body)), 'id');
  return typeof id === 'string' ? id : null;
}
