import { signal } from '@preact/signals-core';

/** @import { Signal } from '@preact/signals-core' */

/**
 * The current place in the pages: `#/till/history` is `['till', 'history']`. The address bar is the only source, so that back, forward and
 * bookmarks work.
 */
export class Router {
  /** @type {Signal<readonly string[]>} */
  path = signal([]);
  #window;

  /** @param {Window} window */
  constructor(window) {
    this.#window = window;
    this.#read();
    window.addEventListener('hashchange', () => this.#read());
  }

  /** @param {readonly string[]} path */
  go(path) {
    this.#window.location.hash = addressOf(path);
  }

  #read() {
    const parts = this.#window.location.hash.replace(/^#\/?/, '').split('/');
    this.path.value = parts.filter((part) => part !== '').map(plain);
  }
}

/**
 * The `href` of a link to a place in the pages.
 * @param {readonly string[]} path
 */
export function addressOf(path) {
  return `#/${path.map(encodeURIComponent).join('/')}`;
}

/** @param {string} part */
function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
