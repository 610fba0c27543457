import { h } from 'preact';
import { t } from './words.js';

/** @import { VirtualTerminal } from '../app/contract.js' */
/** @import { Act } from './page.js' */
/** @typedef {VirtualTerminal['faults'][number]} Fault */

/** Faults with a button of their own. */
const MISHAPS = /** @type {const} */ ({
  cut_after_approval: { when: 'result', do: 'cut', ms: 1_000, times: 1 },
  power_while_paying: { when: 'customer', do: 'power_loss', ms: 5_000, times: 1 },
  silence: { when: 'result', do: 'silence', ms: 30_000, times: 1 },
  garbage: { when: 'command', do: 'garbage', ms: 1_000, times: 1 },
  duplicate: { when: 'result', do: 'duplicate', ms: 1_000, times: 1 },
  slow: { when: 'print', do: 'delay', ms: 8_000, times: 1 },
});
const NAMES = /** @type {readonly (keyof typeof MISHAPS)[]} */ (Object.keys(MISHAPS));
const MOMENTS = /** @type {const} */ ([
  'command',
  'customer',
  'result',
  'result_acknowledged',
  'print',
  'completion',
  'idle',
]);
const KINDS = /** @type {const} */ (['silence', 'cut', 'garbage', 'duplicate', 'delay', 'power_loss']);

/** Cable, power, and faults for the next payment. @param {{ terminal: VirtualTerminal, act: Act }} props */
export function Breaking({ terminal, act }) {
  const { is_on: isOn, is_plugged: isPlugged, faults } = terminal;
  return h(
    'section',
    { class: 'card', 'aria-label': t('break') },
    h('h2', {}, t('break')),
    h(
      'div',
      { class: 'levers' },
      h(
        'button',
        {
          type: 'button',
          class: isPlugged ? 'lever' : 'lever lever-down',
          onClick: () => act('PATCH', '', { is_plugged: !isPlugged }),
        },
        t(isPlugged ? 'cable_out' : 'cable_in'),
      ),
      h(
        'button',
        {
          type: 'button',
          class: isOn ? 'lever' : 'lever lever-down',
          onClick: () => act('PATCH', '', { is_on: !isOn }),
        },
        t(isOn ? 'power_off' : 'power_on'),
      ),
      h(
        'button',
        { type: 'button', class: 'lever', onClick: () => act('PATCH', '', { exchange: true }) },
        t('exchange'),
      ),
    ),
    h('h3', {}, t('mishaps')),
    h(
      'div',
      { class: 'mishaps' },
      NAMES.map((name) =>
        h(
          'button',
          {
            key: name,
            type: 'button',
            class: 'button',
            onClick: () => act('POST', '/faults', { fault: MISHAPS[name] }),
          },
          t(`mishap_${name}`),
        ),
      ),
    ),
    h(Own, { act }),
    h(Armed, { faults, act }),
  );
}

/** @param {{ act: Act }} props */
function Own({ act }) {
  /** @param {Event & { currentTarget: HTMLFormElement }} event */
  const arm = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    act('POST', '/faults', {
      fault: {
        when: given.get('when'),
        do: given.get('do'),
        ms: Math.round(Number(given.get('seconds')) * 1_000),
        times: Number(given.get('times')),
      },
    });
  };
  return h(
    'details',
    { class: 'help' },
    h('summary', {}, t('own')),
    h(
      'form',
      { class: 'own-fault', onSubmit: arm },
      h(Choose, {
        name: 'when',
        label: t('when'),
        options: MOMENTS.map((one) => ({ value: one, text: t(`at_${one}`) })),
      }),
      h(Choose, {
        name: 'do',
        label: t('what'),
        options: KINDS.map((one) => ({ value: one, text: t(`do_${one}`) })),
      }),
      h(Count, { name: 'seconds', label: t('long'), value: 5, most: 600 }),
      h(Count, { name: 'times', label: t('times'), value: 1, most: 100 }),
      h('button', { type: 'submit', class: 'button' }, t('arm')),
    ),
  );
}

/** @param {{ name: string, label: string, options: readonly { value: string, text: string }[] }} props */
function Choose({ name, label, options }) {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h(
      'select',
      { name },
      options.map(({ value, text }) => h('option', { key: value, value }, text)),
    ),
  );
}

/** @param {{ name: string, label: string, value: number, most: number }} props */
function Count({ name, label, value, most }) {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', { name, type: 'number', min: 1, max: most, required: true, defaultValue: String(value) }),
  );
}

/** @param {{ faults: readonly Fault[], act: Act }} props */
function Armed({ faults, act }) {
  return h(
    'div',
    { class: 'stack-small', 'data-armed': faults.length },
    h('h3', {}, t('armed')),
    faults.length === 0
      ? h('p', { class: 'quiet' }, t('armed_none'))
      : h(
          'ul',
          { class: 'plain-list' },
          faults.map((fault, index) =>
            h('li', { key: index }, h('span', { class: 'badge badge-warn' }, textOf(fault))),
          ),
        ),
    faults.length > 0 &&
      h('button', { type: 'button', class: 'button', onClick: () => act('DELETE', '/faults') }, t('forget')),
  );
}

const LASTING = ['silence', 'delay', 'power_loss'];

/** @param {Fault} fault */
function textOf({ when, do: what, ms, times }) {
  return [
    t('armed_one', { what: t(`do_${what}`), when: t(`at_${when}`) }),
    ...(LASTING.includes(what) ? [t('armed_ms', { seconds: ms / 1_000 })] : []),
    ...(times > 1 ? [t('armed_times', { count: times })] : []),
  ].join(', ');
}
