import { h } from 'preact';
import { useConsole } from '../app/console.js';

/**
 * The field `by` of a decision: who is signed in under a name decides under it; else the person says who it is.
 * @param {{ label: string, value?: string }} props
 */
export function DecidingPerson({ label, value = '' }) {
  const person = useConsole().session.current.value?.person ?? null;
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', {
      name: 'by',
      defaultValue: person?.name ?? value,
      readOnly: person !== null,
      maxLength: 200,
      required: true,
      autoComplete: 'off',
    }),
  );
}
