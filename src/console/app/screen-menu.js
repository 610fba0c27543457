import { h } from 'preact';
import { useState } from 'preact/hooks';
import { isLanguage, LANGUAGES, language } from '../words/language.js';
import { useConsole } from './console.js';
import { OwnSignIn } from './own-sign-in.js';
import { THEMES } from './preferences.js';
import { t } from './words.js';

/** Language and colours of this screen, the signed-in user, and sign-out. */
export function ScreenMenu() {
  const { session, api } = useConsole();
  const role = session.current.value?.role;
  const person = session.current.value?.person?.name;
  const [isOpen, setOpen] = useState(false);
  return h(
    'details',
    { class: 'menu' },
    h(
      'summary',
      {},
      person ?? (role && t(`role_${role}`)),
      h('span', { class: 'visually-hidden' }, ' ', t('menu')),
    ),
    h(
      'div',
      { class: 'menu-body' },
      h(Choices, {}),
      person !== undefined &&
        h('button', { type: 'button', class: 'button', onClick: () => setOpen(true) }, t('own_sign_in')),
      isOpen && h(OwnSignIn, { close: () => setOpen(false) }),
      role &&
        h(
          'button',
          { type: 'button', class: 'button', onClick: () => void session.signOut(api) },
          t('sign_out'),
        ),
    ),
  );
}

/** Language, colours, and whether an outcome is heard; also before sign-in. */
export function Choices() {
  const { preferences } = useConsole();
  return h(
    'div',
    { class: 'choices' },
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('language')),
      h(
        'select',
        {
          value: language.value,
          onChange: (/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => {
            if (isLanguage(event.currentTarget.value)) language.value = event.currentTarget.value;
          },
        },
        Object.entries(LANGUAGES).map(([tag, name]) =>
          h('option', { key: tag, value: tag, lang: tag }, name),
        ),
      ),
    ),
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('theme')),
      h(
        'select',
        {
          value: preferences.theme.value,
          onChange: (/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => {
            const chosen = event.currentTarget.value;
            preferences.theme.value = THEMES.find((theme) => theme === chosen) ?? 'system';
          },
        },
        THEMES.map((theme) => h('option', { key: theme, value: theme }, t(`theme_${theme}`))),
      ),
    ),
    h(
      'label',
      { class: 'field field-check' },
      h('input', {
        type: 'checkbox',
        checked: preferences.hasSignals.value,
        onChange: (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
          preferences.hasSignals.value = event.currentTarget.checked;
        },
      }),
      h('span', {}, t('signals')),
    ),
  );
}
