import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { Confirm } from '../parts/confirm.js';
import { tried } from './tried.js';
import { t } from './words.js';

/**
 * Activates an integration, with a new or the stored credential. The typed credential goes to tilld, which seals it; no page shows it.
 * @param {{ path: string, again: () => void, close: () => void }} props
 */
export function SwitchOn({ path, again, close }) {
  const { api } = useConsole();
  return h(
    Confirm,
    {
      title: t('activate_title'),
      label: t('activate'),
      fields: [
        { name: 'apiKey', label: t('credential_key'), type: 'password', optional: true },
        { name: 'baseUrl', label: t('credential_url'), type: 'url', optional: true },
      ],
      work: async ({ apiKey = '', baseUrl = '' }) => {
        const credentials = { apiKey, ...(baseUrl === '' ? {} : { baseUrl }) };
        if (apiKey !== '') await tried(api, path, credentials);
        await api.post(`${path}/activate`, apiKey === '' ? {} : { credentials });
        again();
      },
      close,
    },
    h('p', {}, t('activate_words')),
  );
}
