import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../app/api.js';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { t as app } from '../app/words.js';
import { DecidingPerson } from '../parts/deciding-person.js';
import { Dialog } from '../parts/dialog.js';
import { EnglishText } from '../parts/english-text.js';
import { focusFirstEmpty } from '../parts/first-empty.js';
import { AskedButtons, isAsked } from '../repairs/asked-buttons.js';
import { t as repairs } from '../repairs/words.js';
import { formatAge, formatMoment } from '../words/time.js';
import { openQuestions } from './open-questions.js';
import { PaymentRow } from './payment-row.js';
import { useTill } from './till.js';
import { foldedTasks } from './waiting-tasks.js';
import { afterRefusal, askedBy, t } from './words.js';

/** @import { Task } from '../app/contract.js' */

/** Everything that waits for a person: open questions first, then tasks. */
export function Tasks() {
  const { shop } = useConsole();
  const { tasks } = shop;
  const questions = openQuestions(shop);
  const isEmpty = questions.length === 0 && tasks.value.length === 0;
  const { refused, single } = foldedTasks(tasks.value);
  return h(
    'div',
    { class: 'tasks' },
    h('h1', {}, t('tasks_title')),
    isEmpty && h('p', { class: 'card quiet' }, t('tasks_empty')),
    questions.length > 0 &&
      h(
        'section',
        { class: 'card' },
        h('h2', {}, t('tasks_questions')),
        h(
          'ul',
          { class: 'rows' },
          questions.map(({ id }) => h('li', { key: id }, h(PaymentRow, { id }))),
        ),
      ),
    refused.length > 1 && h(RefusedTasks, { count: refused.length }),
    single.map((task) => h(TaskCard, { key: task.id, task, isLinked: true })),
  );
}

/** Many refused reports are one thing to do: the list of what is wrong has them by cause. @param {{ count: number }} props */
function RefusedTasks({ count }) {
  return h(
    'article',
    { class: 'card told told-warn', 'data-task': 'refused_reports' },
    h('p', { class: 'task-words' }, repairs('refused', { count })),
    h('p', {}, repairs('refused_words')),
    h(
      'div',
      { class: 'buttons' },
      h('a', { class: 'button', href: addressOf(['repairs']) }, repairs('open_list')),
    ),
  );
}

/** The request of a task, by its payment as it is now. @param {Task} task */
function useAsked(task) {
  const { payments } = useConsole().shop;
  const id = task.payment_id;
  const payment = id === null ? undefined : payments.get(id);
  useEffect(() => {
    if (id !== null && !payment) payments.read(id).catch(() => undefined);
  }, [id]);
  return askedBy(task, payment);
}

/** @param {{ task: Task, isLinked?: boolean }} props */
export function TaskCard({ task, isLinked = false }) {
  const till = useTill();
  const [isClosing, setClosing] = useState(false);
  const isListed = task.kind === 'offline_approval';
  // The one ends with the answer, the other when the terminal is adopted.
  const isEndedElsewhere = ['terminal_replaced', 'terminal_not_believed'].includes(task.kind);
  const { what, charged, now: next } = useAsked(task);
  const where = task.device_id === null ? '' : `${till.nameOf(task.device_id)} · `;
  return h(
    'article',
    { class: `card told told-${isListed ? 'calm' : 'warn'}`, 'data-task': task.kind },
    h('p', { class: 'task-words' }, what),
    charged !== '' && h('p', { class: 'told-charged' }, charged),
    h('p', {}, next),
    h(
      'p',
      { class: 'quiet' },
      where,
      isListed ? t('task_listed') : t('task_since', { age: formatAge(task.created_at, now.value) }),
      isAsked(task) && ` · ${t('task_until', { moment: formatMoment(task.asked.expires_at, now.value) })}`,
    ),
    h(EnglishText, { text: task.message }),
    isAsked(task)
      ? h(AskedButtons, { task })
      : h(
          'div',
          { class: 'buttons' },
          isLinked &&
            task.payment_id !== null &&
            h(
              'a',
              { class: 'button', href: addressOf(['till', 'payment', task.payment_id]) },
              t('task_about'),
            ),
          !isListed &&
            !isEndedElsewhere &&
            h('button', { type: 'button', class: 'button', onClick: () => setClosing(true) }, t('task_done')),
        ),
    isClosing && h(Closing, { task, close: () => setClosing(false) }),
  );
}

/** @param {{ task: Task, close: () => void }} props */
function Closing({ task, close }) {
  const { api, shop } = useConsole();
  const till = useTill();
  const { what, now: next } = useAsked(task);
  const [problem, setProblem] = useState('');

  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const finish = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    const by = String(typed.get('by') ?? '').trim();
    const note = String(typed.get('note') ?? '').trim();
    if (by === '' || note === '') {
      focusFirstEmpty(form);
      return setProblem(t('question_missing'));
    }
    till.remember(by);
    try {
      await api.post(`/v2/terminal-tasks/${task.id}/done`, { by, note });
      close();
      await shop.look({ tasks: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(afterRefusal(error));
    }
  };
  return h(
    Dialog,
    { title: t('task_done_title'), close },
    h(
      'form',
      { class: 'answer', onSubmit: finish, noValidate: true },
      h('p', {}, [what, next].join(' ')),
      h(
        'label',
        { class: 'field' },
        h('span', {}, t('task_done_note')),
        h('input', { name: 'note', maxLength: 200, autoComplete: 'off' }),
      ),
      h(DecidingPerson, { label: t('question_by'), value: till.name }),
      h('p', { class: 'problem', role: 'alert' }, problem),
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'submit', class: 'button button-main' }, t('task_done_submit')),
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onClick: (/** @type {Event & { currentTarget: HTMLElement }} */ { currentTarget }) =>
              currentTarget.closest('dialog')?.close(),
          },
          app('cancel'),
        ),
      ),
    ),
  );
}
