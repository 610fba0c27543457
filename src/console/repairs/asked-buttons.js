import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { addressOf } from '../app/router.js';
import { t as app } from '../app/words.js';
import { Adopt } from '../ops/terminals.js';
import { Confirm } from '../parts/confirm.js';
import { t } from './words.js';

/** @import { Task } from '../app/contract.js' */
/** @typedef {Task & { readonly asked: NonNullable<Task['asked']> }} AskedTask */
/** @typedef {'end_of_day' | 'retry_report' | 'drop_report'} Performed */

/** @type {readonly string[]} */
const PERFORMED = /** @satisfies {readonly Performed[]} */ (['end_of_day', 'retry_report', 'drop_report']);

/** @param {string} command @returns {command is Performed} */
function isPerformed(command) {
  return PERFORMED.includes(command);
}

/** @param {Task} task @returns {task is AskedTask} */
export function isAsked(task) {
  return Boolean(task.asked);
}

/** What an operator of the fleet asks for: the person does it, or declines it. @param {{ task: AskedTask }} props */
export function AskedButtons({ task }) {
  const { session } = useConsole();
  const [asking, setAsking] = useState(/** @type {'perform' | 'decline' | null} */ (null));
  const { command, role, begun_by: begunBy } = task.asked;
  const close = () => setAsking(null);
  if (begunBy !== null) return null;
  if (!session.isAtLeast(role)) return h('p', { class: 'quiet' }, t('who', { role: app(`role_${role}`) }));
  /** @param {string} label @param {'perform' | 'decline'} what @param {string} look */
  const ask = (label, what, look) =>
    h('button', { type: 'button', class: look, onClick: () => setAsking(what) }, label);
  return h(
    'div',
    { class: 'buttons' },
    task.payment_id !== null &&
      h(
        'a',
        { class: 'button button-main', href: addressOf(['till', 'payment', task.payment_id]) },
        t('open_question'),
      ),
    command === 'adopt' && ask(t('adopt'), 'perform', 'button button-main'),
    isPerformed(command) && ask(t(`asked_${command}`), 'perform', 'button button-main'),
    ask(t('asked_decline'), 'decline', 'button'),
    asking === 'perform' && h(Perform, { task, close }),
    asking === 'decline' && h(Decline, { task, close }),
  );
}

/** @param {{ task: AskedTask, close: () => void }} props */
function Perform({ task, close }) {
  const { api, shop } = useConsole();
  const { command } = task.asked;
  const path = `/v2/terminal-tasks/${task.id}/perform`;
  const terminal = shop.status.value?.terminals.find(({ id }) => id === task.device_id);
  if (command === 'adopt') return terminal ? h(Adopt, { device: terminal, path, close }) : null;
  if (!isPerformed(command)) return null;
  const reason = command === 'drop_report' ? [{ name: 'reason', label: t('asked_why') }] : [];
  return h(
    Confirm,
    {
      title: t(`asked_${command}`),
      label: t(`asked_${command}`),
      isBad: command === 'drop_report',
      fields: [...reason, { name: 'by', label: t('your_name') }],
      work: async (given) => {
        await api.post(path, given);
        await shop.look({ tasks: true });
      },
      close,
    },
    h('p', {}, terminal?.name ?? ''),
  );
}

/** @param {{ task: AskedTask, close: () => void }} props */
function Decline({ task, close }) {
  const { api, shop } = useConsole();
  return h(Confirm, {
    title: t('asked_decline_title'),
    label: t('asked_decline_submit'),
    fields: [
      { name: 'reason', label: t('asked_decline_reason') },
      { name: 'by', label: t('your_name') },
    ],
    work: async ({ by, reason }) => {
      await api.post(`/v2/terminal-tasks/${task.id}/decline`, { by, reason });
      await shop.look({ tasks: true });
    },
    close,
  });
}
