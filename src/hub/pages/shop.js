import { ask } from './api.js';
import { breaks } from './breaks.js';
import { ago, badge, element, row, table } from './element.js';
import { pagedTable } from './paged-table.js';
import { addressOf } from './router.js';
import { moment, t, wordFor } from './words.js';

/**
 * One shop: its state and why, its terminals, alerts and newest payments.
 * @param {string} name
 * @param {boolean} mayEnd whether the operator may end alerts
 * @param {(error: unknown) => void} failed
 */
export async function shop(name, mayEnd, failed) {
  const path = `/v1/shops/${encodeURIComponent(name)}`;
  /** @type {import('./api.js').Shop} */
  const found = (await ask('GET', path)).data;
  const columns = [t('column_payment'), t('column_payment_state'), t('column_at'), t('column_received')];
  const payments = pagedTable('payments', columns, (payment) => paymentRow(name, payment), failed);
  await payments.read(new URLSearchParams({ shop: name, limit: '20' }));
  return element(
    'div',
    { class: 'stack' },
    element('a', { href: addressOf([]) }, `← ${t('shops')}`),
    element('h1', { tabindex: -1 }, found.name),
    state(found),
    alerts(found, mayEnd, failed),
    breaks(found.agents),
    tasks((await ask('GET', `/v1/tasks?shop=${encodeURIComponent(name)}`)).data),
    terminals(found.status?.terminals ?? []),
    element('section', { class: 'card' }, element('h2', {}, t('payments')), payments.element),
  );
}

/** @param {import('./api.js').Shop} shop */
function state({ state: code, version, seen_at, status }) {
  const reasons = (status?.reasons ?? []).map(({ message }) => element('li', {}, message));
  const { pending = 0, parked = 0 } = status?.outbox ?? {};
  return element(
    'section',
    { class: 'card' },
    element('p', {}, badge('state', code), ' ', wordFor('state', `${code}_words`)),
    element(
      'p',
      { class: 'quiet' },
      ...[`${t('column_version')}: ${version ?? t('unknown')} · ${t('column_seen')}: `, ago(seen_at)],
    ),
    status === null ? null : element('p', { class: 'quiet' }, t('outbox', { pending, parked })),
    ...configuration(status?.configuration),
    reasons.length === 0 ? null : element('h2', {}, t('reasons')),
    reasons.length === 0 ? null : element('ul', {}, ...reasons),
  );
}

/**
 * What runs, what is tried, and what the shop gave up.
 * @param {import('./api.js').Configuration | undefined} found
 */
function configuration(found) {
  if (found === undefined) return [];
  const { running, attempted, failed } = found;
  const words = [
    running == null ? t('configuration_own') : t('configuration_running', { revision: `${running}` }),
    attempted &&
      t(attempted.state === 'waiting' ? 'configuration_waiting' : 'configuration_judged', {
        revision: `${attempted.revision}`,
      }),
    failed && t('configuration_failed', { revision: `${failed.revision}`, why: failed.why }),
  ];
  return words.filter((line) => line != null).map((line) => element('p', { class: 'quiet' }, line));
}

/**
 * @param {import('./api.js').Shop} shop
 * @param {boolean} mayEnd
 * @param {(error: unknown) => void} failed
 */
function alerts({ open_alerts }, mayEnd, failed) {
  const status = element(
    'p',
    { role: 'status', class: 'quiet' },
    open_alerts.length === 0 ? t('alerts_none') : '',
  );
  const heading = element('h2', { tabindex: -1 }, t('alerts'));
  const items = open_alerts.map(({ id, kind, raised_at }) => {
    const words = wordFor('alert', kind);
    const end = async () => {
      await ask('POST', `/v1/alerts/${id}/end`);
      item.remove();
      status.textContent = t('alert_ended');
      heading.focus();
    };
    const button = element(
      'button',
      {
        type: 'button',
        class: 'button',
        'aria-label': t('alert_end_of', { alert: words }),
        onclick: () => end().catch(failed),
      },
      t('alert_end'),
    );
    const since = element('span', { class: 'quiet' }, t('alert_since', { moment: moment(raised_at) }));
    const item = element(
      'li',
      { class: 'alert' },
      element('p', {}, words, ' ', since),
      mayEnd ? button : null,
    );
    return item;
  });
  return element(
    'section',
    { class: 'card' },
    heading,
    items.length === 0 ? null : element('ul', { class: 'plain' }, ...items),
    status,
  );
}

/** What operators asked for, and a person of the shop does or declines. @param {readonly import('./api.js').Task[]} list */
function tasks(list) {
  if (list.length === 0) return null;
  const columns = [
    t('column_task'),
    t('column_operator'),
    t('column_reason'),
    t('column_since'),
    t('column_until'),
  ];
  const rows = list.map(({ kind, operator, reason, since, expires_at }) =>
    row(wordFor('task', kind), operator, reason ?? '', ago(since), moment(expires_at)),
  );
  return element(
    'section',
    { class: 'card' },
    element('h2', {}, t('tasks')),
    table(t('tasks'), columns, element('tbody', {}, ...rows)),
  );
}

/** @param {readonly import('./api.js').Terminal[]} list */
function terminals(list) {
  const columns = [
    t('column_terminal'),
    t('column_driver'),
    t('column_status'),
    t('column_needs'),
    t('column_doubt'),
  ];
  const rows = list.map(({ name, driver, status, needs, in_doubt }) =>
    row(
      name,
      driver,
      badge('terminal', status),
      needs ?? '',
      in_doubt ? badge('payment', 'in_doubt') : t('no'),
    ),
  );
  return element(
    'section',
    { class: 'card' },
    element('h2', {}, t('terminals')),
    rows.length === 0
      ? element('p', { class: 'quiet' }, t('terminals_none'))
      : table(t('terminals'), columns, element('tbody', {}, ...rows)),
  );
}

/**
 * @param {string} name
 * @param {import('./api.js').PaymentSummary} payment
 */
function paymentRow(name, { id, state: code, at, received_at }) {
  const link = element('a', { href: addressOf(['shops', name, 'payments', id]) }, id);
  return row(link, badge('payment', code), moment(at), ago(received_at));
}
