import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { addressOf } from '../app/router.js';
import { Adopt } from '../ops/terminals.js';
import { useAction } from '../parts/action.js';
import { Confirm } from '../parts/confirm.js';
import { AskedButtons, isAsked } from './asked-buttons.js';
import { areaOf } from './finding-area.js';
import { retryAll } from './refused-reports.js';
import { t } from './words.js';

/** @import { ComponentChildren } from 'preact' */
/** @import { Repair } from './repairs.js' */

/** The button that mends it, and the place that shows more of it. @param {{ repair: Repair, again: () => void }} props */
export function RepairButtons({ repair, again }) {
  switch (repair.kind) {
    case 'doubt':
      return h(Place, {
        path: ['till', 'payment', repair.payment.id],
        label: t('open_question'),
        isMain: true,
      });
    case 'task':
      return isAsked(repair.task)
        ? h(AskedButtons, { task: repair.task })
        : h(TaskButtons, { task: repair.task, again });
    case 'refused':
      return h(RefusedButtons, { refused: repair.refused, again });
    case 'terminal':
      return h(TerminalButtons, { device: repair.device });
    case 'integration':
    case 'stream':
    case 'on_hold':
      return h(SyncButtons, { repair, again });
    case 'recipe':
      return h(Place, { path: ['ops', 'integrations', repair.provider], label: t('open_integration') });
    case 'service':
      return h(Place, { path: ['ops', 'overview'], label: t('open_connection') });
    case 'state':
      return h(Place, { path: ['ops', 'doctor'], label: t('open_doctor') });
    case 'finding': {
      const { place } = areaOf(repair.finding.id);
      return h(Place, {
        path: place ?? ['ops', 'doctor'],
        label: t(place === null ? 'open_doctor' : 'open_place'),
      });
    }
  }
}

/** @param {{ path: readonly string[], label: string, isMain?: boolean }} props */
function Place({ path, label, isMain = false }) {
  return h(
    'div',
    { class: 'buttons' },
    h('a', { class: isMain ? 'button button-main' : 'button', href: addressOf(path) }, label),
  );
}

/**
 * A button that does it at once; the list is read again afterwards.
 * @param {{ label: string, work: () => Promise<unknown>, again: () => void, isMain?: boolean, children?: ComponentChildren }} props
 */
function Act({ label, work, again, isMain = true, children }) {
  const action = useAction();
  return h(
    'div',
    { class: 'stack-small' },
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        {
          type: 'button',
          class: isMain ? 'button button-main' : 'button',
          'aria-disabled': action.busy,
          onClick: () => void action.run(work).then(again),
        },
        label,
      ),
      children,
    ),
    h('p', { class: 'problem', role: 'alert' }, action.problem),
  );
}

/** Tasks that end elsewhere have no button of their own: with an answer, or when the terminal is adopted. */
const ENDED_ELSEWHERE = ['terminal_replaced', 'terminal_not_believed'];

/** @param {{ task: Extract<Repair, { kind: 'task' }>['task'], again: () => void }} props */
function TaskButtons({ task, again }) {
  const { api, shop } = useConsole();
  const [asking, setAsking] = useState(/** @type {'done' | 'adopt' | null} */ (null));
  const { kind, id, payment_id: payment, device_id: device } = task;
  const terminal = shop.status.value?.terminals.find((one) => one.id === device);
  const close = () => setAsking(null);
  /** @param {string} label @param {'done' | 'adopt'} what */
  const ask = (label, what) =>
    h('button', { type: 'button', class: 'button button-main', onClick: () => setAsking(what) }, label);
  return h(
    'div',
    { class: 'buttons' },
    !ENDED_ELSEWHERE.includes(kind) && ask(t('task_done'), 'done'),
    kind === 'terminal_not_believed' && terminal && ask(t('adopt'), 'adopt'),
    payment !== null &&
      h(
        'a',
        {
          class: kind === 'terminal_replaced' ? 'button button-main' : 'button',
          href: addressOf(['till', 'payment', payment]),
        },
        t(kind === 'terminal_replaced' ? 'open_question' : 'open_payment'),
      ),
    asking === 'adopt' && terminal && h(Adopt, { device: terminal, close }),
    asking === 'done' &&
      h(Confirm, {
        title: t('task_done_title'),
        label: t('task_done_submit'),
        fields: [
          { name: 'note', label: t('task_note') },
          { name: 'by', label: t('your_name') },
        ],
        work: async ({ by, note }) => {
          await api.post(`/v2/terminal-tasks/${id}/done`, { by, note });
          again();
        },
        close,
      }),
  );
}

/** @param {{ refused: Extract<Repair, { kind: 'refused' }>['refused'], again: () => void }} props */
function RefusedButtons({ refused: { reports }, again }) {
  const { api } = useConsole();
  const work = () => retryAll(api, reports);
  const label = t('retry', { count: reports.length });
  return h(
    Act,
    { label, work, again },
    h('a', { class: 'button', href: addressOf(['ops', 'outbox']) }, t('open_reports')),
  );
}

/** @param {{ device: Extract<Repair, { kind: 'terminal' }>['device'] }} props */
function TerminalButtons({ device }) {
  const { session } = useConsole();
  const [isAdopting, setAdopting] = useState(false);
  if (device.status !== 'wrong_terminal')
    return session.isAtLeast('lead')
      ? h(Place, { path: ['ops', 'overview'], label: t('open_terminals') })
      : null;
  return h(
    'div',
    { class: 'buttons' },
    h(
      'button',
      { type: 'button', class: 'button button-main', onClick: () => setAdopting(true) },
      t('adopt'),
    ),
    isAdopting && h(Adopt, { device, close: () => setAdopting(false) }),
  );
}

/** @param {{ repair: Extract<Repair, { kind: 'integration' | 'stream' | 'on_hold' }>, again: () => void }} props */
function SyncButtons({ repair, again }) {
  const { api } = useConsole();
  const { provider } = repair;
  const path = `/v2/integrations/${encodeURIComponent(provider)}`;
  const place = ['ops', 'integrations', provider];
  const more = h('a', { class: 'button', href: addressOf(place) }, t('open_integration'));
  // What they wait for is there; a retry helps once that has changed.
  if (repair.kind === 'on_hold')
    return h(
      Act,
      {
        label: t('retry_on_hold', { count: repair.count }),
        isMain: false,
        work: () => api.post(`${path}/parked/retry`, {}),
        again,
      },
      h('a', { class: 'button button-main', href: addressOf(place) }, t('open_integration')),
    );
  if (repair.kind === 'integration') {
    if (repair.paused === 'errors')
      return h(Act, { label: t('resume'), work: () => api.post(`${path}/resume-sync`), again }, more);
    const label = repair.paused === 'credentials' ? 'replace_credential' : 'open_integration';
    return h(Place, { path: place, label: t(label), isMain: true });
  }
  if (repair.state === 'held') return h(Place, { path: place, label: t('decide_deletions'), isMain: true });
  const body = { resource: repair.resource };
  return h(Act, { label: t('sync_now'), work: () => api.post(`${path}/sync`, body), again }, more);
}
