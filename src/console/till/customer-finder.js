import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { Dialog } from '../parts/dialog.js';
import { CustomerDetail } from './customer-detail.js';
import { fittingCustomers } from './customer-lists.js';
import { CustomerRows } from './customer-rows.js';
import { DataAge } from './data-age.js';
import { SearchField } from './search-field.js';
import { useTypedSearch } from './typed-search.js';
import { t } from './words.js';

/** @import { CustomerList } from './customer-lists.js' */

/**
 * The dialog of a customer at the counter: what is due, what they may have, what they paid.
 * @param {{ currency: string, close: () => void }} props `currency` of the terminal
 */
export function CustomerFinder({ currency, close }) {
  const { api } = useConsole();
  const [id, setId] = useState(/** @type {string | null} */ (null));
  const search = useTypedSearch((text, /** @type {CustomerList | null} */ before, signal) =>
    fittingCustomers(api, { text, before }, signal),
  );
  const { found, isKept, text } = search;
  if (id !== null)
    return h(
      Dialog,
      { title: t('customer'), close },
      h(CustomerDetail, { id, currency, chosen: close, back: () => setId(null) }),
    );
  /** @param {string} typed */
  const enter = async (typed) => {
    const hits = await search.alone((signal) => fittingCustomers(api, { text: typed, before: null }, signal));
    const [one, ...others] = hits?.data ?? [];
    if (one && others.length === 0) setId(one.id);
    else void search.search(typed);
  };
  return h(
    Dialog,
    { title: t('customer_find'), close },
    h(SearchField, { label: t('customer_search'), text, type: search.type, enter }),
    h('p', { class: 'problem', role: 'alert' }, search.problem),
    !isKept && h('p', {}, t('not_kept')),
    isKept && found && h(Found, { found, more: search.more, open: setId }),
  );
}

/** @param {{ found: CustomerList, more: () => void, open: (id: string) => void }} props */
function Found({ found: { data, has_more, fresh_at }, more, open }) {
  if (fresh_at === null && data.length === 0) return h('p', {}, t('customer_no_mirror'));
  return h(
    'div',
    { class: 'found' },
    h(DataAge, { freshAt: fresh_at, count: data.length, hasMore: has_more }),
    data.length === 0 && h('p', { role: 'status' }, t('customer_empty')),
    h(CustomerRows, { customers: data, open }),
    has_more && h('button', { type: 'button', class: 'button', onClick: more }, t('invoice_more')),
  );
}
