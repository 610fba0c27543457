import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * The search of a dialog. `enter` gets the text of the field as it is: a scanner types faster than a page is rendered.
 * @param {{ label: string, text: string, type: (text: string) => void, enter: (text: string) => void }} props
 */
export function SearchField({ label, text, type, enter }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return h(
    'form',
    {
      role: 'search',
      'aria-label': label,
      onSubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        enter(field.current?.value ?? '');
        field.current?.select();
      },
    },
    h(
      'label',
      { class: 'field' },
      h('span', {}, label),
      h('input', {
        ref: field,
        type: 'search',
        maxlength: 200,
        autofocus: true,
        autoComplete: 'off',
        spellcheck: false,
        value: text,
        onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) =>
          type(event.currentTarget.value),
      }),
    ),
  );
}
