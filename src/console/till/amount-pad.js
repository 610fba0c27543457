import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { AmountField } from '../parts/amount-field.js';
import { formatMoney } from '../words/money.js';
import { keyedAmount, NO_AMOUNT } from '../words/typed-money.js';
import { AskLarge } from './ask-large.js';
import { ChosenInvoiceNote } from './chosen-invoice.js';
import { CustomerFinder } from './customer-finder.js';
import { InvoicePicker } from './invoice-picker.js';
import { misfitOf } from './invoice-stand.js';
import { useScannedInvoice } from './scanned-invoice.js';
import { partOf } from './split.js';
import { BeginSplit, SplitNote, useSplit, whyNoPart } from './split-note.js';
import { useTill } from './till.js';
import { whyNotTaken } from './why-not-taken.js';
import { t } from './words.js';

/** @import { CreatePayment, Device } from '../app/contract.js' */
/** @import { Unpicked } from './scanned-invoice.js' */
/** `ask`: a payment of more than is usual. @typedef {'invoice' | 'customer' | Unpicked | { ask: CreatePayment, minor: number }} PadDialog */

const KEYS = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '00', '0'];

/**
 * What is taken, by the pad, the keyboard, an invoice or a customer. The dialogs stand outside of the form: Enter in a form within it would submit
 * both, and start a payment.
 */
export function AmountPad() {
  const currency = useTill().device?.currency ?? 'EUR';
  const [dialog, setDialog] = useState(/** @type {PadDialog | null} */ (null));
  const close = () => setDialog(null);
  useScannedInvoice(currency, { picked: close, unpicked: setDialog });
  return [
    h(AmountForm, { currency, open: setDialog }),
    dialog === 'invoice' && h(InvoicePicker, { currency, close }),
    dialog !== null &&
      typeof dialog === 'object' &&
      'text' in dialog &&
      h(InvoicePicker, { key: dialog.no, currency, close, unpicked: dialog }),
    dialog !== null &&
      typeof dialog === 'object' &&
      'ask' in dialog &&
      h(AskLarge, { wanted: dialog.ask, minor: dialog.minor, currency, close }),
    dialog === 'customer' && h(CustomerFinder, { currency, close }),
  ];
}

/**
 * The amount: digit by digit as on a terminal, or as written text.
 * @param {{ currency: string, open: (dialog: PadDialog) => void }} props
 */
function AmountForm({ currency, open }) {
  const till = useTill();
  const { live, shop } = useConsole();
  const [problem, setProblem] = useState('');
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const { device, amount } = till;
  const { minor, problem: unread } = amount.value;
  const chosen = till.invoice.value;
  const impossible = whyNotTaken(
    device,
    minor,
    live.state.value === 'lost',
    (shop.status.value?.terminals.length ?? 0) > 1,
  );
  const stand = useSplit();
  const noPart = whyNoPart(stand, minor, currency);
  const isMisfit = noPart !== '' || (chosen !== null && misfitOf(chosen, minor, currency) !== null);

  /** @param {import('../words/typed-money.js').TypedAmount} typed */
  const set = (typed) => {
    till.type(typed);
    setProblem('');
  };
  /** @param {string} key */
  const press = (key) => {
    const before = till.isProposed.value && key !== 'erase' ? NO_AMOUNT : amount.value;
    set(keyedAmount(before, key, currency));
  };

  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (till.scan.value || impossible !== '') return;
    if (!device) return setProblem(t('take_choose'));
    if (minor === null || minor === 0) {
      form.current?.querySelector('input')?.focus();
      return setProblem(unread === null ? t('take_type') : '');
    }
    if (isMisfit) return form.current?.querySelector('input')?.focus();
    takeOrAsk(till, device, { minor, stand }, open);
  };

  return h(
    'form',
    { ref: form, class: 'card pad', 'data-takes': '', onSubmit: submit, noValidate: true },
    h(What, { currency, isMisfit, set, open }),
    h(Pad, { press }),
    h(PadTake, { minor, currency, impossible, isMisfit, problem: noPart || problem }),
  );
}

/**
 * The amount, and what it is for.
 * @param {{ currency: string, isMisfit: boolean, set: (typed: import('../words/typed-money.js').TypedAmount) => void, open: (dialog: PadDialog) => void }} props
 */
function What({ currency, isMisfit, set, open }) {
  const till = useTill();
  const { minor } = till.amount.value;
  return h(
    'div',
    { class: 'pad-part pad-what' },
    h(AmountField, {
      label: t('amount', { currency }),
      typed: till.amount.value,
      currency,
      more: {
        name: 'amount',
        'aria-describedby': 'chosen-part chosen-misfit pad-problem',
        ...selection(till),
      },
      isWrong: isMisfit,
      set,
    }),
    h(BeginSplit, { minor, currency }),
    h(ChosenInvoiceNote, { currency }),
    h(SplitNote, {}),
    h(More, { open }),
  );
}

/**
 * Asks once more about more than is usual, typed or due of an invoice: a wrong invoice is picked as easily as a wrong key.
 * @param {import('./till.js').Till} till
 * @param {Device} device
 * @param {{ minor: number, stand: ReturnType<typeof useSplit> }} part
 * @param {(dialog: PadDialog) => void} open
 */
function takeOrAsk(till, device, { minor, stand }, open) {
  till.isHurried.value = false;
  const wanted = {
    ...wantedOf(till, device.id, minor, device.currency),
    ...(stand ? partOf(stand.split, minor, stand.parts) : {}),
  };
  if (minor > device.ask_above_minor) open({ ask: wanted, minor });
  else till.taking.take(wanted);
}

/** The button, and beside it why it takes nothing. @param {{ minor: number | null, currency: string, impossible: string, isMisfit: boolean, problem: string }} props */
function PadTake({ minor, currency, impossible, isMisfit, problem }) {
  const isHurried = useTill().isHurried.value && minor !== null && minor > 0;
  const hint = isHurried ? t('take_again', { amount: formatMoney(minor, currency) }) : '';
  return h(
    'div',
    { class: 'pad-take' },
    h('p', { id: 'pad-problem', class: 'problem', role: 'alert' }, impossible || problem),
    h('p', { class: 'hint', role: 'status' }, hint),
    h(TakeButton, { minor, currency, isImpossible: impossible !== '', isMisfit }),
  );
}

/** What the amount is for. @param {{ open: (dialog: 'invoice' | 'customer') => void }} props */
function More({ open }) {
  return h(
    'div',
    { class: 'pad-more' },
    h('button', { type: 'button', class: 'button', onClick: () => open('invoice') }, t('invoice_pick')),
    h('button', { type: 'button', class: 'button', onClick: () => open('customer') }, t('customer_find')),
    h(Reference, {}),
  );
}

/** @param {{ minor: number | null, currency: string, isImpossible: boolean, isMisfit: boolean }} props `isMisfit`: a press moves the focus to the amount */
function TakeButton({ minor, currency, isImpossible, isMisfit }) {
  const { taking, scan } = useTill();
  const isSending = taking.pending.value !== null;
  const isLookedUp = scan.value !== null;
  const take =
    minor === null || minor === 0 ? t('take') : t('take_amount', { amount: formatMoney(minor, currency) });
  return h(
    'button',
    {
      type: 'submit',
      class: 'button button-main button-big',
      'data-takes': '',
      'aria-keyshortcuts': 'Enter',
      disabled: isSending || isImpossible,
      'aria-describedby': 'pad-problem',
      'aria-disabled': isLookedUp || isMisfit,
    },
    isSending ? t('take_sending') : isLookedUp ? t('take_scanned') : take,
  );
}

/**
 * A proposed amount is selected as a whole, so that the first key replaces it; the mouse would end the selection.
 * @param {import('./till.js').Till} till
 */
function selection({ isProposed }) {
  return {
    onFocus: (/** @type {FocusEvent & { currentTarget: HTMLInputElement }} */ event) => {
      if (isProposed.value) event.currentTarget.select();
    },
    onMouseUp: (/** @type {MouseEvent} */ event) => {
      if (isProposed.value) event.preventDefault();
    },
  };
}

/** @param {{ press: (key: string) => void }} props */
function Pad({ press }) {
  return h(
    'div',
    { class: 'keys', role: 'group', 'aria-label': t('pad') },
    KEYS.map((key) =>
      h(
        'button',
        { key, type: 'button', class: 'button', onMouseDown: keepFocus, onClick: () => press(key) },
        key,
      ),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'button',
        'aria-label': t('pad_erase'),
        onMouseDown: keepFocus,
        onClick: () => press('erase'),
      },
      '⌫',
    ),
  );
}

/** A tap on the pad is no focus: Enter takes the amount afterwards, and presses no digit again. @param {Event} event */
function keepFocus(event) {
  event.preventDefault();
}

function Reference() {
  const { reference } = useTill();
  return h(
    'label',
    { class: 'field' },
    h('span', {}, t('reference')),
    h('input', {
      name: 'reference',
      maxLength: 64,
      autoComplete: 'off',
      placeholder: t('reference_hint'),
      value: reference.value,
      onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
        reference.value = event.currentTarget.value;
      },
    }),
  );
}

/**
 * @param {import('./till.js').Till} till
 * @param {string} deviceId
 * @param {number} minor
 * @param {string} currency
 * @returns {import('../app/contract.js').CreatePayment}
 */
function wantedOf({ reference, invoice }, deviceId, minor, currency) {
  const text = reference.value.trim();
  return {
    device_id: deviceId,
    amount_minor: minor,
    currency: /** @type {import('../app/contract.js').CreatePayment['currency']} */ (currency),
    ...(text === '' ? {} : { reference: text }),
    ...(invoice.value ? { invoice_id: invoice.value.id } : {}),
  };
}
