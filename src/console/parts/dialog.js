import { h } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../app/words.js';

/** @import { ComponentChildren } from 'preact' */

/**
 * A modal dialog: the browser keeps the focus inside, Escape closes it, and the focus returns to its previous place.
 * @param {{ title: string, close: () => void, children?: ComponentChildren }} props
 */
export function Dialog({ title, close, children }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return h(
    'dialog',
    { ref: element, 'aria-labelledby': id, onClose: close },
    h(
      'div',
      { class: 'dialog' },
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', { id }, title),
        h(
          'button',
          {
            type: 'button',
            class: 'button button-icon',
            'aria-label': t('close'),
            onClick: () => element.current?.close(),
          },
          '✕',
        ),
      ),
      children,
    ),
  );
}
