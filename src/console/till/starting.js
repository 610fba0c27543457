import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { formatAge } from '../words/time.js';
import { useTill } from './till.js';
import { refusedBy, sentence, t } from './words.js';

/** @import { ApiError } from '../app/api.js' */
/** @import { CreatePayment } from '../app/contract.js' */

/** A payment that is being started: without a response yet, failed, or never started. Empty otherwise. */
export function Starting() {
  const { taking } = useTill();
  const pending = taking.pending.value;
  const failed = taking.failed.value;
  if (pending) {
    if (!taking.unanswered.value) return null;
    return h(Notice, {
      tone: 'warn',
      title: `${sentence('sending_title')} · ${formatAge(pending.since, now.value)}`,
      charged: sentence('sending_charged'),
      todo: sentence('sending_now'),
    });
  }
  if (!failed) return null;
  if (failed.kind === 'refused') return h(Refused, failed);
  return h(Notice, {
    tone: 'plain',
    title: sentence('never_started_title'),
    charged: sentence('never_started_charged'),
    todo: sentence('never_started_now'),
  });
}

/** @param {{ error: ApiError, body: CreatePayment }} props */
function Refused({ error, body }) {
  const { taking } = useTill();
  const { payment_id: id } = error.details;
  const other = useOther(id);
  const { charged, now: todo } = refusedBy(error, { other, isGivingBack: false });
  const isFinal = ['payment_already_paid', 'invoice_already_paid'].includes(error.code);
  return h(
    Notice,
    { tone: 'bad', title: t('sorry'), charged, todo },
    typeof id === 'string' &&
      h(
        'div',
        { class: 'buttons' },
        h('a', { class: 'button', href: addressOf(['till', 'payment', id]) }, t('see_other')),
        isFinal &&
          h(
            'button',
            {
              type: 'button',
              class: 'button',
              'data-takes': '',
              onClick: () => taking.take({ ...body, after: id }),
            },
            t('after'),
          ),
      ),
  );
}

/**
 * The payment that blocks the request, as it is now.
 * @param {unknown} id
 */
function useOther(id) {
  const { payments } = useConsole().shop;
  const known = typeof id === 'string' ? payments.get(id) : undefined;
  useEffect(() => {
    if (typeof id === 'string') payments.read(id).catch(() => undefined);
  }, [id]);
  return known;
}

/**
 * @param {{ tone: string, title: string, charged: string, todo: string, children?: import('preact').ComponentChildren }} props
 */
function Notice({ tone, title, charged, todo, children }) {
  return h(
    'section',
    { class: `card told told-${tone}`, role: 'alert' },
    h('h2', {}, title),
    h('p', { class: 'told-charged' }, charged),
    h('p', {}, todo),
    children,
  );
}
