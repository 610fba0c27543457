import { t } from './words.js';

/** @import { StoredCredentials } from '../app/contract.js' */

const NAMES = /** @type {const} */ ([
  ['appName', 'app_name', 'text'],
  ['appEmail', 'app_email', 'email'],
]);

/**
 * The fields of a credential: the key, the address to which it goes, as it is stored, and the names that its provider asks for.
 * @param {StoredCredentials} stored
 * @param {{ label: string, optional?: boolean }} key
 */
export function credentialFields(stored, key) {
  const names = NAMES.filter(([part, kept]) => stored[kept] !== null || stored.missing.includes(part));
  return [
    { name: 'apiKey', type: 'password', ...key },
    {
      ...{ name: 'baseUrl', label: t('credential_url'), type: 'url' },
      ...{ optional: true, value: stored.base_url ?? '' },
    },
    ...names.map(([part, kept, type]) => ({
      ...{ name: part, label: t(`credential_part_${part}`), type, value: stored[kept] ?? '' },
      optional: true,
    })),
  ];
}

/** The credential of these fields; what is left empty stays as it is stored. @param {Record<string, string>} values */
export function credentialOf({ apiKey = '', ...more }) {
  return { apiKey, ...Object.fromEntries(Object.entries(more).filter(([, text]) => text !== '')) };
}
