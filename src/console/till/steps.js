import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { formatAge } from '../words/time.js';
import { t } from './words.js';

/** @import { Payment } from '../app/contract.js' */

/** The step of a running payment, the time since then, and the terminal's display. @param {{ payment: Payment }} props */
export function Steps({ payment }) {
  const { payments, status } = useConsole().shop;
  const note = payments.progress.value[payment.id];
  const at = stepOf(payment);
  const isWithPerson = payment.in_doubt && payment.needs_person;
  const names = /** @type {const} */ ([
    'step_sent',
    'step_waiting',
    isWithPerson ? 'step_person' : payment.in_doubt ? 'step_checking' : 'step_terminal',
    'step_done',
  ]);
  const since = payment.in_doubt_since ?? payments.sinceOf(payment);
  // The terminal's text from before the line broke is outdated.
  const text = isWithPerson ? null : (note?.text ?? payment.progress);
  const device = status.value?.terminals.find(({ id }) => id === payment.device_id);
  const isTipAsked = device?.tip === 'ask' && payment.type === 'sale' && !payment.in_doubt && at === 2;
  return h(
    'div',
    { class: 'progress' },
    text !== null &&
      text !== undefined &&
      h('p', { class: 'terminal-text', role: 'status', 'data-progress': '' }, t('terminal_says', { text })),
    isTipAsked && h('p', { class: 'quiet', 'data-tip': '' }, t('tip_is_asked')),
    h(
      'ol',
      { class: 'steps', 'aria-label': t('steps') },
      names.map((name, index) =>
        h(
          'li',
          {
            key: name,
            class: index < at ? 'step step-done' : index === at ? 'step step-now' : 'step',
            'aria-current': index === at ? 'step' : undefined,
          },
          h('span', { class: 'step-sign', 'aria-hidden': 'true' }, index < at ? '✓' : String(index + 1)),
          h(
            'span',
            {},
            t(name),
            index === at &&
              h('span', { class: 'quiet' }, ' ', t('step_for', { age: formatAge(since, now.value) })),
          ),
        ),
      ),
    ),
  );
}

/**
 * The step of a payment: 1 in the queue, 2 at the terminal.
 * @param {Payment} payment
 */
function stepOf({ status }) {
  return status === 'requested' ? 1 : 2;
}
