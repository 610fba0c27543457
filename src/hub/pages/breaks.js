import { element } from './element.js';
import { moment, t } from './words.js';

/**
 * Where journals of a shop contradict themselves, which agents get no commands for it, and what was released; null: nothing of it.
 * @param {readonly import('./api.js').Agent[]} agents
 */
export function breaks(agents) {
  const items = agents.flatMap(({ id, quarantined, breaks: broken, releases }) => [
    ...broken.map(({ branch, seq, found_at }) => t('break_at', { seq, branch, moment: moment(found_at) })),
    ...releases.map(({ released_at, actor, branch, seq, reason }) =>
      t('released_by', { moment: moment(released_at), actor, branch, seq, reason }),
    ),
    ...(quarantined === null ? [] : [t('quarantined_until', { command: `tillhub agents show ${id}` })]),
  ]);
  if (items.length === 0) return null;
  return element(
    'section',
    { class: 'card' },
    element('h2', {}, t('breaks')),
    element('ul', {}, ...items.map((item) => element('li', {}, item))),
  );
}
