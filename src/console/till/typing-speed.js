/** Without any key before one that takes money: scanners send the key at their end as fast as the others. */
const QUIET_MS = 200;
/** Between two characters on average, at least: whatever is faster may be a scanner, or a person in a hurry. */
const BY_HAND_MS = 120;
/** A pause that no scanner makes within a code. */
const PAUSE_MS = 1_000;
/** Keys that a scanner or a keyboard layout sends between characters. */
const BETWEEN = ['Shift', 'CapsLock', 'AltGraph', 'Dead', 'Unidentified', 'Process'];

/**
 * Whether a key was pressed by a person. A scanner that is slower than `ScanDetector` expects looks like a person to it, and it sends Enter: no such
 * Enter may start a payment, however fast or slow the scanner is set. A person in doubt presses Enter once more.
 */
export class TypingSpeed {
  #count = 0;
  #since = 0;
  #last = Number.NEGATIVE_INFINITY;
  #isDigits = true;

  /**
   * @param {{ key: string, at: number, isHeld?: boolean }} pressed `at`: its time stamp, ms
   * @returns {boolean} whether this key may start a payment: no key was pressed for 200 ms before, and what was typed before was typed by hand, or
   *   a second ago
   */
  press({ key, at, isHeld = false }) {
    if (BETWEEN.includes(key)) return false;
    const quiet = at - this.#last;
    const mayTake = !isHeld && quiet >= QUIET_MS && (quiet >= PAUSE_MS || this.#isByHand);
    if ([...key].length !== 1) this.#count = 0;
    else if (this.#count === 0 || quiet >= PAUSE_MS) this.#begin(key, at);
    else this.#add(key);
    this.#last = at;
    return mayTake;
  }

  /** Whether what is being typed has digits and separators only: a letter within the last second makes its digits a part of a code. */
  get isAmount() {
    return this.#isDigits;
  }

  get #isByHand() {
    return this.#count < 2 || this.#last - this.#since >= (this.#count - 1) * BY_HAND_MS;
  }

  /** @param {string} key @param {number} at */
  #begin(key, at) {
    this.#count = 1;
    this.#since = at;
    this.#isDigits = isOfAmount(key);
  }

  /** @param {string} key */
  #add(key) {
    this.#count += 1;
    this.#isDigits &&= isOfAmount(key);
  }
}

/** @param {string} key */
function isOfAmount(key) {
  return /^[\d.,]$/.test(key);
}
