import { t } from './words.js';

/** @typedef {{ readonly name: string, readonly role: 'viewer' | 'operator' | 'admin' }} Operator */
/** @typedef {{ readonly name: string, readonly state: string, readonly version: string | null, readonly seen_at: string | null, readonly can_report: boolean | null, readonly is_fresh: boolean | null, readonly in_doubt: number, readonly alerts: number }} ShopSummary */
/** @typedef {{ readonly id: string, readonly kind: string, readonly raised_at: string }} Alert */
/** @typedef {{ readonly id: string, readonly name: string, readonly driver: string, readonly status: string, readonly needs: string | null, readonly in_doubt: boolean }} Terminal */
/** @typedef {{ readonly reasons?: readonly { readonly code: string, readonly message: string }[], readonly terminals?: readonly Terminal[], readonly outbox?: { readonly pending: number, readonly parked: number }, readonly configuration?: Configuration }} ShopReport */
/** @typedef {{ readonly running?: number | null, readonly attempted?: { readonly revision: number, readonly state: string } | null, readonly failed?: { readonly revision: number, readonly why: string } | null }} Configuration */
/** @typedef {{ readonly kind: string, readonly operator: string, readonly reason: string | null, readonly since: string, readonly expires_at: string }} Task */
/** @typedef {{ readonly branch: number, readonly seq: number, readonly found_at: string }} ChainBreak */
/** @typedef {{ readonly released_at: string, readonly actor: string, readonly branch: number, readonly seq: number, readonly reason: string }} Release */
/** @typedef {{ readonly id: string, readonly quarantined: string | null, readonly breaks: readonly ChainBreak[], readonly releases: readonly Release[] }} Agent */
/** @typedef {ShopSummary & { readonly status: ShopReport | null, readonly agents: readonly Agent[], readonly open_alerts: readonly Alert[] }} Shop */
/** @typedef {{ readonly id: string, readonly state: string, readonly at: number, readonly received_at: string }} PaymentSummary */
/** @typedef {{ readonly epoch: string, readonly branch: number, readonly seq: number, readonly at: number, readonly event: string, readonly to_state: string, readonly details: string, readonly damaged: string | null }} Entry */
/** @typedef {{ readonly id: string, readonly state: string | null, readonly entries: readonly Entry[] }} Payment */
/** @typedef {Readonly<Record<string, number>>} Counts how many shops of a rollout are how far */
/** @typedef {{ readonly name: string, readonly state: 'draft' | 'running' | 'paused' | 'done' | 'stopped', readonly paused_by: string | null, readonly created_by: string, readonly created_at: string, readonly rings: readonly { readonly percent: number, readonly minutes: number }[], readonly ring: number, readonly next_ring_at: string | null, readonly shops: Counts }} Rollout */
/** @typedef {{ readonly shop: string, readonly ring: number, readonly state: string, readonly details: string | null, readonly handed_at: string | null, readonly ended_at: string | null }} RolloutShop */
/**
 * @template T
 * @typedef {{ readonly data: readonly T[], readonly has_more: boolean, readonly next_cursor: string | null }} Page
 */

/** An answer that is no success; its message is for people. */
export class Refused extends Error {
  /**
   * @param {number} status 0: there was no answer
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * One request to this hub; the browser adds the cookie of the session.
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} the JSON of the answer; null where it has none
 * @throws {Refused}
 */
export async function ask(method, path, body) {
  /** @type {RequestInit} */
  const sent = { method, credentials: 'same-origin', cache: 'no-store', redirect: 'error' };
  const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const reply = await fetch(path, body === undefined ? sent : { ...sent, ...json }).catch(() => null);
  if (reply === null) throw new Refused(0, t('unreachable'));
  const text = await reply.text();
  const answer = parsed(text);
  if (!reply.ok) throw new Refused(reply.status, messageOf(reply.status, answer));
  return answer;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * @param {number} status
 * @param {any} answer
 */
function messageOf(status, answer) {
  if (status === 404) return t('missing');
  if (status === 429 || status === 503) return t('overloaded');
  if (status === 502 || status === 504) return t('unreachable');
  return t('failed', { reason: String(answer?.error?.message ?? status) });
}
