import { useEffect, useRef } from 'preact/hooks';
import { SCAN_FIRST_KEY } from '../parts/amount-field.js';
import { TypingSpeed } from './typing-speed.js';
import { textFieldOf } from './use-scanner.js';

/** What starts or cancels a payment: Enter in these fields, Enter or the space bar on these buttons. */
const TAKES = 'button[data-takes], form[data-takes] input';
/** Where Enter has a meaning of its own. */
const HAS_ENTER = 'a, button, summary, select, textarea';

/**
 * The keys of the till: digits typed anywhere go to the amount, Enter takes, Escape clears, and the keys that buttons show press them (`data-key`).
 *
 * INVARIANTS:
 * - no key starts a payment unless a person pressed it (`TypingSpeed`); the first Enter of a scanner moves the focus to the button at most;
 * - keys of a text field, of a dialog, and those with Ctrl, Alt or Meta keep their meaning.
 * @param {{ clear: () => void, hurried: () => void }} then `hurried`: a key that takes money came too fast
 */
export function useTillKeys(then) {
  const latest = useRef(then);
  latest.current = then;
  useEffect(() => {
    const keys = new TillKeys({
      clear: () => latest.current.clear(),
      hurried: () => latest.current.hurried(),
    });
    window.addEventListener('keydown', keys.press, { capture: true });
    window.addEventListener('keyup', keys.release, { capture: true });
    return () => {
      window.removeEventListener('keydown', keys.press, { capture: true });
      window.removeEventListener('keyup', keys.release, { capture: true });
    };
  }, []);
}

class TillKeys {
  #typing = new TypingSpeed();
  #then;
  /** Firefox presses a button with the space bar's way up. */
  #isSpaceDropped = false;

  /** @param {{ clear: () => void, hurried: () => void }} then */
  constructor(then) {
    this.#then = then;
  }

  /** @param {KeyboardEvent} event */
  press = (event) => {
    const { key, timeStamp: at, repeat: isHeld, target } = event;
    const mayTake = this.#typing.press({ key, at, isHeld });
    this.#isSpaceDropped = false;
    if (event.ctrlKey || event.altKey || event.metaKey || !(target instanceof Element)) return;
    if ((key === 'Enter' || key === ' ') && target.matches(TAKES)) {
      const isText = key === ' ' && textFieldOf(target) !== null;
      if (!mayTake && !isText) this.#drop(event);
    } else if (document.querySelector('dialog[open]') === null) this.#own(event, target, mayTake);
  };

  /** @param {KeyboardEvent} event */
  release = (event) => {
    if (event.key === ' ' && this.#isSpaceDropped) event.preventDefault();
  };

  /** @param {KeyboardEvent} event @param {Element} target @param {boolean} mayTake */
  #own(event, target, mayTake) {
    const { key } = event;
    const amount = amountField();
    const isInText = textFieldOf(target) !== null || target.matches('select');
    if (key === 'Escape' && amount && target.closest('details') === null) return this.#then.clear();
    if (isInText) return;
    if (key === 'Enter' && !target.matches(HAS_ENTER)) return this.#enter(event, mayTake);
    if (amount && (key === 'Backspace' || (/^[\d.,]$/.test(key) && this.#typing.isAmount))) focusOn(amount);
    else if (/^F\d+$/.test(key)) this.#shown(event, mayTake);
  }

  /** Takes what is typed, or goes on to the next sale. @param {KeyboardEvent} event @param {boolean} mayTake */
  #enter(event, mayTake) {
    const form = amountField()?.form;
    if (!form) return this.#shown(event, mayTake);
    if (!mayTake) return this.#drop(event);
    event.preventDefault();
    form.requestSubmit();
  }

  /** Presses the button that shows this key. @param {KeyboardEvent} event @param {boolean} mayTake */
  #shown(event, mayTake) {
    const button = document.querySelector(`[data-key="${event.key}"]`);
    if (!(button instanceof HTMLElement)) return;
    event.preventDefault();
    if (mayTake) button.click();
  }

  /** @param {KeyboardEvent} event */
  #drop(event) {
    event.preventDefault();
    this.#isSpaceDropped = event.key === ' ';
    this.#then.hurried();
  }
}

/** @returns {HTMLInputElement | null} null: another view */
function amountField() {
  return document.querySelector('form.pad input.amount');
}

/** The key itself arrives in the field, at the end of what is there. @param {HTMLInputElement} field */
function focusOn(field) {
  field.focus();
  field.dispatchEvent(new CustomEvent(SCAN_FIRST_KEY));
  const isWhole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
  if (!isWhole) field.setSelectionRange(field.value.length, field.value.length);
}
