import { h } from 'preact';
import { useReading } from '../parts/reading.js';
import { t } from './words.js';

/** Where a typed key goes without a typed address; nothing where none is stored. @param {{ path: string }} props `path` of the integration */
export function StoredAddress({ path }) {
  const { document } = useReading(`${path}/credentials`, 0);
  const address = document?.data.base_url ?? null;
  return address === null ? null : h('p', {}, t('credential_address', { address }));
}
