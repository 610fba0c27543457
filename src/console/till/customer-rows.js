import { h } from 'preact';
import { besideName, nameOf } from './customer-lists.js';
import { t } from './words.js';

/** @import { Customer } from './customer-lists.js' */

/** Customers of a list. @param {{ customers: readonly Customer[], open: (id: string) => void }} props */
export function CustomerRows({ customers, open }) {
  return h(
    'ul',
    { class: 'rows', 'aria-label': t('customers') },
    customers.map((customer) =>
      h(
        'li',
        { key: customer.id },
        h(
          'button',
          { type: 'button', class: 'row row-two', onClick: () => open(customer.id) },
          h('span', { class: 'row-main' }, nameOf(customer)),
          h('span', { class: 'row-more' }, besideName(customer)),
        ),
      ),
    ),
  );
}
