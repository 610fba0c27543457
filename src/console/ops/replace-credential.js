import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { Confirm } from '../parts/confirm.js';
import { StoredAddress } from './stored-address.js';
import { tried } from './tried.js';
import { t } from './words.js';

/**
 * Another credential for an integration whose own is rejected. A key without an address is one for the stored address.
 * @param {{ path: string, again: () => void, close: () => void }} props
 */
export function Replace({ path, again, close }) {
  const { api } = useConsole();
  return h(
    Confirm,
    {
      title: t('rotate_title'),
      label: t('rotate'),
      fields: [
        { name: 'apiKey', label: t('rotate_key'), type: 'password' },
        { name: 'baseUrl', label: t('credential_url'), type: 'url', optional: true },
      ],
      work: async ({ apiKey = '', baseUrl = '' }) => {
        const credentials = { apiKey, ...(baseUrl === '' ? {} : { baseUrl }) };
        await tried(api, path, credentials);
        await api.post(`${path}/rotate`, { credentials });
        again();
      },
      close,
    },
    h('p', {}, t('rotate_words')),
    h(StoredAddress, { path }),
  );
}
