/**
 * Puts the keyboard into the first thing that is still to be filled in: a choice, or a text.
 * @param {HTMLFormElement} form
 */
export function focusFirstEmpty(form) {
  const inputs = [...form.elements].filter((element) => element instanceof HTMLInputElement);
  const isChosen = inputs.some(({ type, checked }) => type === 'radio' && checked);
  inputs.find(({ type, value }) => (type === 'radio' ? !isChosen : value.trim() === ''))?.focus();
}
