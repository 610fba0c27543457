import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { useAction } from '../parts/action.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { Payment, Reprint as Copy } from '../app/contract.js' */

/** A terminal that prints takes seconds; one that is asked first whether it is free may take a minute. */
const REPRINT_WITHIN_MS = 90_000;

/** Has the terminal repeat its last receipt for the person who compares, where it can and is free; it decides nothing. @param {{ payment: Payment }} props */
export function Reprint({ payment: { device_id } }) {
  const { api, shop } = useConsole();
  const till = useTill();
  const action = useAction();
  const [copy, setCopy] = useState(/** @type {Copy | null} */ (null));
  const device = shop.status.value?.terminals.find(({ id }) => id === device_id);
  const canRepeat = device?.capabilities['reprint'] === true && device.status === 'ready';
  const repeat = () =>
    action.run(async () => {
      setCopy(null);
      const path = `/v2/terminal-devices/${device_id}/reprint`;
      setCopy((await api.post(path, undefined, { withinMs: REPRINT_WITHIN_MS })).data);
    });
  if (!canRepeat && copy === null) return null;
  return h(
    'div',
    { class: 'stack-small', 'data-reprint': copy?.result },
    canRepeat &&
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', class: 'button', 'aria-disabled': action.busy, onClick: () => void repeat() },
          t(action.busy ? 'question_reprint_busy' : 'question_reprint'),
        ),
      ),
    h('p', { class: 'problem', role: 'alert' }, action.problem),
    h(
      'div',
      { role: 'status' },
      copy && h('p', {}, t(`question_reprint_${copy.result}`, { name: till.nameOf(device_id) })),
    ),
    copy?.text &&
      h(
        'figure',
        { class: 'receipt' },
        h('pre', { tabIndex: 0, 'aria-label': t('question_reprint_receipt') }, copy.text),
      ),
  );
}
