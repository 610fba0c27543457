import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { Confirm } from '../parts/confirm.js';
import { EnglishText } from '../parts/english-text.js';
import { isPaper, needWords, standOfTerminal } from '../till/why-not-taken.js';
import { formatAge, formatSeconds } from '../words/time.js';
import { t } from './words.js';

/** @import { Device } from '../app/contract.js' */

const TONES = {
  ready: 'good',
  busy: 'calm',
  recovering: 'warn',
  offline: 'bad',
  needs_person: 'bad',
  wrong_terminal: 'bad',
};

/** What a driver says of its terminal (`Capabilities` of `src/terminal`), in the order of the page. */
const CAPABILITIES = /** @type {const} */ ([
  'refund',
  'void',
  'void_needs_card',
  'tip',
  'abort',
  'end_of_day',
  'totals_without_paper',
  'reprint',
  'recover',
  'commit_point',
  'settle_ms',
  'goes_on_ms',
  'identity',
]);
const VALUES = /** @type {const} */ ([
  ...['any', 'last', 'none', 'by_reference', 'by_number', 'last_only'],
  ...['acknowledged', 'received', 'serial', 'tid', 'port'],
]);

/** Every terminal: its state, its identity, its capabilities. @param {{ devices: readonly Device[] }} props */
export function Terminals({ devices }) {
  return h(
    'section',
    { 'aria-label': t('terminals') },
    h('h2', { class: 'section-title' }, t('terminals')),
    devices.length === 0 && h('p', { class: 'quiet' }, t('no_terminals')),
    h(
      'div',
      { class: 'cards' },
      devices.map((device) => h(Terminal, { key: device.id, device })),
    ),
  );
}

/** @param {{ device: Device }} props */
function Capabilities({ device }) {
  return h(
    'details',
    { class: 'help' },
    h('summary', {}, t('capabilities')),
    h(
      'dl',
      { class: 'fact-grid' },
      CAPABILITIES.map((capability) =>
        h(Fact, {
          key: capability,
          name: t(`capability_${capability}`),
          value: capabilityWords(device.capabilities[capability]),
        }),
      ),
    ),
  );
}

/** A capability as the interface shows it: a number is a duration in milliseconds. @param {unknown} value */
function capabilityWords(value) {
  if (typeof value === 'number') return formatSeconds(value);
  if (typeof value === 'boolean') return t(value ? 'can_yes' : 'can_no');
  const known = VALUES.find((one) => one === value);
  return known === undefined ? null : t(`can_${known}`);
}

/** @param {{ device: Device, isAlone?: boolean }} props `isAlone`: on its own page, whose heading it is */
export function Terminal({ device, isAlone = false }) {
  const { session } = useConsole();
  const [adopting, setAdopting] = useState(false);
  const { name, status_reason: reason, last_seen_at: seen } = device;
  const status = standOfTerminal(device);
  const isNeed = status === 'needs_person';
  const isWrong = status === 'wrong_terminal';
  // Of a terminal without a name only a person sees that it was replaced.
  const mayBeAdopted = isWrong || device.identity_grade === 'port';
  return h(
    'article',
    { class: 'card', 'data-device': device.id },
    h(
      'div',
      { class: 'head' },
      isAlone
        ? h('h1', {}, name)
        : h('h3', {}, h('a', { href: addressOf(['ops', 'overview', device.id]) }, name)),
      h(
        'span',
        { class: `badge badge-${TONES[status]}` },
        h('span', { class: 'dot' }),
        t(`device_${status}`),
      ),
    ),
    isNeed && h('p', {}, needWords(device)),
    reason !== null && !(isNeed && isPaper(device)) && h(EnglishText, { text: reason }),
    h(
      'dl',
      { class: 'fact-grid' },
      h(Fact, {
        name: t('last_seen'),
        value: seen === null ? t('never') : t('ago', { age: formatAge(seen, now.value) }),
      }),
      h(Fact, { name: t('terminal_id'), value: device.terminal_id }),
      h(Fact, { name: t('serial'), value: device.terminal_serial }),
      h(Fact, { name: t('model'), value: device.model }),
      h(Fact, { name: t('firmware'), value: device.firmware }),
      h(Fact, { name: t('driver'), value: `${device.driver} · ${device.currency}` }),
      device.waiting > 0 && h(Fact, { name: t('waiting'), value: String(device.waiting) }),
    ),
    h(Capabilities, { device }),
    mayBeAdopted &&
      session.isAtLeast('ops') &&
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          {
            type: 'button',
            class: isWrong ? 'button button-main' : 'button button-small',
            onClick: () => setAdopting(true),
          },
          t('adopt'),
        ),
      ),
    adopting && h(Adopt, { device, close: () => setAdopting(false) }),
  );
}

/** @param {{ name: string, value: string | null, isWide?: boolean }} props `isWide`: it has a line of its own */
export function Fact({ name, value, isWide = false }) {
  return h(
    'div',
    { class: isWide ? 'fact-wide' : undefined },
    h('dt', {}, name),
    h('dd', {}, value === null || value === '' ? '–' : value),
  );
}

/**
 * Asks whether the terminal that answers now serves this place.
 * @param {{ device: Device, path?: string, close: () => void }} props `path`: of the task that asks for it
 */
export function Adopt({ device, path = `/v2/terminal-devices/${device.id}/adopt`, close }) {
  const { api, shop } = useConsole();
  return h(
    Confirm,
    {
      title: t('adopt_title', { device: device.name }),
      label: t('adopt'),
      fields: [{ name: 'by', label: t('your_name') }],
      work: async ({ by }) => {
        await api.post(path, { by });
        await shop.look({ tasks: true });
      },
      close,
    },
    h('p', {}, t('adopt_words')),
    h('p', {}, t('adopt_check', { serial: device.terminal_serial ?? '–', id: device.terminal_id ?? '–' })),
    hasIdentifiedItself(device) &&
      h(
        'p',
        {},
        h(
          'strong',
          {},
          t('adopt_new', {
            serial: device.answering_serial ?? '–',
            id: device.answering_terminal_id ?? '–',
          }),
        ),
      ),
    h('p', {}, t('adopt_compare')),
  );
}

/** Another terminal answers, and its name is known. @param {Device} device */
function hasIdentifiedItself({ answering_serial: serial, answering_terminal_id: id }) {
  return serial !== null || id !== null;
}
