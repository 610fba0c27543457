import { z } from 'zod';
import type { Ids } from '../../base/ids.ts';
import { type Answer, notFound, parseBody, refuse } from './errors.ts';
import { paidOf } from './invoice-payments.ts';
import type { Ledger } from './ledger.ts';
import type { ImportedRecord } from './records.ts';
import { iso, type ServiceClock } from './service-clock.ts';
import { LIMITS } from './settings.ts';

const Metadata = z.record(z.string(), z.unknown());
const INVOICE = {
  customer_id: z.uuid(),
  number: z.string().min(1).max(64).optional(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  total_minor: z.int().min(0),
  tax_minor: z.int().min(0).optional(),
  issued_on: z.string().max(32).optional(),
  due_on: z.string().max(32).optional(),
  line_items: z.array(z.record(z.string(), z.unknown())).max(500).optional(),
  metadata: Metadata.optional(),
};
const ENTITLEMENT = {
  benefit_id: z.uuid(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  metadata: Metadata.optional(),
};

/** Invoices and entitlements that clients created. The interface shows neither body: these are as narrow as its fields allow. */
export class ImportedRecords {
  readonly #ids: Ids;
  readonly #clock: ServiceClock;
  readonly #keepsMetadata: boolean;
  readonly #invoices: Map<string, ImportedRecord>;
  readonly #entitlements: Map<string, ImportedRecord>;
  readonly #ledger: Ledger;
  readonly #bodies;

  constructor(
    ledger: Ledger,
    ids: Ids,
    clock: ServiceClock,
    settings: { readonly keepsMetadata: boolean; readonly refusesUnknownFields: boolean },
  ) {
    this.#ledger = ledger;
    this.#invoices = ledger.invoices;
    this.#entitlements = ledger.entitlements;
    this.#ids = ids;
    this.#clock = clock;
    this.#keepsMetadata = settings.keepsMetadata;
    const object = <T extends z.ZodRawShape>(fields: T) =>
      settings.refusesUnknownFields ? z.strictObject(fields) : z.object(fields);
    this.#bodies = {
      invoice: object(INVOICE),
      change: object(INVOICE).partial(),
      entitlement: object(ENTITLEMENT),
      none: object({}),
    };
  }

  /** In order of arrival. */
  of(kind: string): readonly ImportedRecord[] {
    if (kind === 'invoices') return [...this.#invoices.values()];
    return kind === 'entitlements' ? [...this.#entitlements.values()] : [];
  }

  /** `POST /invoices`: a draft. @throws Refusal 400. */
  createInvoice(body: unknown): Answer {
    const fields = parseBody(this.#bodies.invoice, body);
    return this.#keep(
      this.#invoices,
      { ...fields, amount_due_minor: fields.total_minor, object: 'invoice' },
      'draft',
    );
  }

  /** `PATCH /invoices/{id}`: drafts only. @throws Refusal 400, 404. */
  changeInvoice(id: string, body: unknown): Answer {
    const invoice = one(this.#invoices, id, 'invoice');
    const fields = parseBody(this.#bodies.change, body);
    if (invoice.status !== 'draft') throw refuse(400, 'invoice_locked', 'The invoice is finalised.');
    const due = fields.total_minor === undefined ? {} : { amount_due_minor: fields.total_minor };
    return this.#change(this.#invoices, invoice, this.#shown({ ...fields, ...due }));
  }

  /** `POST /invoices/{id}/finalize`, `/send`, `/void`. @throws Refusal 400, 404. */
  moveInvoice(id: string, move: 'finalize' | 'send' | 'void', body: unknown): Answer {
    parseBody(this.#bodies.none, body ?? {});
    const invoice = one(this.#invoices, id, 'invoice');
    if (invoice.status === 'void') throw refuse(400, 'invoice_already_voided', 'The invoice is void.');
    if (move === 'void' && paidOf(this.#ledger.payments.values()).has(invoice.id))
      throw refuse(400, 'invoice_has_payments', 'The invoice has payments.');
    if (move === 'finalize' && invoice.status !== 'draft')
      throw refuse(400, 'invoice_already_finalized', 'The invoice is finalised.');
    if (move === 'send' && invoice.status === 'draft')
      throw refuse(400, 'invoice_not_finalized', 'The invoice is a draft.');
    const status = move === 'void' ? 'void' : 'open';
    return this.#change(this.#invoices, invoice, {
      status,
      ...(move === 'send' ? { sent_at: iso(this.#clock.now()) } : {}),
    });
  }

  /** `POST /customers/{customerId}/entitlements`. @throws Refusal 400. */
  grant(customerId: string, body: unknown): Answer {
    const fields = {
      ...parseBody(this.#bodies.entitlement, body),
      customer_id: customerId,
      has_access: true,
    };
    return this.#keep(this.#entitlements, fields, 'active');
  }

  /** `DELETE /customers/{customerId}/entitlements/{entitlementId}`. @throws Refusal 404. */
  revoke(customerId: string, id: string): Answer {
    const found = one(this.#entitlements, id, 'entitlement');
    if (found['customer_id'] !== customerId) throw notFound('entitlement');
    return this.#change(this.#entitlements, found, { status: 'revoked', has_access: false });
  }

  #keep(
    where: Map<string, ImportedRecord>,
    fields: Readonly<Record<string, unknown>>,
    status: string,
  ): Answer {
    if (where.size >= LIMITS.imported)
      throw refuse(400, 'validation_error', 'The sandbox holds no more of these.');
    const at = iso(this.#clock.now());
    const resource = { ...this.#shown(fields), id: this.#ids.uuid(), status, created_at: at, updated_at: at };
    where.set(resource.id, resource);
    return { status: 201, body: { data: resource } };
  }

  #change(
    where: Map<string, ImportedRecord>,
    before: ImportedRecord,
    change: Readonly<Record<string, unknown>>,
  ): Answer {
    const changed = {
      ...before,
      ...change,
      id: before.id,
      status: String(change['status'] ?? before.status),
    };
    where.set(before.id, { ...changed, updated_at: iso(this.#clock.now()) });
    return { status: 200, body: { data: where.get(before.id) } };
  }

  #shown(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { metadata, ...rest } = fields;
    return this.#keepsMetadata && metadata !== undefined ? { ...rest, metadata } : rest;
  }
}

function one(where: ReadonlyMap<string, ImportedRecord>, id: string, name: string): ImportedRecord {
  const found = where.get(id.toLowerCase());
  if (!found) throw notFound(name);
  return found;
}
