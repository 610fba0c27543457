import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { formatMoment } from '../words/time.js';
import { t } from './words.js';

/**
 * How old mirrored data is, and a warning while the service cannot be reached.
 * `freshAt` null: not everything was fetched yet. `count`: of what is shown; `hasMore`: not all that was found.
 * @param {{ freshAt: string | null, count?: number, hasMore?: boolean }} props
 */
export function DataAge({ freshAt, count, hasMore = false }) {
  const { shop } = useConsole();
  const moment = formatMoment(freshAt, now.value);
  const isOffline = shop.status.value?.link.state === 'offline';
  const isWarned = isOffline || freshAt === null;
  return h(
    'p',
    { class: isWarned ? 'badge-warn note' : 'quiet', role: 'status' },
    freshAt === null ? t('data_incomplete') : t(isOffline ? 'data_stale' : 'data_fresh', { moment }),
    count !== undefined && count > 0 && ` ${t(hasMore ? 'found_first' : 'found_count', { count })}`,
  );
}
