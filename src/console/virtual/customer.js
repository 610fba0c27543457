import { h } from 'preact';
import { useState } from 'preact/hooks';
import { t } from './words.js';

/** @import { VirtualTerminal } from '../app/contract.js' */
/** @import { Act } from './page.js' */

const KEYS = /** @type {const} */ (['approve', 'decline', 'wrong_pin', 'abort', 'walk_away']);
const AUTOPILOTS = /** @type {const} */ (['off', ...KEYS]);
const LOOKS = {
  approve: 'key-good',
  decline: 'key-bad',
  wrong_pin: 'key-warn',
  abort: 'key-bad',
  walk_away: '',
};

/** The customer's card and keys. @param {{ terminal: VirtualTerminal, act: Act }} props */
export function Customer({ terminal, act }) {
  const [card, setCard] = useState('');
  const press = (/** @type {(typeof KEYS)[number]} */ key) =>
    act('POST', '/keys', card !== '' && key === 'approve' ? { key, card } : { key });
  return h(
    'section',
    { class: 'card', 'aria-label': t('customer') },
    h('h2', {}, t('customer')),
    h(Purse, { terminal, card, choose: setCard }),
    h(
      'div',
      { class: 'keypad', role: 'group', 'aria-label': t('keypad') },
      KEYS.map((key) =>
        h(
          'button',
          {
            key,
            type: 'button',
            class: `key ${LOOKS[key]}`,
            disabled: !terminal.is_on,
            onClick: () => press(key),
          },
          t(`key_${key}`),
        ),
      ),
    ),
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('autopilot')),
      h(
        'select',
        {
          value: terminal.autopilot,
          onChange: (/** @type {Event & { currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
            act('PATCH', '', { autopilot: currentTarget.value }),
        },
        AUTOPILOTS.map((one) => h('option', { key: one, value: one }, t(`autopilot_${one}`))),
      ),
    ),
  );
}

/** The cards that the customer may show. @param {{ terminal: VirtualTerminal, card: string, choose: (id: string) => void }} props */
function Purse({ terminal, card, choose }) {
  const cards = terminal.cards.map(({ id, label, entry, verification }) => ({
    id,
    label,
    words: `${t(`entry_${entry}`)}, ${t(`check_${verification}`)}`,
  }));
  return h(
    'fieldset',
    { class: 'purse' },
    h('legend', {}, t('card')),
    [{ id: '', label: t('card_any'), words: '' }, ...cards].map(({ id, label, words }) =>
      h(
        'label',
        { key: id, class: id === card ? 'plastic plastic-chosen' : 'plastic' },
        h('input', {
          type: 'radio',
          name: 'card',
          value: id,
          checked: id === card,
          onChange: () => choose(id),
        }),
        h('span', {}, h('strong', {}, label), words === '' ? '' : ' ', words !== '' && h('small', {}, words)),
      ),
    ),
  );
}
