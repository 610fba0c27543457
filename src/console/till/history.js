import { h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { WindowedList } from '../parts/windowed-list.js';
import { DayHeading } from './day-heading.js';
import { FoundHeading, foundText } from './found-words.js';
import { HistorySearch } from './history-search.js';
import { readingsOf } from './payment-readings.js';
import { PaymentRow } from './payment-row.js';
import { DAY, dayRows, ShopDays } from './shop-days.js';
import { useTill } from './till.js';
import { usePaymentSearch } from './use-payment-search.js';
import { t } from './words.js';

/** @import { Found } from './use-payment-search.js' */
/** @import { KnownTotals } from './day-heading.js' */
/** @import { HistoryFilter } from './till.js' */

/** The row of a reading's heading among the ids of payments. */
const FOUND = 'found:';

/** Every payment by day, newest first; older ones are read when the user scrolls to them. A search finds one of any age. */
export function History() {
  const { router, shop } = useConsole();
  const { payments, status } = shop;
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const till = useTill();
  const days = useShopDays();
  const [known] = useState(() => /** @type {KnownTotals} */ (new Map()));
  const filter = till.history.value;
  const currencies = [...new Set((status.value?.terminals ?? []).map(({ currency }) => currency))];
  const readings = useMemo(
    () => wantedReadings(filter, { currencies, today: days.dayOf(Date.now()) }),
    [filter, currencies.join(), days],
  );
  const isSearch = readings.length > 0;
  const { found, problem, search, more } = usePaymentSearch(readings, statusOf(filter));
  const withDays = useMemo(() => dayRows((id) => dayOf(days, payments.createdAt(id))), [days]);
  const isOpenOnly = filter.show === 'open';
  const plain = isOpenOnly ? payments.unsettled.map(({ id }) => id) : withDays(payments.ids.value);
  const ids = isSearch ? foundRows(found ?? []) : plain;
  const enter = async () => {
    const next = isSearch ? await search() : null;
    const [only, another] = new Set(next?.flatMap((one) => one.ids));
    if (only !== undefined && another === undefined) router.go(['till', 'payment', only]);
    else requestAnimationFrame(() => rowsOf(section.current ?? document)[0]?.focus());
  };
  return h(
    'section',
    { ref: section, class: 'card history', onKeyDown: moveByArrows },
    h(HistorySearch, { filter, today: days.dayOf(Date.now()), enter: () => void enter() }),
    h('p', { class: 'problem', role: 'alert' }, problem),
    h(
      'p',
      { class: 'quiet found-text', role: 'status' },
      isSearch ? (found === null ? t('search_running') : foundText(found)) : readText(payments, isOpenOnly),
    ),
    ids.length === 0 && !isSearch && h('p', { class: 'quiet' }, t('history_empty')),
    h(WindowedList, {
      key: isSearch ? 'found' : 'all',
      ids,
      label: t('history_title'),
      row: (id) => {
        if (id.startsWith(DAY)) return h(DayHeading, { day: id.slice(DAY.length), days, known });
        if (!id.startsWith(FOUND)) return h(PaymentRow, { id, isDetailed: true });
        const one = found?.[Number(id.slice(FOUND.length))];
        return one && h(FoundHeading, { found: one, days, known });
      },
      atEnd: () => void (isSearch ? more() : payments.readOlder().catch(() => undefined)),
    }),
  );
}

/**
 * @param {HistoryFilter} filter
 * @param {{ currencies: readonly string[], today: string }} shop
 */
function wantedReadings({ text, day, show }, shop) {
  const typed = readingsOf(text, shop);
  const others = typed.filter(({ kind }) => kind !== 'day');
  if (day !== '' && others.length > 0) return others.map((reading) => ({ ...reading, on: day }));
  if (day !== '') return [{ ...BARE, kind: /** @type {const} */ ('day'), on: day }];
  if (typed.length > 0 || show === 'all' || show === 'open') return typed;
  return [{ ...BARE, kind: /** @type {const} */ ('status'), value: show }];
}

const BARE = { value: '', amount: null, params: {}, on: null };

/** @param {HistoryFilter} filter @returns {Record<string, string>} */
function statusOf({ show }) {
  return show === 'all' || show === 'open' ? {} : { status: show };
}

/** The days of the shop; those of this screen until its time zone was read. */
function useShopDays() {
  const { api } = useConsole();
  const [days, setDays] = useState(() => new ShopDays(undefined));
  useEffect(() => {
    const abort = new AbortController();
    api.get('/v2/terminal-payment-totals?on=today', abort.signal).then(
      ({ data }) => setDays(new ShopDays(data.time_zone)),
      () => undefined,
    );
    return () => abort.abort();
  }, []);
  return days;
}

/**
 * @param {ShopDays} days
 * @param {string | undefined} createdAt
 */
function dayOf(days, createdAt) {
  return createdAt && days.dayOf(createdAt);
}

/** Each reading with its payments below it; those behind one that has more wait until it is complete. @param {readonly Found[]} found */
function foundRows(found) {
  const rows = [];
  for (const [index, { ids, hasMore }] of found.entries()) {
    if (ids.length > 0) rows.push(`${FOUND}${index}`, ...ids);
    if (hasMore) break;
  }
  return rows;
}

/** Up and down go from the search to the payments and through them. @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
function moveByArrows(event) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const { target, currentTarget: section } = event;
  if (step === 0 || !(target instanceof HTMLElement)) return;
  const rows = rowsOf(section);
  const field = section.querySelector('input[type=search]');
  const at = rows.indexOf(target);
  if (at === -1 && (target !== field || step < 0)) return;
  const next = at + step < 0 ? field : rows[at + step];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

/** @param {ParentNode} section @returns {HTMLElement[]} */
function rowsOf(section) {
  return [...section.querySelectorAll('.windowed a.row')].filter((row) => row instanceof HTMLElement);
}

/** @param {{ ids: { value: readonly string[] }, hasOlder: { value: boolean }, unsettled: readonly unknown[] }} payments @param {boolean} isOpenOnly */
function readText({ ids, hasOlder, unsettled }, isOpenOnly) {
  const count = isOpenOnly ? unsettled.length : ids.value.length;
  return `${t('history_hint', { count })} · ${hasOlder.value && !isOpenOnly ? t('history_more') : t('history_end')}`;
}
