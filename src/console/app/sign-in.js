import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { refusalWords } from '../../sentences/sentences.js';
import { tongue } from '../words/tongue.js';
import { ApiError } from './api.js';
import { useConsole } from './console.js';
import { isGivenUp } from './passkey.js';
import { Choices } from './screen-menu.js';
import { SignInWays } from './sign-in-ways.js';
import { t } from './words.js';

/** With a passkey, with a PIN on a paired browser, or with the one-time code of `tillctl sign-in`. */
export function SignIn() {
  const { api, session } = useConsole();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    document.title = `${t('sign_in_title')} · tilld`;
    field.current?.focus();
  }, []);

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    const code = (field.current?.value ?? '').replace(/\D/g, '');
    if (code.length !== 8) return setProblem(t('sign_in_form'));
    void signInWith(async () => ({ code }), t('sign_in_wrong'));
  }

  /** @param {() => Promise<object>} attempt @param {string} wrong what is shown where it opens nothing */
  async function signInWith(attempt, wrong) {
    setBusy(true);
    setProblem('');
    try {
      await session.signIn(api, await attempt());
    } catch (error) {
      setProblem(wordsFor(error, wrong));
      field.current?.select();
    } finally {
      setBusy(false);
    }
  }

  return h(
    'main',
    { class: 'sign-in' },
    h(
      'div',
      { class: 'card' },
      h('img', { src: '/console/icon.svg', alt: '', width: 48, height: 48 }),
      h('h1', {}, t('sign_in_title')),
      h('p', { id: 'sign-in-problem', class: 'problem', role: 'alert' }, problem),
      h(SignInWays, { busy, signInWith }),
      h(CodeForm, { field, busy, isWrong: problem !== '', submit }),
      h(Help, {}),
      h(Choices, {}),
    ),
  );
}

/**
 * The one-time code.
 * @param {{ field: import('preact').RefObject<HTMLInputElement | null>, busy: boolean, isWrong: boolean, submit: (event: Event) => void }} props
 */
function CodeForm({ field, busy, isWrong, submit }) {
  return h(
    'form',
    { class: 'stack', onSubmit: submit, noValidate: true },
    h('p', {}, t('sign_in_intro')),
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('sign_in_label')),
      h('input', {
        ref: field,
        class: 'code',
        name: 'code',
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
        maxLength: 12,
        'aria-invalid': isWrong ? 'true' : undefined,
        'aria-describedby': 'sign-in-problem',
      }),
    ),
    h('button', { type: 'submit', class: 'button button-main', disabled: busy }, t('sign_in_button')),
  );
}

/** Where a code comes from. */
function Help() {
  return h(
    'details',
    { class: 'help' },
    h('summary', {}, t('sign_in_where')),
    h('p', {}, t('sign_in_command', { command: 'tillctl sign-in' })),
  );
}

/** @param {unknown} error @param {string} wrong */
function wordsFor(error, wrong) {
  if (isGivenUp(error)) return t('sign_in_given_up');
  if (!(error instanceof ApiError)) return t('sign_in_failed', { reason: String(error) });
  if (error.code === 'sign_in_code_invalid') return wrong;
  if (error.code === 'sign_in_paused') return refusalWords(error, tongue());
  if (error.status === 429) return t('sign_in_often');
  if (error.isPassing) return t('sign_in_unreachable');
  return t('sign_in_failed', { reason: refusalWords(error, tongue()) });
}
