/** @import { Api } from '../app/api.js' */

/**
 * @typedef {import('../../api/contract/invoice.ts').CustomerState} CustomerState
 * @typedef {CustomerState['customer']} Customer
 * @typedef {{ data: readonly Customer[], has_more: boolean, fresh_at: string | null }} CustomerList
 */

const PAGE = 20;

/**
 * The customers that fit what was typed; all where nothing was.
 * @param {Api} api
 * @param {{ text: string, before: CustomerList | null }} asked `before`: its next page is added
 * @param {AbortSignal} signal
 * @returns {Promise<CustomerList>}
 */
export async function fittingCustomers(api, { text, before }, signal) {
  const offset = before?.data.length ?? 0;
  const query = new URLSearchParams({ limit: String(PAGE), offset: String(offset) });
  if (text.trim() !== '') query.set('search', text.trim());
  const page = await api.get(`/v2/customers?${query}`, signal);
  return before ? { ...page, data: [...before.data, ...page.data] } : page;
}

/** @param {Customer} customer */
export function nameOf({ name, company_name, email, id }) {
  return name ?? company_name ?? email ?? id;
}

/** What tells two customers of one name apart. @param {Customer} customer */
export function besideName(customer) {
  const { company_name, email, phone } = customer;
  const texts = [company_name, email, phone].filter((text) => typeof text === 'string' && text !== '');
  return texts.filter((text) => text !== nameOf(customer)).join(' · ');
}
