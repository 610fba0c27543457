import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { formatMoney } from '../words/money.js';
import { amountOf } from '../words/typed-money.js';
import { Key } from './key.js';
import { openBills, splitOf, standOf } from './split.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { Payment } from '../app/contract.js' */
/** @import { Split } from './split.js' */

/** Pause before the parts are read again. */
const AGAIN_MS = 1_000;

/** What is paid of the bill that this till splits; null where it splits none, and while an invoice is picked, whose payment is no part of the bill. */
export function useSplit() {
  const { split, invoice } = useTill();
  return useStand(invoice.value === null ? split.value : null);
}

/**
 * What is paid of a split bill, at whichever till. Until its parts are read, nothing is left to be taken: what is not seen may be paid.
 * @param {Split | null} split
 */
export function useStand(split) {
  const { payments } = useConsole().shop;
  const { splitParts } = useTill();
  if (split === null) return null;
  const read = splitParts.value[split.id];
  const ids = new Set([...payments.ids.value.slice(0, 200), ...(read ?? [])]);
  const stand = standOf(
    split,
    [...ids].flatMap((id) => payments.get(id) ?? []),
  );
  const isRead = read !== undefined;
  return { split, ...stand, isRead, leftMinor: isRead ? stand.leftMinor : 0 };
}

/** Why a part of this amount cannot be taken; empty: it can. @param {ReturnType<typeof useSplit>} stand @param {number | null} minor @param {string} currency of the terminal */
export function whyNoPart(stand, minor, currency) {
  if (stand === null) return '';
  if (currency !== stand.split.currency) return t('split_currency', { currency: stand.split.currency });
  if (!stand.isRead) return t('split_reading');
  if (minor === null || minor <= stand.leftMinor) return '';
  return t('split_over', { left: formatMoney(stand.leftMinor, stand.split.currency) });
}

/** Makes the typed amount a bill that several cards pay. @param {{ minor: number | null, currency: string }} props */
export function BeginSplit({ minor, currency }) {
  const till = useTill();
  const isBill = minor !== null && minor > 1 && till.split.value === null && till.invoice.value === null;
  return h(
    'button',
    {
      type: 'button',
      class: 'button split-begin',
      disabled: !isBill,
      onClick: () => {
        if (minor !== null) till.beginSplit(minor, currency);
      },
    },
    t('split'),
  );
}

/** Beside the amount: what is left of the bill, and the ways to take it or to end. */
export function SplitNote() {
  const till = useTill();
  const stand = useSplit();
  useParts(stand?.split ?? null);
  if (!stand) return null;
  const { leftMinor, split } = stand;
  return h(
    'div',
    { class: 'chosen' },
    h('p', { class: 'chosen-words', role: 'status' }, wordsOf(stand)),
    h(
      'button',
      {
        type: 'button',
        class: 'button button-icon',
        'aria-label': t('split_end'),
        title: endHint(stand),
        onClick: () => till.endSplit(),
      },
      '✕',
    ),
    leftMinor > 0 &&
      h(
        'button',
        { type: 'button', class: 'button', onClick: () => till.propose(amountOf(leftMinor)) },
        t('split_all', { left: formatMoney(leftMinor, split.currency) }),
      ),
  );
}

/** Behind a part: what is left, and the way to it, also at a till that has not begun the split. @param {{ payment: Payment }} props */
export function SplitRest({ payment }) {
  const till = useTill();
  const split = splitOf(payment);
  const stand = useStand(split);
  useParts(split);
  if (stand === null) return null;
  const { leftMinor, isRead } = stand;
  const isOurs = till.split.value?.id === stand.split.id && till.invoice.value === null;
  if (!isOurs && isRead && leftMinor === 0 && stand.openMinor === 0) return null;
  return h(
    'div',
    { class: 'again' },
    h('p', { role: 'status' }, wordsOf(stand)),
    leftMinor > 0 &&
      h(
        'a',
        {
          class: isOurs ? 'button button-main button-big' : 'button button-big',
          href: addressOf(['till']),
          ...(isOurs ? { 'data-key': 'Enter', 'aria-keyshortcuts': 'Enter' } : {}),
          onClick: () =>
            isOurs ? till.propose(amountOf(leftMinor)) : till.resumeSplit(stand.split, leftMinor),
        },
        t('split_rest', { left: formatMoney(leftMinor, stand.split.currency) }),
        isOurs && h(Key, { name: 'Enter' }),
      ),
    isOurs && leftMinor > 0 && h('p', { class: 'quiet' }, endHint(stand)),
  );
}

/** Outcomes that alone release the goods. */
const RELEASES = ['paid', 'paid_tip'];

/** What to do now: a part releases no goods while something of its bill is missing. @param {Payment} payment @param {{ key: string, now: string }} said */
export function useNow(payment, said) {
  return nowOfPart(useStand(splitOf(payment)), said);
}

/** @param {ReturnType<typeof useStand>} stand @param {{ key: string, now: string }} said */
export function nowOfPart(stand, { key, now }) {
  if (stand === null || !RELEASES.includes(key)) return now;
  if (!stand.isRead) return t('split_reading');
  const { leftMinor, openMinor, split } = stand;
  if (openMinor > 0) return t('split_wait', { open: formatMoney(openMinor, split.currency) });
  return leftMinor === 0 ? now : t('split_now', { left: formatMoney(leftMinor, split.currency) });
}

/** The bills that are split at this till or another one and not paid in full; this till's own stands beside the amount. */
export function OpenBills() {
  const till = useTill();
  const bills = useOpenBills().filter(({ id }) => id !== till.split.value?.id);
  if (bills.length === 0) return null;
  return [
    h('h2', { key: 'title' }, t('bills_open')),
    h(
      'ul',
      { key: 'bills', class: 'bills' },
      bills.map((split) => h(OpenBill, { key: split.id, split })),
    ),
  ];
}

/** Those that this till has not ended. */
export function useOpenBills() {
  const { payments } = useConsole().shop;
  const { endedSplits } = useTill();
  const known = payments.ids.value.slice(0, 200).flatMap((id) => payments.get(id) ?? []);
  return openBills(known, now.value).filter(({ id }) => !endedSplits.value.has(id));
}

/** @param {{ split: Split }} props */
function OpenBill({ split }) {
  const till = useTill();
  const stand = useStand(split);
  useParts(split);
  if (stand === null) return null;
  const { leftMinor } = stand;
  return h(
    'li',
    { class: 'bill' },
    h('p', {}, h('strong', {}, split.reference), ' ', wordsOf(stand)),
    leftMinor > 0 &&
      h(
        'button',
        { type: 'button', class: 'button', onClick: () => till.resumeSplit(split, leftMinor) },
        t('split_rest', { left: formatMoney(leftMinor, split.currency) }),
      ),
  );
}

/** What was paid stays paid; the next payment is one of its own. */
export function EndSplit() {
  const till = useTill();
  return h(
    'a',
    { class: 'button button-big', href: addressOf(['till']), onClick: () => till.endSplit() },
    t('split_end'),
  );
}

/** Whether something is left of the bill that this payment is a part of. @param {Payment} payment */
export function useIsLeft(payment) {
  const stand = useSplit();
  return stand !== null && isOfSplit(payment, stand.split) && stand.leftMinor > 0;
}

/** Another payment may be looked at meanwhile. @param {Payment} payment @param {Split} split */
function isOfSplit({ metadata }, { id }) {
  return metadata['split'] === id;
}

/** Reads the parts that this till has not started itself, until there is an answer. @param {Split | null} split */
function useParts(split) {
  const till = useTill();
  const { api, shop } = useConsole();
  const isRead = split === null || till.splitParts.value[split.id] !== undefined;
  useEffect(() => {
    if (split === null || isRead) return;
    const path = `/v2/terminal-payments?limit=100&reference=${encodeURIComponent(split.reference)}`;
    let isOver = false;
    const read = async () => {
      while (!isOver) {
        const answer = await api.get(path).catch(() => null);
        if (isOver) return;
        if (answer !== null) {
          for (const part of answer.data) shop.payments.heard(part);
          return till.partsAre(
            split.id,
            answer.data.map((/** @type {Payment} */ { id }) => id),
          );
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void read();
    return () => {
      isOver = true;
    };
  }, [split?.id, isRead]);
}

/** @param {NonNullable<ReturnType<typeof useSplit>>} stand */
function wordsOf({ split, paidMinor, openMinor, leftMinor, isRead }) {
  if (!isRead) return t('split_reading');
  const money = (/** @type {number} */ minor) => formatMoney(minor, split.currency);
  const amounts = {
    whole: money(split.wholeMinor),
    paid: money(paidMinor),
    open: money(openMinor),
    left: money(leftMinor),
  };
  if (openMinor > 0) return t('split_open', amounts);
  return leftMinor === 0 ? t('split_done', amounts) : t('split_stand', amounts);
}

/** What becomes of the paid parts when no more are taken. @param {NonNullable<ReturnType<typeof useSplit>>} stand */
function endHint({ split, paidMinor }) {
  return t(paidMinor === 0 ? 'split_end_unpaid' : 'split_end_paid', {
    paid: formatMoney(paidMinor, split.currency),
    reference: split.reference,
  });
}
