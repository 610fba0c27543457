import { h } from 'preact';
import { useState } from 'preact/hooks';
import { whichTerminal } from '../../sentences/sentences.js';
import { ApiError } from '../app/api.js';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { AmountField } from '../parts/amount-field.js';
import { DecidingPerson } from '../parts/deciding-person.js';
import { focusFirstEmpty } from '../parts/first-empty.js';
import { formatMoney } from '../words/money.js';
import { formatAge, formatMoment } from '../words/time.js';
import { amountOf } from '../words/typed-money.js';
import { ownNumbers } from './own-numbers.js';
import { Reprint } from './reprint.js';
import { useTill } from './till.js';
import { afterRefusal, t } from './words.js';

/** @import { Payment } from '../app/contract.js' */

/** An unknown outcome that a person decides: the exact facts to compare, and the person's decision. @param {{ payment: Payment }} props */
export function Question({ payment }) {
  const which = whichTerminal(payment);
  return h(
    'section',
    { class: 'card question', 'aria-labelledby': 'question' },
    h('h2', { id: 'question' }, t(`question_title${kindOf(payment)}`, { which })),
    h('p', {}, t(`question_intro${kindOf(payment)}`, { which })),
    h(Elsewhere, { payment }),
    h(Compare, { payment }),
    !isReplaced(payment) && h(Reprint, { payment }),
    h(Answer, { payment }),
  );
}

/** No terminal can show the outcome: that of the payment was replaced, or its approval is not believed. @param {Payment} payment */
function isReplaced(payment) {
  return kindOf(payment) !== '';
}

/** The part of the words that depends on why a person is asked. @param {Payment} payment */
function kindOf({ error_code: code }) {
  if (code === 'terminal_not_believed') return '_not_believed';
  return code === 'terminal_replaced' ? '_replaced' : '';
}

/** Another terminal stands in the place of the one that the payment went to, and was not adopted. @param {{ payment: Payment }} props */
function Elsewhere({ payment }) {
  const { shop } = useConsole();
  const device = shop.status.value?.terminals.find(({ id }) => id === payment.device_id);
  if (isReplaced(payment) || device?.status !== 'wrong_terminal') return null;
  return h('p', { class: 'note badge-warn' }, t('question_elsewhere', { which: whichTerminal(payment) }));
}

/** @param {{ payment: Payment }} props */
function Compare({ payment }) {
  const till = useTill();
  const { amount_minor, currency, created_at, terminal_id, terminal_serial, had_approval, type, device_id } =
    payment;
  const { card, receipt } = ownNumbers(payment);
  const words = [
    t(`question_kind_${type}`),
    t('question_amount', { amount: formatMoney(amount_minor, currency) }),
    t('question_time', { moment: formatMoment(created_at, now.value) }),
    kindOf(payment) === '_replaced'
      ? t('question_old_terminal', { serial: terminal_serial ?? '?', id: terminal_id ?? '?' })
      : t('question_terminal', {
          name: till.nameOf(device_id),
          serial: terminal_serial ?? '?',
          id: terminal_id ?? '?',
        }),
    ...(receipt === null ? [] : [t('question_number', { number: receipt })]),
    ...(card === '' ? [] : [t('question_card', { card })]),
    ...(had_approval ? [t('question_approved')] : []),
  ];
  return h(
    'ul',
    { class: 'compare' },
    words.map((word) => h('li', { key: word }, word)),
  );
}

/** @param {{ payment: Payment }} props */
function Answer({ payment }) {
  const { api, session, shop } = useConsole();
  const till = useTill();
  const [as, setAs] = useState(/** @type {Decision | null} */ (null));
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [amount, setAmount] = useState(() => amountOf(payment.amount_minor));

  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const decide = async (event) => {
    event.preventDefault();
    const { source, ...words } = wordsIn(new FormData(event.currentTarget));
    if (!as || (as === 'succeeded' && !amount.minor) || isMissing(payment, as, words, source)) {
      focusFirstEmpty(event.currentTarget);
      return setProblem(t('question_missing'));
    }
    till.remember(words.by);
    setBusy(true);
    try {
      const { data } = await api.post(`/v2/terminal-payments/${payment.id}/resolve`, {
        as,
        ...words,
        ...(source === '' ? {} : { source }),
        ...(as === 'succeeded' ? { amount_minor: amount.minor } : {}),
      });
      shop.payments.heard(data);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(`${error.status === 0 ? '' : `${t('refused_other')} `}${afterRefusal(error)}`);
      setBusy(false);
    }
  };

  const waitMs = session.isAtLeast('lead') ? 0 : cashierWaitMs(payment, now.value);
  const mustWait = as === 'not_charged' && waitMs > 0;
  return h(
    'form',
    { class: 'answer', onSubmit: decide, noValidate: true },
    h(Options, { payment, chosen: as, choose: setAs }),
    mustWait && h(Wait, { waitMs }),
    as === 'succeeded' &&
      h(AmountField, {
        label: t('question_other_amount'),
        typed: amount,
        currency: payment.currency,
        set: setAmount,
      }),
    h(Source, { isReplaced: isReplaced(payment) }),
    h(Text, { name: 'shown', label: t(SHOWN[as ?? 'succeeded']), value: '' }),
    h(DecidingPerson, { label: t('question_by'), value: till.name }),
    h(Text, { name: 'reason', label: t('question_reason'), value: '' }),
    h('p', { class: 'quiet' }, t('question_final')),
    h('p', { class: 'problem', role: 'alert' }, problem),
    h(
      'button',
      { type: 'submit', class: 'button button-main', disabled: isBusy || mustWait },
      t('question_submit'),
    ),
  );
}

/** @param {Payment} payment @param {Decision} as @param {Readonly<Record<string, string>>} words @param {string} source */
function isMissing(payment, as, words, source) {
  const isSeen = isReplaced(payment) && as !== 'written_off';
  return Object.values(words).includes('') || (isSeen && source === '');
}

/** @param {FormData} form */
function wordsIn(form) {
  const typed = (/** @type {string} */ name) => String(form.get(name) ?? '').trim();
  return { by: typed('by'), reason: typed('reason'), shown: typed('shown'), source: typed('source') };
}

/** @param {{ waitMs: number }} props */
function Wait({ waitMs }) {
  const left = formatAge(0, waitMs);
  return h('p', { id: 'question-wait', class: 'note badge-warn' }, t('question_wait', { left }));
}

/** How long a cashier waits before "not charged": the daemon refuses it for ten minutes (`CASHIER_WAIT_MS`). */
const CASHIER_WAIT_MS = 600_000;

/** @param {Payment} payment @param {number} at epoch ms */
function cashierWaitMs({ in_doubt_since: since }, at) {
  return since === null ? 0 : Math.max(0, Date.parse(since) + CASHIER_WAIT_MS - at);
}

const SOURCES = /** @type {const} */ (['customer_slip', 'acquirer_statement', 'terminal_journal']);

/**
 * Where the person saw the outcome: on the terminal itself, where that is still possible; else the person chooses.
 * @param {{ isReplaced: boolean }} props
 */
function Source({ isReplaced }) {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, t('question_source')),
    h(
      'select',
      { name: 'source' },
      h('option', { value: '' }, t(isReplaced ? 'question_source_choose' : 'question_source_terminal')),
      SOURCES.map((source) => h('option', { key: source, value: source }, t(`question_source_${source}`))),
    ),
  );
}

const SHOWN = /** @type {const} */ ({
  succeeded: 'question_shown',
  not_charged: 'question_shown_no',
  written_off: 'question_shown_never',
});

/** @typedef {keyof typeof SHOWN} Decision */

/** @param {{ payment: Payment, chosen: Decision | null, choose: (value: Decision) => void }} props */
function Options({ payment, chosen, choose }) {
  const { session } = useConsole();
  const charged = t(isReplaced(payment) ? 'question_yes_replaced' : 'question_yes');
  return h(
    'fieldset',
    { class: 'options' },
    h('legend', {}, t('question_answer')),
    h(Option, { value: 'succeeded', chosen, choose, label: charged }),
    h(Option, { value: 'not_charged', chosen, choose, label: t('question_no') }),
    session.isAtLeast('lead') &&
      h(Option, { value: 'written_off', chosen, choose, label: t('question_never') }),
  );
}

/** @param {{ value: Decision, chosen: Decision | null, choose: (value: Decision) => void, label: string }} props */
function Option({ value, chosen, choose, label }) {
  return h(
    'label',
    { class: 'option' },
    h('input', {
      type: 'radio',
      name: 'as',
      value,
      checked: chosen === value,
      onChange: () => choose(value),
    }),
    h('span', {}, label),
  );
}

/** @param {{ name: string, label: string, value: string }} props */
function Text({ name, label, value }) {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', { name, defaultValue: value, maxLength: 200, autoComplete: 'off' }),
  );
}
