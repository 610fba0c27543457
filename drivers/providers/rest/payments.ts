import { Temporal } from 'temporal-polyfill';
import {
  at,
  type InvoicePayment,
  type Json,
  type JsonObject,
  messageOf,
  type SourceRequest,
  sourceError,
} from '../../../src/driver-kit/provider.ts';
import { compileExpression, type Evaluate } from './expressions.ts';
import type { PaymentsAtSource } from './recipe.ts';

/** What the expressions of a recipe read of a payment. */
function shownOf({ id, invoiceId, amountMinor, currency, paidAt }: InvoicePayment): JsonObject {
  const paid = Temporal.Instant.fromEpochMilliseconds(paidAt).toString({ smallestUnit: 'millisecond' });
  return { id, invoice_id: invoiceId, amount_minor: amountMinor, currency, paid_at: paid };
}

/** The requests by which a recipe finds and records a payment. */
export class Payments {
  readonly #recipe: PaymentsAtSource;
  readonly #values: Readonly<Record<string, string>>;

  constructor(recipe: PaymentsAtSource, values: Readonly<Record<string, string>>) {
    this.#recipe = recipe;
    this.#values = values;
  }

  findRequest(payment: InvoicePayment): SourceRequest {
    const { path, query } = this.#recipe.find;
    const asked = Object.entries(query).map(([name, text]) => [name, filled(text, payment, String)]);
    return { path: filled(path, payment, encodeURIComponent), query: Object.fromEntries(asked) };
  }

  /** @throws SOURCE_MALFORMED when the answer is no list, SOURCE_REFUSED when `where` fails on a record */
  async isIn(answer: Json, payment: InvoicePayment): Promise<boolean> {
    const { items, where } = this.#recipe.find;
    const list = at(answer, items);
    if (!Array.isArray(list))
      throw sourceError('SOURCE_MALFORMED', 'the payments of the invoice are no list: nothing was recorded');
    const isOurs = compiled(where);
    for (const record of list)
      if (
        (await evaluated('payments.find.where', isOurs, record, this.#values, {
          payment: shownOf(payment),
        })) === true
      )
        return true;
    return false;
  }

  /** @throws SOURCE_REFUSED when an expression fails */
  async createRequest(payment: InvoicePayment): Promise<SourceRequest> {
    const { path, body, encoding } = this.#recipe.create;
    const fields: Record<string, Json> = {};
    for (const [name, text] of Object.entries(body)) {
      const value = await evaluated(
        `payments.create.body.${name}`,
        compiled(text),
        shownOf(payment),
        this.#values,
      );
      if (value !== undefined) fields[name] = plain(value);
    }
    const address = filled(path, payment, encodeURIComponent);
    if (encoding === 'json') return { path: address, body: fields };
    const texts = Object.entries(fields).map(([name, value]) => [name, formText(value)]);
    return { path: address, form: Object.fromEntries(texts) };
  }
}

async function evaluated(what: string, evaluate: Evaluate, ...bound: Parameters<Evaluate>): Promise<unknown> {
  try {
    return await evaluate(...bound);
  } catch (error) {
    throw sourceError('SOURCE_REFUSED', `"${what}" of the recipe cannot be worked out: ${messageOf(error)}`);
  }
}

function compiled(text: string): Evaluate {
  const result = compileExpression(text);
  if (result.problem !== null) throw sourceError('SOURCE_REFUSED', result.problem);
  return result.evaluate;
}

/** Plain JSON, none of the library's own lists. */
function plain(value: unknown): Json {
  const { copy }: { readonly copy?: Json } = JSON.parse(JSON.stringify({ copy: value }));
  return copy ?? null;
}

function formText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function filled(text: string, { id, invoiceId }: InvoicePayment, written: (part: string) => string): string {
  return text.replaceAll('{payment}', written(id)).replaceAll('{invoice}', written(invoiceId));
}
