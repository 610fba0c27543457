import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { Confirm } from '../parts/confirm.js';
import { useReading } from '../parts/reading.js';
import { credentialFields, credentialOf } from './credential-fields.js';
import { tried } from './tried.js';
import { t } from './words.js';

/**
 * Activates an integration, with a new or the stored credential. The typed credential goes to tilld, which seals it; no page shows its key.
 * @param {{ path: string, again: () => void, close: () => void }} props
 */
export function SwitchOn({ path, again, close }) {
  const { api } = useConsole();
  const { document } = useReading(`${path}/credentials`, 0);
  if (document === null) return null;
  return h(
    Confirm,
    {
      title: t('activate_title'),
      label: t('activate'),
      fields: credentialFields(document.data, { label: t('credential_key'), optional: true }),
      work: async (values) => {
        const credentials = credentialOf(values);
        const isGiven = credentials.apiKey !== '';
        if (isGiven) await tried(api, path, credentials);
        await api.post(`${path}/activate`, isGiven ? { credentials } : {});
        again();
      },
      close,
    },
    h('p', {}, t('activate_words')),
  );
}
