import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../parts/action.js';
import { useConsole } from './console.js';
import { t } from './words.js';

/** Pairs this browser with a code; afterwards people sign in here with their PINs. */
export function Pair() {
  const { api, router } = useConsole();
  const action = useAction();
  const [paired, setPaired] = useState('');
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const code = String(form.get('code') ?? '').replace(/\D/g, '');
    const name = String(form.get('name') ?? '').trim();
    void action.run(async () => {
      const { data } = await api.post('/v2/paired-devices', { code, name });
      setPaired(data.name);
    });
  };
  if (paired !== '') return h(Paired, { name: paired });
  return h(
    'main',
    { class: 'sign-in' },
    h(
      'form',
      { class: 'card', onSubmit: submit },
      h('h1', {}, t('pair_title')),
      h('p', {}, t('pair_intro', { command: 'tillctl devices pair' })),
      h(
        'label',
        { class: 'field' },
        h('span', {}, t('sign_in_label')),
        h('input', {
          class: 'code',
          name: 'code',
          inputMode: 'numeric',
          autoComplete: 'off',
          defaultValue: scannedCode(router.path.value),
          maxLength: 12,
          required: true,
        }),
      ),
      h(
        'label',
        { class: 'field' },
        h('span', {}, t('pair_name')),
        h('input', { name: 'name', maxLength: 64, required: true, autoComplete: 'off' }),
      ),
      h('p', { class: 'problem', role: 'alert' }, action.problem),
      h(
        'button',
        { type: 'submit', class: 'button button-main', 'aria-disabled': action.busy },
        t('pair_button'),
      ),
    ),
  );
}

/** @param {{ name: string }} props */
function Paired({ name }) {
  const { router } = useConsole();
  return h(
    'main',
    { class: 'sign-in' },
    h(
      'div',
      { class: 'card' },
      h('h1', {}, t('pair_title')),
      h('p', { role: 'status' }, t('paired', { name })),
      h(
        'button',
        { type: 'button', class: 'button button-main', onClick: () => router.go([]) },
        t('sign_in_title'),
      ),
    ),
  );
}

/**
 * The code in an address that was scanned: `#/pair/12345678`.
 * @param {readonly string[]} path
 */
function scannedCode([, code = '']) {
  return /^\d{8}$/.test(code) ? code : '';
}
