import { element } from './element.js';

/**
 * Asks once more before what cannot be taken back. The keyboard begins at the button that does nothing; Escape is the same.
 * @param {HTMLElement} view where it belongs: it goes with it
 * @param {{ readonly heading: string, readonly words: string, readonly yes: string, readonly no: string }} texts
 * @returns {Promise<boolean>}
 */
export function confirm(view, { heading, words, yes, no }) {
  return new Promise((resolve) => {
    const closed = () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    };
    const dialog = element(
      'dialog',
      {
        class: 'card',
        'aria-labelledby': 'confirm-heading',
        'aria-describedby': 'confirm-words',
        onclose: closed,
      },
      element('h2', { id: 'confirm-heading' }, heading),
      element('p', { id: 'confirm-words' }, words),
      element(
        'form',
        { method: 'dialog', class: 'actions' },
        element('button', { class: 'button', value: 'no', autofocus: true }, no),
        element('button', { class: 'button button-bad', value: 'yes' }, yes),
      ),
    );
    view.append(dialog);
    dialog.showModal();
  });
}
