import { ask, Refused } from './api.js';
import { confirm } from './confirm.js';
import { element } from './element.js';
import { t } from './words.js';

const VERBS = /** @type {const} */ (['pause', 'resume', 'stop']);

/** What an operator can decide in each state. @type {Readonly<Record<string, readonly string[]>>} */
const DECISIONS = { draft: ['stop'], running: ['pause', 'stop'], paused: ['resume', 'stop'] };

/**
 * The buttons of a rollout, and one that reads it again; they stay while the rest of the page is replaced, so the keyboard loses no place.
 * @param {string} name
 * @param {string} path of the rollout
 * @param {boolean} mayDecide else there is the last one alone
 * @param {(result: string | null) => Promise<void>} changed reads again; the result is in words, null where nothing was decided
 * @param {(error: unknown) => void} failed
 * @returns {{ readonly element: HTMLElement, readonly show: (state: string) => void }} `show` leaves those of a state
 */
export function decisions(name, path, mayDecide, changed, failed) {
  let isAsking = false;
  /** @param {() => Promise<void>} act */
  const once = async (act) => {
    if (isAsking) return;
    isAsking = true;
    await act()
      .catch(failed)
      .finally(() => {
        isAsking = false;
      });
  };
  /** @param {typeof VERBS[number]} verb */
  const decide = async (verb) => {
    if (verb === 'stop' && !(await confirm(row, stopTexts(name)))) return;
    const isDone = await isTaken(`${path}/${verb}`);
    await changed(t(isDone ? `rollout_${verb}_done` : 'rollout_changed'));
  };
  const buttons = (mayDecide ? VERBS : []).map((verb) => ({
    verb,
    button: button(t(`rollout_${verb}`), () => once(() => decide(verb)), verb === 'stop' ? 'button-bad' : ''),
  }));
  const refresh = button(t('refresh'), () => once(() => changed(null)));
  const row = element('div', { class: 'actions' }, ...buttons.map((one) => one.button), refresh);
  return {
    element: row,
    show(state) {
      for (const one of buttons) one.button.hidden = !DECISIONS[state]?.includes(one.verb);
    },
  };
}

/**
 * @param {string} words
 * @param {() => void} onclick
 * @param {string} [colour]
 */
function button(words, onclick, colour = '') {
  return element('button', { type: 'button', class: `button ${colour}`, onclick }, words);
}

/** False: its state has changed since the page was read, so the hub does not do this. @param {string} path */
async function isTaken(path) {
  try {
    await ask('POST', path);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 409) return false;
    throw error;
  }
}

/** @param {string} name */
function stopTexts(name) {
  return {
    heading: t('rollout_stop_heading', { name }),
    words: t('rollout_stop_words'),
    yes: t('rollout_stop_yes'),
    no: t('rollout_stop_no'),
  };
}
