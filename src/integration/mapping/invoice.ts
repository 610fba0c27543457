import type { Json, JsonObject, SourceRecord } from '../connector.ts';
import type { Mapped } from '../ports.ts';
import { fitted, metadataOf, minorIn, required, spoken, textIn, Unfit } from './fields.ts';
import { decisionOf, type MappingRules, unmapped } from './mapping-rules.ts';
import { namesOf } from './vocabulary.ts';

const NAMED = namesOf('invoices');
const OPEN = ['open', 'unpaid', 'sent', 'overdue', 'issued', 'finalized'];
const OVER = ['paid', 'void', 'voided', 'cancelled', 'canceled', 'refunded', 'uncollectible', 'written_off'];

/**
 * An invoice for the service: `{state: "open", …}` is one that a customer can pay there, with `due_minor` where a part of it is paid, `{state: "over"}`
 * one that is no longer payable. Drafts are not sent. A record that could be charged wrongly is quarantined.
 */
export function mapInvoice(rules: MappingRules, record: SourceRecord): Mapped {
  return fitted(() => {
    const { fields } = record;
    const status = (required(textIn(fields, 'status', 64), 'status') ?? '').toLowerCase();
    if (status === 'draft') return { kind: 'ignore', reason: 'it is a draft at the provider' };
    if (OVER.includes(status)) return { kind: 'write', body: { state: 'over' } };
    if (!OPEN.includes(status))
      throw new Unfit(`it is not known whether "${status}" means that it is to be paid`);
    return { kind: 'write', body: openInvoice(rules, record) };
  });
}

function openInvoice(rules: MappingRules, record: SourceRecord): JsonObject {
  const { fields } = record;
  const total = required(minorIn(fields, 'total_minor'), 'total_minor');
  const due = minorIn(fields, 'amount_due_minor') ?? total;
  if (due > total) throw new Unfit('its "amount_due_minor" is more than its total');
  const currency = required(textIn(fields, 'currency', 3), 'currency').toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) throw new Unfit('its "currency" is not an ISO 4217 code');
  const lines = linesIn(rules, fields['lines'] ?? null);
  return {
    state: 'open',
    customer: required(textIn(fields, 'customer_external_id', 256), 'customer_external_id'),
    ...(due === total ? {} : { due_minor: due }),
    invoice: spoken({
      number: textIn(fields, 'number', 64) ?? undefined,
      currency,
      total_minor: total,
      tax_minor: minorIn(fields, 'tax_minor') ?? undefined,
      issued_on: textIn(fields, 'issued_on', 32) ?? undefined,
      due_on: textIn(fields, 'due_on', 32) ?? undefined,
      line_items: lines.length > 0 ? lines : undefined,
      metadata: metadataOf(rules.provider, record, NAMED),
    }),
  };
}

/** Lines of ignored products are left out; the total stays the source's. @throws Unfit */
function linesIn(rules: MappingRules, lines: Json): readonly JsonObject[] {
  if (lines === null) return [];
  if (!Array.isArray(lines)) throw new Unfit('its "lines" are not a list');
  return lines.flatMap((line: Json) => lineOf(rules, line));
}

function lineOf(rules: MappingRules, line: Json): readonly JsonObject[] {
  if (typeof line !== 'object' || line === null || !isFields(line))
    throw new Unfit('one of its "lines" is no object');
  const external = textIn(line, 'product_external_id', 256) ?? null;
  const description = textIn(line, 'description', 500) ?? null;
  const fate = external === null ? null : decisionOf(rules, external);
  if (fate?.kind === 'ignored') return [];
  if (external !== null && fate?.kind === 'open' && rules.requiresMappings)
    throw unmapped(external, description);
  return [
    spoken({
      product_id: fate?.kind === 'mapped' ? fate.internalId : undefined,
      description: description ?? external ?? undefined,
      quantity: minorIn(line, 'quantity') ?? 1,
      unit_amount_minor: minorIn(line, 'unit_amount_minor') ?? undefined,
    }),
  ];
}

function isFields(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
