import { z } from 'zod';
import type { JsonObject } from '../../integration/connector.ts';
import type { SinkResult } from '../../integration/ports.ts';
import { isoInstant } from '../../outbox/iso-instant.ts';
import type { NotApplied } from '../../outbox/report-port.ts';
import type { SyncLine } from '../sync-line.ts';

const PATH = '/customers/external/batch';

/** The customers of one system. `prefix`: put before their ids, so that customers of two providers with the same numbers stay apart. */
export interface CustomerPlace {
  readonly line: SyncLine;
  readonly prefix: string;
}

/** One customer of the batch. */
export interface CustomerWrite {
  readonly id: string;
  /** Epoch ms; the service keeps what it has from a later time. */
  readonly updatedAt: number;
  readonly body: JsonObject;
}

/** The service's result for one customer; `serviceId` null: it gives none. */
export interface CustomerAnswer extends SinkResult {
  readonly serviceId: string | null;
}

/** Statuses are an open set. */
const Line = z.looseObject({
  external_id: z.string(),
  id: z.string().nullish(),
  status: z.string(),
  error: z.union([z.string(), z.looseObject({ message: z.string() })]).nullish(),
});
const Lines = z.looseObject({ data: z.array(Line).max(100) });
const OUTCOMES = ['created', 'updated', 'stale', 'rejected'] as const;

/**
 * `PUT /customers/external/batch`, at most a hundred. Without a key: it is idempotent by itself, and a stored answer would repeat a refusal.
 * An answer without a result for each of them, in their order, is not accepted.
 */
export async function putCustomers(
  { line, prefix }: CustomerPlace,
  customers: readonly CustomerWrite[],
  signal: AbortSignal,
): Promise<readonly CustomerAnswer[] | NotApplied> {
  const body = { customers: customers.map((one) => customerOf(prefix, one)) };
  const ids = customers.map(({ id }) => prefix + id);
  const reads = Lines.refine(
    ({ data }) => data.length === ids.length && data.every((one, at) => one.external_id === ids[at]),
    'it does not say of each customer what became of it, in their order',
  );
  const { answer } = await line.ask({ method: 'PUT', path: PATH, body, reads }, signal);
  if (answer.kind !== 'applied') return answer;
  return answer.value.data.map((one) =>
    answerIn({ ...one, external_id: one.external_id.slice(prefix.length) }),
  );
}

export const CUSTOMER_BATCH = { method: 'PUT', path: PATH } as const;

function customerOf(prefix: string, { id, updatedAt, body }: CustomerWrite): JsonObject {
  return {
    ...body,
    external_id: prefix + id,
    source_updated_at: isoInstant(Math.min(Math.max(0, updatedAt), LATEST_MS)),
  };
}

/** ISO 8601 with four digits ends with the year 9999. */
const LATEST_MS = 253_402_300_799_999;

function answerIn({ external_id: id, id: serviceId, status, error }: z.infer<typeof Line>): CustomerAnswer {
  const outcome = OUTCOMES.find((one) => one === status);
  const words = typeof error === 'string' ? error : (error?.message ?? 'refused without a word');
  const said = { id, serviceId: serviceId ?? null };
  if (outcome === undefined)
    return {
      ...said,
      outcome: 'rejected',
      reason: `the service says "${status.slice(0, 40)}" of it, which is not known here`,
    };
  return outcome === 'rejected' ? { ...said, outcome, reason: words.slice(0, 500) } : { ...said, outcome };
}
