import { h } from 'preact';
import { t } from './words.js';

/** Why the configuration's integration does not run, with file, line and column. @param {{ reason: string }} props */
export function Refused({ reason }) {
  return h(
    'div',
    { class: 'notice notice-bad' },
    h('p', {}, t('integration_refused_words')),
    h('code', {}, reason),
  );
}
