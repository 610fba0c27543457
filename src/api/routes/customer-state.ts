import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { JsonObject } from '../../integration/connector.ts';
import type { MirrorOrder, MirrorRow } from '../../integration/views/mirror.ts';
import type { Caller, RoutePlugin } from '../api.ts';
import { CustomerState } from '../contract/invoice.ts';
import { mirroredDataOf } from '../contract/mirrored.ts';
import { Uuid } from '../contract/primitives.ts';
import { hasAccess } from '../render/entitlement.ts';
import { instantOrNull } from '../render/instant.ts';
import { VersionQuery } from './list-reply.ts';
import { MirrorSource, type MirrorSourceDeps } from './mirror-source.ts';
import { mirroredList } from './mirrored-table.ts';

const ById = z.strictObject({ id: Uuid });
const NEWEST: MirrorOrder = { field: 'created_at', descending: true };
const MOST = 100;
const LAST_PAYMENTS = 10;
/** Invoices of one customer that are looked through for open ones, newest first. */
const MOST_INVOICES = 1_000;
/** Invoices that the mirror calls paid, of which the database is asked whether they were given back here, newest first. */
const MOST_PAID = 100;
/** The pipeline of an invoice is draft, open, finalized, paid: nothing is due of these. */
const NOT_DUE = ['draft', 'paid', 'void', 'voided', 'canceled', 'cancelled'];

interface Part {
  readonly data: readonly JsonObject[];
  readonly has_more: boolean;
  readonly fresh_at: string | null;
}

/** Which rows of a list are a part, and how many are looked through for them. */
interface PartOf {
  readonly most: number;
  readonly looked?: number;
  readonly order?: MirrorOrder;
  readonly isWanted?: (row: MirrorRow) => boolean;
}

/** A customer and all that a till needs to know of them, in one answer. */
export function customerStateRoutes(deps: MirrorSourceDeps): RoutePlugin {
  const source = new MirrorSource(deps);
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/v2/customers/:id/state',
      schema: { params: ById, querystring: VersionQuery },
      config: {
        operationId: 'getCustomerState',
        tag: 'Customers',
        access: 'customers:read',
        summary:
          'Retrieve the billing state of a customer: open invoices, entitlements, subscriptions and last payments, as they are mirrored, also offline. ' +
          '`fresh_at` and `Age` are those of the oldest part. A part needs the scope of its list.',
        replies: [{ status: 200, description: 'The state.', schema: mirroredDataOf(CustomerState) }],
        refusals: ['LIST_NOT_MIRRORED', 'CUSTOMER_UNKNOWN'],
        isMirrored: true,
      },
      handler: ({ params, caller }, reply) => {
        const { freshAt, data } = stateOf(source, params.id, caller, deps.clock.now());
        source.sendAge(reply, freshAt);
        return { data, fresh_at: instantOrNull(freshAt) };
      },
    });
  };
}

function stateOf(source: MirrorSource, id: string, caller: Caller, now: number) {
  const customers = mirroredList('customers');
  const row = source.find(customers, id);
  if (!row) throw new AppError('CUSTOMER_UNKNOWN', 'No customer has this id, as far as the mirror knows');
  const [customer] = source.rendered(customers, [row]);
  const read = ['customers'];
  const part = (name: string, { most, looked = most, order, isWanted = () => true }: PartOf): Part | null => {
    const list = mirroredList(name);
    if (!source.has(name) || !caller.scopes.includes(list.scope)) return null;
    read.push(name);
    const query = { customerId: row.id, place: { offset: 0 }, limit: looked, ...(order ? { order } : {}) };
    const { rows, hasMore } = source.page(list, query);
    const wanted = rows.filter((row) => isWanted(row));
    return {
      data: source.rendered(list, wanted.slice(0, most)),
      has_more: hasMore || wanted.length > most,
      fresh_at: instantOrNull(source.freshAt(name)),
    };
  };
  const isWanted = dueNow(source);
  const data = {
    object: 'customer_state',
    customer,
    open_invoices: part('invoices', { most: MOST, looked: MOST_INVOICES, order: NEWEST, isWanted }),
    entitlements: checkedOf(part('entitlements', { most: MOST }), now),
    subscriptions: part('subscriptions', { most: MOST }),
    payments: part('payments', { most: LAST_PAYMENTS, order: NEWEST }),
  };
  const ages = read.map((name) => source.freshAt(name));
  const known = ages.filter((age) => age !== null);
  return { data, freshAt: known.length < ages.length ? null : Math.min(...known) };
}

/** Something is due by the copy, or again because it was given back here since. */
function dueNow(source: MirrorSource): (row: MirrorRow) => boolean {
  let asked = 0;
  return (row) => {
    if (isDue(row.body)) return true;
    if (row.body['status'] !== 'paid' || asked >= MOST_PAID) return false;
    asked += 1;
    const [invoice] = source.rendered(mirroredList('invoices'), [row]);
    return Number(invoice?.['paid_here_minor']) < 0;
  };
}

function isDue({ status, amount_due_minor: due }: JsonObject): boolean {
  return !NOT_DUE.includes(String(status)) && due !== 0;
}

function checkedOf(part: Part | null, now: number): Part | null {
  return part && { ...part, data: part.data.map((one) => ({ ...one, has_access: hasAccess(one, now) })) };
}
