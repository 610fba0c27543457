/**
 * Where the element that had the focus is gone, as a card is that was decided, the content gets it: a keyboard and a screen reader go on there
 * instead of at the top of the document.
 * @param {HTMLElement} content
 * @returns {() => void} ends it
 */
export function keepFocus(content) {
  /** @type {EventTarget | null} */
  let last = null;
  const remember = (/** @type {FocusEvent} */ { target }) => {
    last = target;
  };
  const observer = new MutationObserver(() => {
    const isLost = document.activeElement === document.body && last instanceof Node && !last.isConnected;
    if (isLost) content.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', remember);
  observer.observe(content, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}
