import { z } from 'zod';
import { ForeignAnswer } from './foreign-answer.ts';
import { OrderedFailure } from './ordered-failure.ts';
import { LIMITS } from './settings.ts';

/** `only`: applies where `METHOD /path` contains this text; absent: to every request. */
const Strikes = z.strictObject({ times: z.int().min(0).max(100_000), only: z.string().max(200).optional() });

/** Body of `POST /sandbox/behaviour`: changes the named fields only. */
export const BehaviourBody = z.strictObject({
  /** Connections are destroyed, nothing is done, no webhook leaves. */
  offline: z.boolean().optional(),
  /** Milliseconds between taking a request and doing its work. */
  slow_ms: z.int().min(0).max(LIMITS.slowMs).optional(),
  /** The next requests get this status; nothing is done. */
  status: Strikes.extend(OrderedFailure.shape).optional(),
  /** The next successful requests are carried out, then the connection is destroyed instead of an answer. */
  answer_lost: Strikes.optional(),
  /** Another host answers instead of the service until this is null again; nothing is done. */
  foreign: ForeignAnswer.nullable().optional(),
  /** Events are listed twice and webhooks sent twice. */
  duplicate: z.boolean().optional(),
  /** Neighbouring events in `GET /events` are swapped. */
  out_of_order: z.boolean().optional(),
  /** As `honoursOurId: false`, while it is on. */
  ignores_our_id: z.boolean().optional(),
  /** No `X-RateLimit-*` headers: the interface says both that every response has them and that the limiter sends none. */
  hides_rate_limit: z.boolean().optional(),
  /** The filters `status` and `device_id` of the list of payments, which the interface does not promise. */
  payment_filters: z.enum(['honoured', 'ignored', 'refused']).optional(),
  /** Lists are `{data, pagination}` in every version, as lists that are not core lists. */
  pagination_block: z.boolean().optional(),
  /** A failed validation returns `{success: false, error: {name, issues}}` instead of the envelope. */
  issue_lists: z.boolean().optional(),
  /** The service's clock runs this much ahead (or, negative, behind). */
  clock_skew_ms: z.int().min(-31_536_000_000).max(31_536_000_000).optional(),
});
export type BehaviourPatch = z.infer<typeof BehaviourBody>;

/** The current fault injection; a restart ends all of it. */
export interface Behaviour {
  readonly offline: boolean;
  readonly slow_ms: number;
  readonly status: NonNullable<BehaviourPatch['status']> | null;
  readonly answer_lost: NonNullable<BehaviourPatch['answer_lost']> | null;
  readonly foreign: ForeignAnswer | null;
  readonly duplicate: boolean;
  readonly out_of_order: boolean;
  readonly ignores_our_id: boolean;
  readonly hides_rate_limit: boolean;
  readonly payment_filters: NonNullable<BehaviourPatch['payment_filters']>;
  readonly pagination_block: boolean;
  readonly issue_lists: boolean;
  readonly clock_skew_ms: number;
}

const GOOD: Behaviour = {
  offline: false,
  slow_ms: 0,
  status: null,
  answer_lost: null,
  foreign: null,
  duplicate: false,
  out_of_order: false,
  ignores_our_id: false,
  hides_rate_limit: false,
  payment_filters: 'honoured',
  pagination_block: false,
  issue_lists: false,
  clock_skew_ms: 0,
};

/** Holds the fault injection and counts down the faults that apply a limited number of times. */
export class BehaviourSwitch {
  #now: Behaviour = GOOD;

  get now(): Behaviour {
    return this.#now;
  }

  change(patch: BehaviourPatch): Behaviour {
    const named = Object.entries(patch).filter(([, value]) => value !== undefined);
    this.#now = { ...this.#now, ...Object.fromEntries(named) };
    return this.#now;
  }

  /** Ends all fault injection. */
  reset(): Behaviour {
    this.#now = GOOD;
    return this.#now;
  }

  /** The answer of another host to this request (`METHOD /path`); null: the service answers. */
  foreignTo(request: string): ForeignAnswer | null {
    const { foreign } = this.#now;
    return foreign && request.includes(foreign.only ?? '') ? foreign : null;
  }

  /** The injected failure of this request (`METHOD /path`), or null. */
  takeStatus(request: string): Behaviour['status'] {
    const strike = this.#now.status;
    if (!hits(strike, request)) return null;
    this.#now = { ...this.#now, status: { ...strike, times: strike.times - 1 } };
    return strike;
  }

  /** True when the answer to this request must be lost. */
  takeAnswerLost(request: string): boolean {
    const strike = this.#now.answer_lost;
    if (!hits(strike, request)) return false;
    this.#now = { ...this.#now, answer_lost: { ...strike, times: strike.times - 1 } };
    return true;
  }
}

function hits<T extends z.infer<typeof Strikes>>(strike: T | null, request: string): strike is T {
  return strike !== null && strike.times > 0 && request.includes(strike.only ?? '');
}
