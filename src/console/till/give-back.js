import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../app/api.js';
import { useConsole } from '../app/console.js';
import { AmountField } from '../parts/amount-field.js';
import { Dialog } from '../parts/dialog.js';
import { formatMoney } from '../words/money.js';
import { amountOf } from '../words/typed-money.js';
import { cardText } from './card-text.js';
import { afterRefusal, refusedBy, t } from './words.js';

/** @import { Payment } from '../app/contract.js' */

/** Refund and void, each with a confirmation; a user whose role does not allow it gets an explanation. @param {{ payment: Payment }} props */
export function GiveBack({ payment }) {
  const { session, shop } = useConsole();
  const [dialog, setDialog] = useState(/** @type {'refund' | 'void' | null} */ (null));
  const left = (payment.approved_amount_minor ?? payment.amount_minor) - payment.given_back_minor;
  if (payment.type !== 'sale' || payment.charged !== 'yes' || payment.completed_at === null || left <= 0)
    return null;
  if (!session.isAtLeast('lead')) return h('p', { class: 'quiet' }, t('needs_lead'));
  const device = shop.status.value?.terminals.find(({ id }) => id === payment.device_id);
  const mayVoid = device?.capabilities['void'] !== 'none' && payment.given_back_minor === 0;
  const isClosed = dialog === null;
  return h(
    'section',
    { class: 'card', 'aria-label': t('give_back') },
    h('h2', {}, t('give_back')),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', class: 'button', onClick: () => setDialog('refund') }, t('refund')),
      mayVoid &&
        h('button', { type: 'button', class: 'button', onClick: () => setDialog('void') }, t('void')),
    ),
    !isClosed && h(dialog === 'refund' ? Refund : Void, { payment, left, close: () => setDialog(null) }),
  );
}

/** @typedef {{ payment: Payment, left: number, close: () => void }} Props */

/** @param {Props} props */
function Refund({ payment, left, close }) {
  const { currency } = payment;
  const [typed, setTyped] = useState(() => amountOf(left));
  const minor = typed.minor ?? 0;
  const isTooMuch = minor > left;
  return h(
    Dialog,
    { title: t('refund_title'), close },
    h(AmountField, {
      label: `${t('refund_amount')} (${t('refund_at_most', { amount: formatMoney(left, currency) })})`,
      typed,
      currency,
      isWrong: isTooMuch,
      more: { autofocus: true },
      set: setTyped,
    }),
    isTooMuch && h('p', { class: 'problem', role: 'alert' }, t('refund_too_much')),
    h(PaidWith, { payment }),
    h('p', {}, t('refund_card')),
    h(Confirm, {
      path: `/v2/terminal-payments/${payment.id}/refund`,
      body: { amount_minor: minor },
      label: t('refund_confirm', { amount: formatMoney(minor, currency) }),
      isAllowed: minor > 0 && !isTooMuch,
      close,
    }),
  );
}

/** @param {Props} props */
function Void({ payment, left, close }) {
  const amount = formatMoney(left, payment.currency);
  return h(
    Dialog,
    { title: t('void_title'), close },
    h(PaidWith, { payment }),
    h('p', {}, t('void_words', { amount })),
    h(Confirm, {
      path: `/v2/terminal-payments/${payment.id}/void`,
      body: undefined,
      label: t('void_confirm', { amount }),
      isAllowed: true,
      close,
    }),
  );
}

/** The card that must get the money, as far as its terminal reported it. @param {{ payment: Payment }} props */
function PaidWith({ payment }) {
  const card = cardText(payment);
  return card === '' ? null : h('p', {}, t('paid_with'), ' ', h('strong', {}, card));
}

/**
 * Confirm and cancel. One idempotency key per request text: a second press, or a retry after a lost response, runs once.
 * @param {{ path: string, body: object | undefined, label: string, isAllowed: boolean, close: () => void }} props
 */
function Confirm({ path, body, label, isAllowed, close }) {
  const { api, shop, router } = useConsole();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const sent = useRef({ key: '', text: '' });

  /** @param {ApiError} error */
  const refusedWords = async (error) => {
    const { payment_id: id } = error.details;
    if (typeof id === 'string') await shop.payments.read(id).catch(() => undefined);
    const other =
      typeof id === 'string' && error.code === 'payment_already_open' ? shop.payments.get(id) : undefined;
    const { charged, now } = refusedBy(error, { other, isGivingBack: true });
    return `${charged} ${now}`;
  };

  const confirm = async () => {
    const text = JSON.stringify(body ?? null);
    if (sent.current.text !== text) sent.current = { key: crypto.randomUUID(), text };
    setBusy(true);
    try {
      const { data } = await api.post(path, body, { key: sent.current.key });
      shop.payments.heard(data);
      router.go(['till', 'payment', data.id]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!error.isPassing) sent.current = { key: '', text: '' };
      setProblem(error.status === 0 ? afterRefusal(error) : await refusedWords(error));
      setBusy(false);
    }
  };
  return h(
    'div',
    { class: 'confirm' },
    h('p', { class: 'problem', role: 'alert' }, problem),
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        {
          type: 'button',
          class: 'button button-main',
          'data-takes': '',
          disabled: isBusy || !isAllowed,
          onClick: confirm,
        },
        label,
      ),
      h('button', { type: 'button', class: 'button', onClick: close }, t('keep')),
    ),
  );
}
