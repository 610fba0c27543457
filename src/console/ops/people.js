import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { useAction } from '../parts/action.js';
import { Confirm } from '../parts/confirm.js';
import { Dialog } from '../parts/dialog.js';
import { QrCode } from '../parts/qr-code.js';
import { useList, useReading } from '../parts/reading.js';
import { moments } from '../words/formatters.js';
import { Problem } from './problem.js';
import { t } from './words.js';

/** @import { AuditTrailEntry, PairedDevice, PairingCode, Person, SignInCode } from '../app/contract.js' */
/** @typedef {{ code: string, url: string, expires_at: string, person?: string, isPairing?: true, trust?: PairingCode['trust'] }} Shown */

const ROLES = /** @type {const} */ (['staff', 'lead', 'ops']);
const LOOK_MS = 5_000;
/** A name under which a machine reaches itself alone. */
const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;
const PEOPLE_PAGE = 100;
const TRAIL_PAGE = 50;

/** The people of the shop, the browsers on which they sign in with a PIN, and what was done to both. */
export function People() {
  const { session } = useConsole();
  const [shown, setShown] = useState(/** @type {Shown | null} */ (null));
  const isOps = session.isAtLeast('ops');
  return h(
    'div',
    { class: 'stack' },
    h('h1', {}, t('view_people')),
    isOps && h(Persons, { show: setShown }),
    h(Devices, { isOps, show: setShown }),
    isOps && h(Trail, {}),
    shown !== null && h(OneTimeCode, { shown, close: () => setShown(null) }),
  );
}

/** @param {{ shown: Shown, close: () => void }} props */
function OneTimeCode({ shown: { code, url, expires_at: until, person, isPairing, trust }, close }) {
  // Without an address of the shop: under the name by which this page was reached the other device reaches it, too.
  const page = isPairing && !trust ? `${location.origin}/#/pair` : url;
  // The page of trust is not encrypted: the code is typed where it is.
  const scanned = trust ? `${trust.url}#${trust.fingerprint.replaceAll(':', '')}` : `${page}/${code}`;
  const isHereOnly = isPairing && !trust && LOOPBACK.test(location.hostname);
  return h(
    Dialog,
    { title: person === undefined ? t('pair_code_title') : t('person_code_title', { name: person }), close },
    isHereOnly && h('p', { class: 'badge-warn note' }, t('pair_here_only', { address: location.origin })),
    isPairing && !isHereOnly && h(QrCode, { text: scanned, label: t(trust ? 'trust_qr' : 'pair_qr') }),
    trust && h(Trust, { trust }),
    h('p', { class: 'code', 'data-code': code }, `${code.slice(0, 4)} ${code.slice(4)}`),
    h('p', {}, t('code_words', { address: page, until: timeOf(until) })),
  );
}

/** @param {{ trust: NonNullable<PairingCode['trust']> }} props */
function Trust({ trust: { url, fingerprint } }) {
  return h(
    'div',
    { class: 'stack' },
    h('p', {}, t('trust_words', { address: url })),
    h('p', {}, h('code', {}, fingerprint)),
  );
}

/** @param {{ show: (shown: Shown) => void }} props */
function Persons({ show }) {
  const { document, problem, again, more } = useList('/v2/people', PEOPLE_PAGE, LOOK_MS);
  const [isAdding, setAdding] = useState(false);
  /** @type {readonly Person[]} */
  const people = document?.data ?? [];
  return h(
    'section',
    { class: 'stack', 'aria-labelledby': 'people' },
    h('h2', { id: 'people', class: 'visually-hidden' }, t('people')),
    h('p', { class: 'quiet' }, t('people_words')),
    h(Problem, { problem }),
    document !== null && people.length === 0 && h('p', { class: 'card' }, t('people_none')),
    h(
      'ul',
      { class: 'rows-of-cards' },
      people.map((person) => h('li', { key: person.id }, h(PersonCard, { person, again, show }))),
    ),
    h(More, { document, more }),
    h(
      'button',
      { type: 'button', class: 'button button-main', onClick: () => setAdding(true) },
      t('person_add'),
    ),
    isAdding && h(AddPerson, { close: () => setAdding(false), again }),
  );
}

/** @param {{ person: Person, again: () => void, show: (shown: Shown) => void }} props */
function PersonCard({ person, again, show }) {
  const { api } = useConsole();
  const action = useAction();
  const [isEnding, setEnding] = useState(false);
  const { id, name, role, status } = person;
  const makeCode = () =>
    action.run(async () => {
      /** @type {{ data: SignInCode }} */
      const { data } = await api.post('/v2/sign-in-codes', { person: name });
      show({ ...data, person: name });
    });
  return h(
    'article',
    { class: 'card' },
    h(
      'div',
      { class: 'head' },
      h('h3', {}, name),
      h(
        'span',
        { class: `badge badge-${status === 'active' ? 'good' : 'plain'}` },
        status === 'active' ? t(`role_${role}`) : t('person_disabled'),
      ),
    ),
    status === 'active' &&
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', class: 'button', 'aria-disabled': action.busy, onClick: makeCode },
          t('person_code'),
        ),
        h('button', { type: 'button', class: 'button', onClick: () => setEnding(true) }, t('person_disable')),
      ),
    h('p', { class: 'problem', role: 'alert' }, action.problem),
    isEnding &&
      h(
        Confirm,
        {
          title: t('person_disable_title', { name }),
          label: t('person_disable'),
          isBad: true,
          work: async () => {
            await api.post(`/v2/people/${id}/disable`);
            again();
          },
          close: () => setEnding(false),
        },
        h('p', {}, t('person_disable_words')),
      ),
  );
}

/** @param {{ close: () => void, again: () => void }} props */
function AddPerson({ close, again }) {
  const { api } = useConsole();
  const [role, setRole] = useState(/** @type {(typeof ROLES)[number]} */ ('staff'));
  return h(
    Confirm,
    {
      title: t('person_add'),
      label: t('person_add'),
      fields: [{ name: 'name', label: t('person_name') }],
      work: async ({ name }) => {
        await api.post('/v2/people', { name, role });
        again();
      },
      close,
    },
    h(
      'label',
      { class: 'field' },
      h('span', {}, t('person_role')),
      h(
        'select',
        {
          value: role,
          onChange: (/** @type {Event & { currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
            setRole(ROLES.find((one) => one === currentTarget.value) ?? 'staff'),
        },
        ROLES.map((one) => h('option', { key: one, value: one }, t(`role_${one}`))),
      ),
    ),
  );
}

/** @param {{ isOps: boolean, show: (shown: Shown) => void }} props */
function Devices({ isOps, show }) {
  const { api } = useConsole();
  const action = useAction();
  const { document, problem, again } = useReading(isOps ? '/v2/paired-devices' : null, LOOK_MS);
  /** @type {readonly PairedDevice[]} */
  const devices = document?.data ?? [];
  const pair = () =>
    action.run(async () => {
      /** @type {{ data: PairingCode }} */
      const { data } = await api.post('/v2/pairing-codes');
      show({ ...data, isPairing: true });
    });
  return h(
    'section',
    { class: 'stack', 'aria-labelledby': 'paired' },
    h('h2', { id: 'paired' }, t('paired_devices')),
    h('p', { class: 'quiet' }, t('paired_words')),
    h(Problem, { problem: action.problem || problem }),
    h(
      'ul',
      { class: 'rows-of-cards' },
      devices.map((device) => h('li', { key: device.id }, h(DeviceCard, { device, again }))),
    ),
    h(
      'button',
      { type: 'button', class: 'button', 'aria-disabled': action.busy, onClick: pair },
      t('pair_device'),
    ),
  );
}

/** @param {{ device: PairedDevice, again: () => void }} props */
function DeviceCard({ device: { id, name, status, paired_at: pairedAt }, again }) {
  const { api } = useConsole();
  const [isEnding, setEnding] = useState(false);
  return h(
    'article',
    { class: 'card' },
    h(
      'div',
      { class: 'head' },
      h('h3', {}, name),
      h('span', { class: `badge badge-${status === 'paired' ? 'good' : 'plain'}` }, t(`device_${status}`)),
    ),
    h('p', { class: 'quiet' }, timeOf(pairedAt)),
    status === 'paired' &&
      h('button', { type: 'button', class: 'button', onClick: () => setEnding(true) }, t('device_withdraw')),
    isEnding &&
      h(
        Confirm,
        {
          title: t('device_withdraw_title', { name }),
          label: t('device_withdraw'),
          isBad: true,
          work: async () => {
            await api.post(`/v2/paired-devices/${id}/withdraw`);
            again();
          },
          close: () => setEnding(false),
        },
        h('p', {}, t('device_withdraw_words')),
      ),
  );
}

function Trail() {
  const { document, problem, more } = useList('/v2/audit', TRAIL_PAGE, LOOK_MS);
  /** @type {readonly AuditTrailEntry[]} */
  const entries = document?.data ?? [];
  const columns = /** @type {const} */ (['audit_at', 'audit_event', 'audit_of', 'audit_by', 'audit_from']);
  return h(
    'section',
    { class: 'stack', 'aria-labelledby': 'audit' },
    h('h2', { id: 'audit' }, t('audit')),
    h(Problem, { problem }),
    h(
      'div',
      { class: 'wide', tabIndex: 0, role: 'group', 'aria-labelledby': 'audit' },
      h(
        'table',
        { class: 'table' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            columns.map((name) => h('th', { key: name, scope: 'col' }, t(name))),
          ),
        ),
        h(
          'tbody',
          {},
          entries.map(({ seq, at, event, name, subject, who, from }) =>
            h(
              'tr',
              { key: seq },
              [timeOf(at), t(`audit_${event}`), name ?? subject, who, from].map((text, index) =>
                h('td', { key: columns[index] }, text),
              ),
            ),
          ),
        ),
      ),
    ),
    h(More, { document, more }),
  );
}

/** @param {{ document: { has_more: boolean } | null, more: () => void }} props */
function More({ document, more }) {
  return document?.has_more && h('button', { type: 'button', class: 'button', onClick: more }, t('more'));
}

/** @param {string} instant */
function timeOf(instant) {
  return moments({ dateStyle: 'short', timeStyle: 'short' }).format(Date.parse(instant));
}
