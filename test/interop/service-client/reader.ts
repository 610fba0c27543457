// A program that reads the billing service's lists by a client that was generated from the interface's own words. It is given the address of the agent
// instead. Compiled and run by `service-client.test.ts`.
import { client } from './client/client.gen.js';
import {
  listCustomerEntitlements,
  listCustomerInvoices,
  listCustomerOrders,
  listCustomerPayments,
  listCustomerSubscriptions,
  listCustomers,
  listDisputes,
  listEntitlements,
  listInvoices,
  listMandates,
  listOpenDisputes,
  listOrders,
  listPaymentIntents,
  listPayouts,
  listPrices,
  listProducts,
  listSubscriptions,
  listTransactions,
} from './client/sdk.gen.js';
import type { List } from './client/types.gen.js';

declare const process: { readonly argv: readonly string[] };
declare const console: { log(line: string): void };

const [, , baseUrl = '', key = ''] = process.argv;
client.setConfig({ baseUrl, auth: key });
const LIMIT = 7;

type Page = Promise<{ readonly data: List }>;

/** Stops at a page with fewer items than asked for, as the interface says. */
async function byOffset(ask: (query: { limit: number; offset: number }) => Page): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const { data } = (await ask({ limit: LIMIT, offset: ids.length })).data;
    ids.push(...data.map(({ id }) => id));
    if (data.length < LIMIT) return ids;
  }
}

async function byPage(ask: (query: { limit: number; page: number }) => Page): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = (await ask({ limit: LIMIT, page })).data;
    ids.push(...data.map(({ id }) => id));
    if (data.length < LIMIT) return ids;
  }
}

async function byCursor(
  ask: (query: { limit: number; starting_after?: string }) => Page,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const { data, has_more } = (
      await ask({ limit: LIMIT, ...(last === undefined ? {} : { starting_after: last }) })
    ).data;
    ids.push(...data.map(({ id }) => id));
    if (!has_more || data.length === 0) return ids;
  }
}

const throwOnError = true;
const customers = await byOffset((query) => listCustomers({ query, throwOnError }));
const path = { customerId: customers[0] ?? '' };
const lists = {
  customers,
  invoices: await byOffset((query) => listInvoices({ query, throwOnError })),
  products: await byPage((query) => listProducts({ query, throwOnError })),
  prices: await byCursor((query) => listPrices({ query, throwOnError })),
  subscriptions: await byPage((query) => listSubscriptions({ query, throwOnError })),
  orders: await byOffset((query) => listOrders({ query, throwOnError })),
  payment_intents: await byCursor((query) => listPaymentIntents({ query, throwOnError })),
  disputes: await byOffset((query) => listDisputes({ query, throwOnError })),
  open_disputes: await byOffset((query) => listOpenDisputes({ query, throwOnError })),
  payouts: await byOffset((query) => listPayouts({ query, throwOnError })),
  mandates: await byOffset((query) => listMandates({ query, throwOnError })),
  entitlements: await byOffset((query) => listEntitlements({ query, throwOnError })),
  transactions: await byCursor((query) => listTransactions({ query, throwOnError })),
  'of one: invoices': await byOffset((query) => listCustomerInvoices({ path, query, throwOnError })),
  'of one: orders': await byOffset((query) => listCustomerOrders({ path, query, throwOnError })),
  'of one: payments': await byOffset((query) => listCustomerPayments({ path, query, throwOnError })),
  'of one: subscriptions': await byCursor((query) =>
    listCustomerSubscriptions({ path, query, throwOnError }),
  ),
  'of one: entitlements': await byOffset((query) => listCustomerEntitlements({ path, query, throwOnError })),
};
console.log(JSON.stringify(lists));
