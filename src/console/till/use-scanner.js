import { useEffect, useRef } from 'preact/hooks';
import { SCAN_FIRST_KEY, SCAN_TAKEN_OUT } from '../parts/amount-field.js';
import { ScanDetector } from './scan-detector.js';

/** A key at the end of a scan that comes so soon is the scanner's, also where the focus has moved since. */
const SAME_SCANNER_MS = 50;
const NO_TEXT = ['button', 'checkbox', 'radio', 'range', 'reset', 'submit'];

/**
 * Calls `scanned` with what a scanner has read anywhere on the page.
 *
 * INVARIANTS:
 * - the keys at the end of a scan press no button, submit no form and move no focus; only a search gets its Enter, because it takes scans by itself;
 * - an amount has no scanned digits: its field gets back what it had before;
 * - other text fields keep what was scanned into them, and `scanned` is not called.
 * @param {(text: string) => void} scanned
 */
export function useScanner(scanned) {
  const latest = useRef(scanned);
  latest.current = scanned;
  useEffect(() => {
    const scanner = new Scanner((text) => latest.current(text));
    const press = (/** @type {KeyboardEvent} */ event) => scanner.press(event);
    window.addEventListener('keydown', press, { capture: true });
    return () => {
      scanner.stop();
      window.removeEventListener('keydown', press, { capture: true });
    };
  }, []);
}

/** Hears every key before the page does. */
class Scanner {
  #detector = new ScanDetector();
  #scanned;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  /** Where and when the last scan ended. */
  #end = { target: /** @type {EventTarget | null} */ (null), at: 0 };

  /** @param {(text: string) => void} scanned */
  constructor(scanned) {
    this.#scanned = scanned;
  }

  stop() {
    clearTimeout(this.#pause);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    this.stop();
    const judged = this.#detector.press(keyOf(event));
    const { target, timeStamp: at } = event;
    switch (judged.kind) {
      case 'first':
        textFieldOf(target)?.dispatchEvent(new CustomEvent(SCAN_FIRST_KEY));
        return this.#awaitPause(target);
      case 'more':
        // A space presses the focused button.
        if (event.key === ' ' && textFieldOf(target) === null) swallow(event);
        return this.#awaitPause(target);
      case 'scan':
        if (!isSearch(target)) swallow(event);
        return this.#take(judged.text, target, at);
      case 'echo':
        if (target === this.#end.target || at - this.#end.at <= SAME_SCANNER_MS) swallow(event);
    }
  }

  /** @param {EventTarget | null} target */
  #awaitPause(target) {
    this.#pause = setTimeout(() => {
      const text = this.#detector.pause();
      if (text !== null) this.#take(text, target, performance.now());
    }, this.#detector.pauseMs);
  }

  /** @param {string} text @param {EventTarget | null} target @param {number} at */
  #take(text, target, at) {
    this.#end = { target, at };
    const field = textFieldOf(target);
    if (field !== null && !isAmount(field)) return;
    field?.dispatchEvent(new CustomEvent(SCAN_TAKEN_OUT));
    this.#scanned(text);
  }
}

/** @param {KeyboardEvent} event */
function keyOf(event) {
  const isAltGraph = event.getModifierState('AltGraph');
  return {
    key: event.key,
    at: event.timeStamp,
    isHeld: event.repeat,
    isChord: !isAltGraph && (event.ctrlKey || event.altKey || event.metaKey),
    isBackward: event.shiftKey,
  };
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} null: what is typed there is no text */
export function textFieldOf(target) {
  if (target instanceof HTMLInputElement) return NO_TEXT.includes(target.type) ? null : target;
  if (target instanceof HTMLTextAreaElement) return target;
  return target instanceof HTMLElement && target.isContentEditable ? target : null;
}

/** @param {HTMLElement} field */
function isAmount(field) {
  return field.classList.contains('amount');
}

/** @param {EventTarget | null} target */
function isSearch(target) {
  return target instanceof HTMLInputElement && target.type === 'search';
}

/** @param {Event} event */
function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
