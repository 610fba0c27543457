import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { t } from '../app/words.js';
import { withoutIds } from '../words/without-ids.js';

/** tilld's own text, in English, folded beside a sentence in the language of the page. @param {{ text: string }} props */
export function EnglishText({ text }) {
  const terminals = useConsole().shop.status.value?.terminals ?? [];
  return h(
    'details',
    { class: 'help' },
    h('summary', {}, t('details')),
    h('p', { lang: 'en' }, withoutIds(text, terminals)),
  );
}
