import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { addressOf } from '../app/router.js';
import { Counter } from './counter.js';
import { History } from './history.js';
import { PaymentView } from './payment-view.js';
import { useTillScans } from './scanned-invoice.js';
import { Tasks } from './tasks.js';
import { Till, TillProvider } from './till.js';
import { useTillKeys } from './use-till-keys.js';
import { waitingCount } from './waiting-tasks.js';
import { t } from './words.js';

/** The page of staff: taking payments, their outcomes, and open tasks. */
export function Page() {
  const app = useConsole();
  const [till] = useState(() => new Till(app));
  useTillScans(till);
  useSearchKey(till);
  useTillKeys({ clear: () => till.clear(), hurried: () => hurried(till) });
  const [, view = 'take', id] = app.router.path.value;
  return h(
    TillProvider,
    { value: till },
    h('div', { class: 'till' }, h(Views, { view }), h(View, { view, id })),
  );
}

/** F3 goes to the search of the history, as in other programs of a counter. @param {Till} till */
function useSearchKey(till) {
  const { router } = useConsole();
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'F3' || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') !== null) return;
      const field = document.querySelector('.history-search input');
      if (field instanceof HTMLInputElement) {
        field.focus();
        field.select();
        return;
      }
      // The next digits are no part of an amount.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      till.isSearchCalled = true;
      router.go(['till', 'history']);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/** The first Enter may be a scanner's: the second one is pressed at the button. @param {Till} till */
function hurried(till) {
  if (document.querySelector('dialog[open]')) return;
  till.isHurried.value = true;
  const button = document.querySelector('form.pad button[type=submit]');
  if (button instanceof HTMLElement) button.focus();
}

/** @param {{ view: string, id: string | undefined }} props */
function View({ view, id }) {
  if (view === 'history') return h(History, {});
  if (view === 'tasks') return h(Tasks, {});
  if (view === 'payment' && id !== undefined) return h(PaymentView, { key: id, id });
  return h(Counter, {});
}

/** @param {{ view: string }} props */
function Views({ view }) {
  const { shop } = useConsole();
  const count = waitingCount(shop);
  const views = /** @type {const} */ ([
    ['take', t('view_take')],
    ['history', t('view_history')],
    ['tasks', count === 0 ? t('view_tasks') : t('view_tasks_count', { count })],
  ]);
  const current = view === 'payment' ? 'take' : view;
  return h(
    'nav',
    { class: 'views', 'aria-label': t('views') },
    views.map(([name, label]) =>
      h(
        'a',
        {
          key: name,
          href: addressOf(name === 'take' ? ['till'] : ['till', name]),
          class: name === 'tasks' && count > 0 ? 'view-wants' : undefined,
          'aria-current': name === current ? 'page' : undefined,
        },
        label,
      ),
    ),
  );
}
