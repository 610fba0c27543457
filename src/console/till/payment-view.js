import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../app/api.js';
import { useConsole } from '../app/console.js';
import { addressOf } from '../app/router.js';
import { EnglishText } from '../parts/english-text.js';
import { formatMoney } from '../words/money.js';
import { Again, Retried, useMayTryAgain } from './again.js';
import { Details } from './details.js';
import { GiveBack } from './give-back.js';
import { Indicators } from './indicators.js';
import { Key } from './key.js';
import { useOutcomeSignal } from './outcome-signal.js';
import { Question } from './question.js';
import { Receipts } from './receipts.js';
import { EndSplit, SplitRest, useIsLeft, useNow, useSplit } from './split-note.js';
import { Steps } from './steps.js';
import { TaskCard } from './tasks.js';
import { useTill } from './till.js';
import { useAwake } from './use-awake.js';
import { standOfTerminal } from './why-not-taken.js';
import { afterRefusal, sentencesOf, t } from './words.js';

/** @import { Payment } from '../app/contract.js' */

/** One payment: its progress, its outcome, and its possible actions. @param {{ id: string }} props */
export function PaymentView({ id }) {
  const { payments } = useConsole().shop;
  const [problem, setProblem] = useState('');
  const payment = payments.get(id);
  useEffect(() => {
    if (!payment)
      payments
        .read(id)
        .catch((error) => setProblem(error instanceof ApiError ? afterRefusal(error) : String(error)));
  }, [id]);
  if (!payment) return h('p', { class: 'splash', role: 'status' }, problem);
  return h(Shown, { payment });
}

/** @param {{ payment: Payment }} props */
function Shown({ payment }) {
  const { shop } = useConsole();
  const isOpen = payment.completed_at === null;
  // A cancel ends no payment whose outcome a person is asked for: the question is the only way.
  const isAsked = payment.in_doubt && payment.needs_person;
  const isAgain = useMayTryAgain(payment);
  const isLeft = useIsLeft(payment);
  useOutcomeSignal(payment);
  useAwake(isOpen);
  const tasks = shop.tasks.value.filter(({ payment_id }) => payment_id === payment.id);
  return h(
    'div',
    { class: 'payment' },
    h(
      'div',
      { class: 'payment-main' },
      h(Outcome, { payment }),
      h(
        'div',
        { class: 'payment-do' },
        isAgain && h(Again, { payment }),
        h(Retried, { payment }),
        !isOpen && h(SplitRest, { payment }),
        h(
          'div',
          { class: 'buttons' },
          isOpen
            ? !isAsked && h(Cancel, { payment })
            : isLeft
              ? h(EndSplit, {})
              : h(NewPayment, {
                  look: isAgain ? 'button-big' : 'button-main button-big',
                  shortcut: 'Enter',
                }),
        ),
      ),
      payment.in_doubt && h(Doubt, { payment }),
      tasks.map((task) => h(TaskCard, { key: task.id, task })),
      h(GiveBack, { payment }),
      h(Receipts, { payment }),
    ),
    h('div', { class: 'payment-more' }, h(Details, { payment })),
  );
}

/** @param {{ look: string, shortcut?: string }} props of the button */
function NewPayment({ look, shortcut }) {
  const till = useTill();
  const stand = useSplit();
  const isPaid = stand?.isRead === true && stand.leftMinor === 0 && stand.openMinor === 0;
  return h(
    'a',
    {
      class: `button ${look}`,
      href: addressOf(['till']),
      onClick: () => {
        if (isPaid) till.endSplit();
        till.clear();
      },
      ...(shortcut === undefined ? {} : { 'data-key': shortcut, 'aria-keyshortcuts': shortcut }),
    },
    t('new_payment'),
    shortcut !== undefined && h(Key, { name: shortcut }),
  );
}

/** The question; collapsed while tilld still asks the terminal. @param {{ payment: Payment }} props */
function Doubt({ payment }) {
  if (payment.needs_person) return h(Question, { payment });
  return h('details', { class: 'help' }, h('summary', {}, t('question_early')), h(Question, { payment }));
}

/** Title, indicators, and the two main sentences. @param {{ payment: Payment }} props */
function Outcome({ payment }) {
  const { payments } = useConsole().shop;
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  useEffect(() => heading.current?.focus(), []);
  const giving = payments.childrenOf(payment.id).filter(({ completed_at }) => completed_at === null);
  // The event of a new refund arrives before its sale is read again.
  const minor = giving.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const said = sentencesOf({ ...payment, giving_back_minor: Math.max(minor, payment.giving_back_minor) });
  const next = useNow(payment, said);
  const isEnded = payment.completed_at !== null;
  const amount = formatMoney(payment.amount_minor, payment.currency);
  return h(
    'section',
    { class: `card outcome outcome-${said.tone}`, 'data-outcome': said.key },
    h(
      'div',
      { class: 'outcome-head' },
      h('p', { class: 'outcome-kind' }, t(`type_${payment.type}`)),
      // Far from the button that cancels.
      !isEnded && h(NewPayment, { look: 'button-plain' }),
    ),
    h('p', { class: amount.length > 8 ? 'outcome-amount outcome-amount-long' : 'outcome-amount' }, amount),
    h(
      'div',
      { class: 'outcome-words', role: 'status', 'aria-live': 'assertive', 'aria-atomic': 'true' },
      h('h1', { ref: heading, tabIndex: -1 }, said.title),
      h('p', { class: 'outcome-charged' }, said.charged),
      said.beside.map((text) => h('p', { key: text }, text)),
      h('p', { class: 'outcome-now' }, h('strong', {}, t('now_do')), ' ', next),
    ),
    said.why !== null && h(Why, said.why),
    h(WithoutPower, { payment }),
    !isEnded && h(Steps, { payment }),
    h(Indicators, { payment }),
  );
}

/** A terminal that cannot be asked, because it is off: what a person can do about it. @param {{ payment: Payment }} props */
function WithoutPower({ payment }) {
  const { shop, live } = useConsole();
  const device = shop.status.value?.terminals.find(({ id }) => id === payment.device_id);
  const isOff = device && live.state.value !== 'lost' && standOfTerminal(device) === 'offline';
  if (!isOff || !payment.in_doubt) return null;
  return h('p', { class: 'note badge-bad', role: 'alert' }, t('doubt_offline', { name: device.name }));
}

/** Why it ended so; tilld's further text is English. @param {{ text: string, more: string }} props */
function Why({ text, more }) {
  return [
    text !== '' && h('p', { key: 'why', class: 'quiet' }, t('reason', { text })),
    more !== '' && h(EnglishText, { key: 'more', text: more }),
  ];
}

/** @param {{ payment: Payment }} props */
function Cancel({ payment }) {
  const { api, shop } = useConsole();
  const [problem, setProblem] = useState('');
  const isAsked = payment.cancel_requested_at !== null;
  const ask = async () => {
    try {
      const { data } = await api.post(`/v2/terminal-payments/${payment.id}/cancel`);
      shop.payments.heard(data);
      setProblem('');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(afterRefusal(error));
    }
  };
  return [
    h(
      'button',
      {
        key: 'cancel',
        type: 'button',
        class: 'button button-bad button-big',
        'data-takes': '',
        disabled: isAsked,
        onClick: ask,
      },
      isAsked ? t('cancel_asked') : t(payment.type === 'sale' ? 'cancel' : 'cancel_back'),
    ),
    h('p', { key: 'problem', class: 'problem', role: 'alert' }, problem),
  ];
}
