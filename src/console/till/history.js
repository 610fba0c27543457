import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { WindowedList } from '../parts/windowed-list.js';
import { PaymentRow } from './payment-row.js';
import { t } from './words.js';

/** Every payment, newest first; older ones are read when the user scrolls to them. */
export function History() {
  const { payments } = useConsole().shop;
  const [isOpenOnly, setOpenOnly] = useState(false);
  const all = payments.ids.value;
  const ids = isOpenOnly ? payments.unsettled.map(({ id }) => id) : all;
  return h(
    'section',
    { class: 'card history' },
    h(
      'header',
      { class: 'history-head' },
      h('h1', {}, t('history_title')),
      h(
        'label',
        { class: 'field field-row' },
        h('span', {}, t('history_filter')),
        h(
          'select',
          {
            value: isOpenOnly ? 'open' : 'all',
            onChange: (/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) =>
              setOpenOnly(event.currentTarget.value === 'open'),
          },
          h('option', { value: 'all' }, t('filter_all')),
          h('option', { value: 'open' }, t('filter_open')),
        ),
      ),
    ),
    ids.length === 0 && h('p', { class: 'quiet' }, t('history_empty')),
    h(WindowedList, {
      ids,
      label: t('history_title'),
      row: (id) => h(PaymentRow, { id }),
      atEnd: () => void payments.readOlder().catch(() => undefined),
    }),
    h(
      'p',
      { class: 'quiet', role: 'status' },
      `${t('history_hint', { count: ids.length })} · ${payments.hasOlder.value && !isOpenOnly ? t('history_more') : t('history_end')}`,
    ),
  );
}
