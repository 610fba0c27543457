import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '../app/words.js';
import { useAction } from './action.js';
import { DecidingPerson } from './deciding-person.js';
import { Dialog } from './dialog.js';

/** @import { ComponentChildren } from 'preact' */
/** @typedef {{ name: string, label: string, type?: string, optional?: boolean, value?: string, min?: number, max?: number, check?: (text: string) => string }} Field `value`: what it holds at first; `check`: why a text is refused, empty: it is not */

/**
 * Asks for confirmation of an irreversible action, and for its required fields; `by` is who decides. It closes after success, and stays open with the
 * reason after an error.
 * @param {object} props
 * @param {string} props.title
 * @param {string} props.label of the button that does it
 * @param {boolean} [props.isBad] it takes something away
 * @param {readonly Field[]} [props.fields]
 * @param {(values: Record<string, string>) => Promise<unknown>} props.work
 * @param {() => void} props.close
 * @param {ComponentChildren} [props.children]
 */
export function Confirm({ title, label, isBad = false, fields = [], work, close, children }) {
  const action = useAction();
  const [problem, setProblem] = useState('');
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const end = () => form.current?.closest('dialog')?.close();
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    const given = new FormData(form.current ?? undefined);
    const values = Object.fromEntries(fields.map(({ name }) => [name, String(given.get(name) ?? '').trim()]));
    const problems = fields.map(({ name, check }) => check?.(values[name] ?? '') ?? '');
    setProblem(problems.find((text) => text !== '') ?? '');
    if (problems.every((text) => text === '') && (await action.run(() => work(values)))) end();
  };
  return h(
    Dialog,
    { title, close },
    h(
      'form',
      { ref: form, class: 'stack', onSubmit: submit },
      children,
      fields.map((field) =>
        field.name === 'by'
          ? h(DecidingPerson, { key: 'by', label: field.label })
          : h(FieldOf, { key: field.name, field }),
      ),
      h('p', { class: 'problem', role: 'alert' }, problem || action.problem),
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          {
            type: 'submit',
            class: isBad ? 'button button-bad' : 'button button-main',
            'aria-disabled': action.busy,
          },
          label,
        ),
        h('button', { type: 'button', class: 'button', onClick: end }, t('cancel')),
      ),
    ),
  );
}

/** @param {{ field: Field }} props */
function FieldOf({ field: { name, label, type = 'text', optional = false, value, min, max } }) {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', {
      ...{ name, type, min, max, maxLength: 512, required: !optional, autoComplete: 'off' },
      defaultValue: value,
    }),
  );
}
