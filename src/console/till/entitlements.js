import { h } from 'preact';
import { now } from '../app/now.js';
import { formatMoment } from '../words/time.js';
import { t } from './words.js';

/** @import { CustomerState } from './customer-lists.js' */
/** @typedef {NonNullable<CustomerState['entitlements']>['data'][number]} Entitlement */

/** What a customer may have without paying, and until when. @param {{ entitlements: readonly Entitlement[] }} props */
export function Entitlements({ entitlements }) {
  const sorted = entitlements.toSorted((one, other) => Number(other.has_access) - Number(one.has_access));
  return h(
    'ul',
    { class: 'rows' },
    sorted.map((one) =>
      h(
        'li',
        { key: one.id, class: 'row row-two' },
        h('span', { class: 'row-main' }, benefitOf(one)),
        h('span', { class: `badge badge-${one.has_access ? 'good' : 'bad'}` }, accessText(one)),
      ),
    ),
  );
}

/** @param {Entitlement} entitlement */
function benefitOf({ benefit, benefit_id, id }) {
  const { name, benefit_key: key } = benefit ?? {};
  return String(name ?? key ?? benefit_id ?? id);
}

/** @param {Entitlement} entitlement */
function accessText({ has_access, granted_at, expires_at }) {
  const at = now.value;
  /** @param {string | null | undefined} instant */
  const moment = (instant) => ({ moment: formatMoment(instant ?? null, at) });
  if (has_access) return expires_at ? t('entitlement_until', moment(expires_at)) : t('entitlement_yes');
  if (expires_at && Date.parse(expires_at) <= at) return t('entitlement_ended', moment(expires_at));
  if (granted_at && Date.parse(granted_at) > at) return t('entitlement_from', moment(granted_at));
  return t('entitlement_no');
}
