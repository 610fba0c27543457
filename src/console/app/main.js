import '@preact/signals';
import { effect } from '@preact/signals-core';
import { h, render } from 'preact';
import { Console, ConsoleProvider } from './console.js';
import { tick } from './now.js';
import { Shell } from './shell.js';

/** Interval of the request while it is unknown whether a user is signed in. */
const ASK_AGAIN_MS = 1_000;

const root = document.getElementById('app');
if (root) start(root);

/** @param {HTMLElement} root */
function start(root) {
  const app = new Console(window);
  tick();
  render(h(ConsoleProvider, { value: app }, h(Shell, {})), root);
  app.live.follow(document);
  void look(app);
  effect(() => {
    if (app.session.current.value) {
      app.live.start();
      app.shop.watch();
    } else {
      app.live.stop();
      app.shop.unwatch();
    }
  });
}

/**
 * Requests the session until tilld responds.
 * @param {Console} app
 */
async function look(app) {
  while (app.session.current.value === undefined) {
    try {
      await app.session.look(app.api);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}
