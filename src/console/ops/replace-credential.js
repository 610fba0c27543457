import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { Confirm } from '../parts/confirm.js';
import { useReading } from '../parts/reading.js';
import { credentialFields, credentialOf } from './credential-fields.js';
import { tried } from './tried.js';
import { t } from './words.js';

/**
 * Another credential in place of the stored one, after its provider has accepted it.
 * @param {{ path: string, again: () => void, close: () => void }} props
 */
export function Replace({ path, again, close }) {
  const { api } = useConsole();
  const { document } = useReading(`${path}/credentials`, 0);
  if (document === null) return null;
  return h(
    Confirm,
    {
      title: t('rotate_title'),
      label: t('rotate'),
      fields: credentialFields(document.data, { label: t('rotate_key') }),
      work: async (values) => {
        const credentials = credentialOf(values);
        await tried(api, path, credentials);
        await api.post(`${path}/rotate`, { credentials });
        again();
      },
      close,
    },
    h('p', {}, t('rotate_words')),
  );
}
