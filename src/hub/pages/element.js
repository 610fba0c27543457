import { age, moment, t, wordFor } from './words.js';

/**
 * An element; texts become text nodes, so nothing that a shop reports is read as HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Readonly<Record<string, unknown>>} [attributes] a function listens to `on<event>`; true has no value; false and null are left out
 * @param {...(Node | string | null)} children
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function')
      made.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

const COLOURS = {
  ready: 'good',
  succeeded: 'good',
  cannot_sell: 'bad',
  in_doubt: 'bad',
  damaged: 'bad',
  failed: 'bad',
  refused: 'bad',
  done: 'good',
  paused: 'warn',
  silent: 'warn',
  wrong_terminal: 'bad',
};

/**
 * A state in its word and colour.
 * @param {'state' | 'terminal' | 'payment' | 'rollout' | 'target'} set
 * @param {string} code
 */
export function badge(set, code) {
  const colour = Object.entries(COLOURS).find(([state]) => state === code)?.[1];
  return element('span', { class: `badge ${colour ? `badge-${colour}` : ''}` }, wordFor(set, code));
}

/** @param {boolean | null} value */
export function yesNo(value) {
  if (value === null) return element('span', { class: 'quiet' }, t('unknown'));
  return value ? t('yes') : element('span', { class: 'badge badge-warn' }, t('no'));
}

/** How long ago, the instant beside it. @param {string | null} instant */
export function ago(instant) {
  return instant === null
    ? t('never')
    : element('time', { datetime: instant, title: moment(instant) }, age(instant));
}

/**
 * @param {string} label
 * @param {HTMLElement} input
 */
export function field(label, input) {
  return element('label', { class: 'field' }, element('span', {}, label), input);
}

/**
 * A table that scrolls sideways where the screen is narrow.
 * @param {string} name
 * @param {readonly string[]} columns
 * @param {HTMLTableSectionElement} body
 */
export function table(name, columns, body) {
  const heads = columns.map((column) => element('th', { scope: 'col' }, column));
  return element(
    'div',
    { class: 'wide', role: 'region', 'aria-label': name, tabindex: 0 },
    element('table', { class: 'table' }, element('thead', {}, element('tr', {}, ...heads)), body),
  );
}

/**
 * A row whose first cell names it.
 * @param {Node | string} head
 * @param {...(Node | string)} cells
 */
export function row(head, ...cells) {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, head),
    ...cells.map((cell) => element('td', {}, cell)),
  );
}
