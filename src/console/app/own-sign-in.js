import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../parts/action.js';
import { Dialog } from '../parts/dialog.js';
import { useReading } from '../parts/reading.js';
import { moments } from '../words/formatters.js';
import { useConsole } from './console.js';
import { addPasskey, addressWithName, canUsePasskeys, isGivenUp } from './passkey.js';
import { t } from './words.js';

/** @import { Passkey } from './contract.js' */

/** How the person who is signed in signs in from now on: passkeys and the PIN. @param {{ close: () => void }} props */
export function OwnSignIn({ close }) {
  return h(
    Dialog,
    { title: t('own_sign_in'), close },
    h('div', { class: 'stack' }, h(OwnPasskeys, {}), h(OwnPin, {})),
  );
}

function OwnPasskeys() {
  const { api } = useConsole();
  const action = useAction();
  const { document, problem, again } = useReading('/v2/passkeys', 0);
  const { document: options } = useReading('/v2/sign-in-options', 0);
  const address = addressWithName(location, options?.data.shop_url ?? null);
  /** @type {readonly Passkey[]} */
  const passkeys = document?.data ?? [];
  const add = () =>
    action.run(async () => {
      try {
        await addPasskey(api);
      } catch (error) {
        if (!isGivenUp(error)) throw error;
      }
      again();
    });
  /** @param {string} id */
  const remove = (id) =>
    action.run(async () => {
      await api.change('DELETE', `/v2/passkeys/${encodeURIComponent(id)}`);
      again();
    });
  return h(
    'section',
    { class: 'stack' },
    h('h3', {}, t('passkeys')),
    h('p', { class: 'quiet' }, passkeyWords(address)),
    h(
      'ul',
      { class: 'rows-of-cards' },
      passkeys.map(({ id, created_at }) =>
        h(
          'li',
          { key: id, class: 'head' },
          h('span', {}, t('passkey_of', { day: dayOf(created_at) })),
          h('button', { type: 'button', class: 'button', onClick: () => remove(id) }, t('remove')),
        ),
      ),
    ),
    canUsePasskeys() &&
      h(
        'button',
        { type: 'button', class: 'button', 'aria-disabled': action.busy, onClick: add },
        t('passkey_add'),
      ),
    h('p', { class: 'problem', role: 'alert' }, action.problem || problem),
  );
}

/** @param {string | null} address */
function passkeyWords(address) {
  if (canUsePasskeys()) return t('passkey_words', { host: location.hostname });
  return address === null ? t('passkey_nowhere') : t('passkey_not_here', { address });
}

/** @param {string} instant */
function dayOf(instant) {
  return moments({ dateStyle: 'medium' }).format(Date.parse(instant));
}

function OwnPin() {
  const { api } = useConsole();
  const action = useAction();
  const [typed, setTyped] = useState('');
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (await action.run(() => api.change('PUT', '/v2/pin', { pin: typed }), t('pin_set'))) setTyped('');
  };
  return h(
    'form',
    { class: 'stack', onSubmit: submit },
    h('h3', {}, t('pin')),
    h('p', { class: 'quiet' }, t('pin_words')),
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('pin_new')),
      h('input', {
        name: 'new-pin',
        type: 'password',
        inputMode: 'numeric',
        autoComplete: 'new-password',
        pattern: '[0-9]{6,12}',
        maxLength: 12,
        required: true,
        value: typed,
        onInput: (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) =>
          setTyped(currentTarget.value),
      }),
    ),
    h('p', { class: 'problem', role: 'alert' }, action.problem),
    h('p', { role: 'status' }, action.done),
    h('button', { type: 'submit', class: 'button', 'aria-disabled': action.busy }, t('pin_save')),
  );
}
