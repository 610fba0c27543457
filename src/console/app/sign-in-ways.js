import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useConsole } from './console.js';
import { canUsePasskeys, passkeyAnswer } from './passkey.js';
import { t } from './words.js';

/** @import { SignInOptions } from './contract.js' */
/** @typedef {(attempt: () => Promise<object>, wrong: string) => Promise<void>} SignInWith */

/**
 * Ways to sign in beside the code: a passkey, and on a paired browser the PIN of a person who has one.
 * @param {{ busy: boolean, signInWith: SignInWith }} props
 */
export function SignInWays({ busy, signInWith }) {
  const { api } = useConsole();
  const [options, setOptions] = useState(/** @type {SignInOptions | null} */ (null));
  useEffect(() => {
    api.get('/v2/sign-in-options').then(
      ({ data }) => setOptions(data),
      () => setOptions(null),
    );
  }, [api]);
  const people = options?.people ?? [];
  return h(
    'div',
    { class: 'stack' },
    people.length > 0 && h(PinForm, { people, busy, signInWith }),
    canUsePasskeys() &&
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          disabled: busy,
          onClick: () => signInWith(() => passkeyAnswer(api), t('passkey_wrong')),
        },
        t('sign_in_passkey'),
      ),
  );
}

/** @param {{ people: SignInOptions['people'], busy: boolean, signInWith: SignInWith }} props */
function PinForm({ people, busy, signInWith }) {
  const [person, setPerson] = useState(people[0]?.id ?? '');
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('pin');
    if (!(field instanceof HTMLInputElement)) return;
    const pin = field.value;
    field.value = '';
    void signInWith(async () => ({ person, pin }), t('pin_wrong'));
  };
  return h(
    'form',
    { class: 'stack', onSubmit: submit, noValidate: true },
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('sign_in_person')),
      h(
        'select',
        {
          value: person,
          onChange: (/** @type {Event & { currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
            setPerson(currentTarget.value),
        },
        people.map(({ id, name }) => h('option', { key: id, value: id }, name)),
      ),
    ),
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('pin')),
      h('input', { name: 'pin', type: 'password', inputMode: 'numeric', autoComplete: 'off', maxLength: 12 }),
    ),
    h('button', { type: 'submit', class: 'button', disabled: busy }, t('sign_in_pin')),
  );
}
