import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { addressOf } from '../app/router.js';
import { Charts } from './charts.js';
import { Doctor } from './doctor.js';
import { Integrations } from './integrations.js';
import { LogTail } from './log-tail.js';
import { Outbox } from './outbox.js';
import { Overview } from './overview.js';
import { People } from './people.js';
import { t } from './words.js';

/** @import { ComponentType } from 'preact' */
/** @import { Role } from '../app/contract.js' */
/** @typedef {{ id: string, title: () => string, role: Role, View: ComponentType }} View */

/** The first is the start view. @type {readonly View[]} */
const VIEWS = [
  { id: 'overview', title: () => t('view_overview'), role: 'lead', View: Overview },
  { id: 'outbox', title: () => t('view_outbox'), role: 'lead', View: Outbox },
  { id: 'people', title: () => t('view_people'), role: 'lead', View: People },
  { id: 'integrations', title: () => t('view_integrations'), role: 'ops', View: Integrations },
  { id: 'charts', title: () => t('view_charts'), role: 'ops', View: Charts },
  { id: 'log', title: () => t('view_log'), role: 'ops', View: LogTail },
  { id: 'doctor', title: () => t('view_doctor'), role: 'ops', View: Doctor },
];

/** The operations page: its views by role. */
export function Page() {
  const { router, session } = useConsole();
  const views = VIEWS.filter(({ role }) => session.isAtLeast(role));
  const current = views.find(({ id }) => id === router.path.value[1]) ?? views[0];
  return h(
    'div',
    { class: 'ops' },
    h(
      'nav',
      { class: 'tabs', 'aria-label': t('views') },
      views.map(({ id, title }) =>
        h(
          'a',
          {
            key: id,
            href: addressOf(['ops', id]),
            'aria-current': id === current?.id ? 'page' : undefined,
          },
          title(),
        ),
      ),
    ),
    current && h(current.View, { key: current.id }),
  );
}
