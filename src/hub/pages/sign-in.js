import { ask, Refused } from './api.js';
import { element, field } from './element.js';
import { t } from './words.js';

/**
 * The form of the token.
 * @param {string} hint why it is shown
 * @param {(operator: import('./api.js').Operator) => void} signedIn
 */
export function signIn(hint, signedIn) {
  const token = element('input', {
    type: 'password',
    name: 'token',
    autocomplete: 'current-password',
    required: true,
    maxlength: 100,
    spellcheck: 'false',
  });
  const problem = element('p', { role: 'alert', class: 'problem' }, hint);
  const button = element('button', { type: 'submit', class: 'button button-main' }, t('sign_in'));
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      signedIn((await ask('POST', '/v1/session', { token: token.value.trim() })).data);
    } catch (error) {
      const isWrong = error instanceof Refused && error.status === 401;
      problem.textContent = isWrong
        ? t('sign_in_wrong')
        : String(error instanceof Error ? error.message : error);
      button.disabled = false;
      token.focus();
    }
  };
  return element(
    'form',
    { class: 'card sign-in', onsubmit: submit },
    element('h1', { tabindex: -1 }, t('sign_in')),
    element('p', {}, t('sign_in_intro', { command: 'tillhub operators add' })),
    field(t('token'), token),
    problem,
    button,
  );
}
