import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { addressOf } from '../app/router.js';
import { Closing } from './closing.js';
import { Takings } from './takings.js';
import { t } from './words.js';

/** The first is the start view. */
const VIEWS = [
  { id: 'close', title: () => t('view_close'), View: Closing },
  { id: 'takings', title: () => t('view_takings'), View: Takings },
];

/** The day of the shop: its close at the terminals, and what it has taken. */
export function Page() {
  const { router } = useConsole();
  const current = VIEWS.find(({ id }) => id === router.path.value[1]) ?? VIEWS[0];
  return h(
    'div',
    { class: 'ops' },
    h(
      'nav',
      { class: 'tabs', 'aria-label': t('views') },
      VIEWS.map(({ id, title }) =>
        h(
          'a',
          {
            key: id,
            href: addressOf(['day', id]),
            'aria-current': id === current?.id ? 'page' : undefined,
          },
          title(),
        ),
      ),
    ),
    current && h(current.View, { key: current.id }),
  );
}
