import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useReading } from '../parts/reading.js';
import { Problem } from './problem.js';
import { Replace } from './replace-credential.js';
import { Fact } from './terminals.js';
import { t } from './words.js';

/** @import { Integration, StoredCredentials } from '../app/contract.js' */

const LOOK_MS = 5_000;

/**
 * What is stored of a credential, without the key, and its replacement; nothing for an integration that needs none and has none.
 * @param {{ integration: Integration, path: string, again: () => void }} props `again` reads the integration after a replacement
 */
export function Credential({ integration, path, again }) {
  const { document, problem, again: readStored } = useReading(`${path}/credentials`, LOOK_MS);
  /** @type {StoredCredentials | undefined} */
  const stored = document?.data;
  if (!stored || !isConcerned(stored)) return h(Problem, { problem });
  return h(
    'section',
    { class: 'card', 'aria-label': t('credential') },
    h('h2', {}, t('credential')),
    h(Stored, { stored }),
    !stored.readable && h('p', { class: 'problem' }, t('credential_unreadable')),
    h(Renewal, {
      integration,
      path,
      again: () => {
        readStored();
        again();
      },
    }),
    h(Problem, { problem }),
  );
}

/** @param {{ stored: StoredCredentials }} props */
function Stored({ stored: { key_stored: hasKey, base_url: url, app_name: name, app_email: mail, missing } }) {
  return h(
    'dl',
    { class: 'fact-grid' },
    h(Fact, { name: t('credential_part_apiKey'), value: t(hasKey ? 'credential_kept' : 'credential_none') }),
    url !== null && h(Fact, { name: t('credential_part_baseUrl'), value: url, isWide: true }),
    name !== null && h(Fact, { name: t('credential_part_appName'), value: name }),
    mail !== null && h(Fact, { name: t('credential_part_appEmail'), value: mail }),
    missing.length > 0 &&
      h(Fact, {
        name: t('credential_missing'),
        value: PARTS.filter((part) => missing.includes(part))
          .map((part) => t(`credential_part_${part}`))
          .join(', '),
      }),
  );
}

const PARTS = /** @type {const} */ (['apiKey', 'baseUrl', 'appName', 'appEmail']);

/**
 * One that a person authorises is renewed at the machine. While it is refused, the button stands among what can be done.
 * @param {{ integration: Integration, path: string, again: () => void }} props
 */
function Renewal({ integration, path, again }) {
  const [isAsking, setAsking] = useState(false);
  const { provider, authorised_by: by, paused_reason: paused } = integration;
  const isDoneAbove = integration.active && paused === 'credentials';
  if (by === 'person')
    return h(
      'p',
      {},
      t('credential_person'),
      ' ',
      h('code', {}, `tillctl authorize ${provider} --api-key-file FILE`),
    );
  return h(
    'div',
    { class: 'buttons' },
    !isDoneAbove &&
      h('button', { type: 'button', class: 'button', onClick: () => setAsking(true) }, t('rotate')),
    isAsking && h(Replace, { path, again, close: () => setAsking(false) }),
  );
}

/** @param {StoredCredentials} stored */
function isConcerned({ key_stored: hasKey, readable, base_url: url, missing }) {
  return hasKey || !readable || url !== null || missing.length > 0;
}
