import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Api } from './api.js';
import { Live } from './live.js';
import { Preferences } from './preferences.js';
import { Router } from './router.js';
import { SessionKeeper } from './session.js';
import { Shop } from './shop.js';

/** The shared services of the pages; one instance for each document. */
export class Console {
  session;
  api;
  shop;
  live;
  router;
  preferences;

  /** @param {Window & typeof globalThis} window */
  constructor(window) {
    this.preferences = new Preferences(window.localStorage, window.document, window.navigator.languages);
    this.session = new SessionKeeper(window.localStorage);
    this.api = new Api(this.session);
    this.shop = new Shop(this.api);
    this.router = new Router(window);
    this.live = new Live(this.api, {
      opened: () => this.shop.read(),
      event: (type, data) => this.shop.heard(type, data),
    });
  }
}

const Context = createContext(/** @type {Console | null} */ (null));
export const ConsoleProvider = Context.Provider;

/** @returns {Console} */
export function useConsole() {
  const found = useContext(Context);
  if (!found) throw new Error('a page was drawn outside of the console');
  return found;
}
