import { h } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { HistoryFilter } from './till.js' */

const SHOWS = /** @type {const} */ (['all', 'open', 'succeeded', 'declined', 'cancelled', 'error']);

/**
 * One field for whatever is known of a payment, a day, and what became of it. Enter opens the only payment that was found, or goes to the first one.
 * @param {{ filter: HistoryFilter, today: string, enter: () => void }} props
 */
export function HistorySearch({ filter, today, enter }) {
  const till = useTill();
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => {
    if (till.isSearchCalled) {
      field.current?.focus();
      field.current?.select();
    }
    till.isSearchCalled = false;
  }, []);
  /** @param {Partial<HistoryFilter>} change */
  const set = (change) => {
    till.history.value = { ...filter, ...change };
  };
  /** Payments that are open are few, and are not searched. @param {'text' | 'day'} name */
  const onInput = (name) => (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) =>
    set({ [name]: event.currentTarget.value, ...(filter.show === 'open' ? { show: 'all' } : {}) });
  return h(
    'form',
    {
      class: 'history-head',
      role: 'search',
      onSubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        enter();
      },
    },
    h('h1', {}, t('history_title')),
    h(TextField, { field, text: filter.text, onInput: onInput('text') }),
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('history_day')),
      h('input', { type: 'date', max: today, value: filter.day, onInput: onInput('day') }),
    ),
    h(StatusFilter, {
      value: filter.show,
      choose: (/** @type {HistoryFilter['show']} */ show) =>
        set(show === 'open' ? { show, text: '', day: '' } : { show }),
    }),
    h(
      'button',
      {
        type: 'button',
        class: 'button button-small',
        disabled: filter.text === '' && filter.day === '' && filter.show === 'all',
        onClick: () => {
          set({ text: '', day: '', show: 'all' });
          field.current?.focus();
        },
      },
      t('history_clear'),
    ),
  );
}

/** @param {{ field: import('preact').RefObject<HTMLInputElement | null>, text: string, onInput: (event: Event & { currentTarget: HTMLInputElement }) => void }} props */
function TextField({ field, text, onInput }) {
  return h(
    'label',
    { class: 'field history-search' },
    h('span', {}, t('history_search')),
    h('input', {
      ref: field,
      type: 'search',
      maxlength: 200,
      autoComplete: 'off',
      spellcheck: false,
      placeholder: t('history_search_hint'),
      value: text,
      onInput,
    }),
  );
}

/** @param {{ value: HistoryFilter['show'], choose: (show: HistoryFilter['show']) => void }} props */
function StatusFilter({ value, choose }) {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, t('history_filter')),
    h(
      'select',
      {
        value,
        onChange: (/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) =>
          choose(/** @type {HistoryFilter['show']} */ (event.currentTarget.value)),
      },
      SHOWS.map((show) => h('option', { key: show, value: show }, t(`show_${show}`))),
    ),
  );
}
