import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { Confirm } from '../parts/confirm.js';
import { useReading } from '../parts/reading.js';
import { tried } from './tried.js';
import { t } from './words.js';

/** @import { StoredCredentials } from '../app/contract.js' */

const NAMES = /** @type {const} */ ([
  ['appName', 'app_name', 'text'],
  ['appEmail', 'app_email', 'email'],
]);

/**
 * Another credential in place of the stored one. The address to which the key goes is in view, and the names that its provider asks for.
 * @param {{ path: string, again: () => void, close: () => void }} props
 */
export function Replace({ path, again, close }) {
  const { api } = useConsole();
  /** @type {{ document: { data: StoredCredentials } | null }} */
  const { document } = useReading(`${path}/credentials`, 0);
  if (document === null) return null;
  const { data: stored } = document;
  const names = NAMES.filter(([part, kept]) => stored[kept] !== null || stored.missing.includes(part));
  return h(
    Confirm,
    {
      title: t('rotate_title'),
      label: t('rotate'),
      fields: [
        { name: 'apiKey', label: t('rotate_key'), type: 'password' },
        {
          ...{ name: 'baseUrl', label: t('credential_url'), type: 'url' },
          ...{ optional: true, value: stored.base_url ?? '' },
        },
        ...names.map(([part, kept, type]) => ({
          ...{ name: part, label: t(`credential_part_${part}`), type, value: stored[kept] ?? '' },
          optional: true,
        })),
      ],
      work: async (values) => {
        const credentials = given(values);
        await tried(api, path, credentials);
        await api.post(`${path}/rotate`, { credentials });
        again();
      },
      close,
    },
    h('p', {}, t('rotate_words')),
  );
}

/** What is left empty stays as it is stored. @param {Record<string, string>} values */
function given({ apiKey = '', ...more }) {
  return { apiKey, ...Object.fromEntries(Object.entries(more).filter(([, text]) => text !== '')) };
}
