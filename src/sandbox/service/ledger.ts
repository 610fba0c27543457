import { AppError } from '../../base/errors.ts';
import type { Memory } from '../controllable-terminal.ts';
import type { ApiKeyRecord, KeyEventRecord } from './api-key-records.ts';
import type { IntegrationRecord } from './integration-records.ts';
import {
  type CustomerRecord,
  type DeliveryRecord,
  type EndpointRecord,
  type EventRecord,
  type ImportedRecord,
  type KeyRecord,
  LedgerText,
  type PaymentRecord,
} from './records.ts';
import { LIMITS } from './settings.ts';

/**
 * The complete state of the sandbox service, and how it is stored.
 * Why: what the service received, and how often, must be provable after any restart. It writes the whole text with every change:
 * slower, but the stored state is always consistent.
 *
 * INVARIANTS:
 * - records are never changed, only replaced;
 * - `commit()` is called before the answer to the change leaves;
 * - no list grows past its limit: the oldest entry that is no longer needed is dropped first.
 */
export class Ledger {
  readonly payments = new Map<string, PaymentRecord>();
  readonly events = new Map<string, EventRecord>();
  readonly keys = new Map<string, KeyRecord>();
  readonly endpoints = new Map<string, EndpointRecord>();
  readonly deliveries = new Map<string, DeliveryRecord>();
  readonly apiKeys = new Map<string, ApiKeyRecord>();
  readonly keyEvents = new Map<string, KeyEventRecord>();
  /** By provider. */
  readonly integrations = new Map<string, IntegrationRecord>();
  /** Created by clients. Of each of these three the first `LIMITS.written` survive a restart. */
  readonly invoices = new Map<string, ImportedRecord>();
  readonly entitlements = new Map<string, ImportedRecord>();
  /** By the other system's id. */
  readonly customers = new Map<string, CustomerRecord>();
  readonly #memory: Memory;
  readonly #written = new WeakMap<object, string>();
  #forgotten = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Payments that were dropped for newer ones. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Reads the state of an earlier run. @throws SANDBOX_MEMORY_UNREADABLE when it is not a ledger. */
  load(): void {
    const text = this.#memory.load();
    if (text === null || text === '') return;
    const kept = parse(text);
    this.#forgotten = kept.forgotten;
    fill(this.payments, kept.payments);
    fill(this.events, kept.events);
    fill(this.keys, kept.keys);
    fill(this.endpoints, kept.endpoints);
    fill(this.deliveries, kept.deliveries);
    fill(this.apiKeys, kept.apiKeys);
    fill(this.keyEvents, kept.keyEvents);
    fill(this.invoices, kept.invoices);
    fill(this.entitlements, kept.entitlements);
    fill(this.customers, kept.customers);
    for (const integration of kept.integrations) this.integrations.set(integration.provider, integration);
  }

  /** Writes everything. */
  commit(): void {
    this.#trim();
    const lists = {
      payments: this.payments.values(),
      events: this.events.values(),
      keys: this.keys.values(),
      endpoints: this.endpoints.values(),
      deliveries: this.deliveries.values(),
      apiKeys: this.apiKeys.values(),
      keyEvents: this.keyEvents.values(),
      integrations: this.integrations.values(),
      invoices: firstOf(this.invoices),
      entitlements: firstOf(this.entitlements),
      customers: firstOf(this.customers),
    };
    const parts = Object.entries(lists).map(([name, records]) => `"${name}":[${this.#textOf(records)}]`);
    this.#memory.save(`{"format":1,"forgotten":${this.#forgotten},\n${parts.join(',\n')}}\n`);
  }

  #trim(): void {
    const isOver = (payment: PaymentRecord) => payment.completedAt !== null;
    this.#forgotten += dropOldest(this.payments, LIMITS.payments, isOver);
    dropOldest(this.events, LIMITS.events, () => true);
    dropOldest(this.keys, LIMITS.idempotencyKeys, () => true);
    dropOldest(this.deliveries, LIMITS.deliveries, (delivery) => delivery.status !== 'pending');
    dropOldest(this.keyEvents, LIMITS.keyEvents, () => true);
  }

  /** Records never change, so each is serialised once. */
  #textOf(records: Iterable<object>): string {
    const texts: string[] = [];
    for (const record of records) {
      const text = this.#written.get(record) ?? JSON.stringify(record);
      this.#written.set(record, text);
      texts.push(text);
    }
    return texts.join(',\n');
  }
}

function parse(text: string): ReturnType<typeof LedgerText.parse> {
  try {
    return LedgerText.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError(
      'SANDBOX_MEMORY_UNREADABLE',
      "the sandbox service's memory is not a ledger: delete it to start with an empty one",
      { cause },
    );
  }
}

/** The first records of a list that may be long. */
export function* firstOf<T>(records: ReadonlyMap<string, T>): Generator<T> {
  let given = 0;
  for (const record of records.values()) {
    if (given === LIMITS.written) return;
    given += 1;
    yield record;
  }
}

function fill<T extends { readonly id: string }>(records: Map<string, T>, kept: readonly T[]): void {
  for (const record of kept) records.set(record.id, record);
}

/** Drops the oldest entries: first those that `mayGo` allows, then, if needed, any. */
function dropOldest<T>(records: Map<string, T>, limit: number, mayGo: (record: T) => boolean): number {
  const before = records.size;
  for (const allowed of [mayGo, () => true]) {
    for (const [id, record] of records) {
      if (records.size <= limit) return before - records.size;
      if (allowed(record)) records.delete(id);
    }
  }
  return before - records.size;
}
