import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { standWords } from '../../sentences/reasons.js';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { t as app } from '../app/words.js';
import { t as ops } from '../ops/words.js';
import { EnglishText } from '../parts/english-text.js';
import { askedBy, sentencesOf } from '../till/words.js';
import { language } from '../words/language.js';
import { formatMoney } from '../words/money.js';
import { formatMoment } from '../words/time.js';
import { areaOf } from './finding-area.js';
import { RepairButtons } from './repair-buttons.js';
import { t } from './words.js';

/** @import { Device, Payment } from '../app/contract.js' */
/** @import { Repair } from './repairs.js' */

/**
 * The texts of a repair. `detail`: tilld's or another program's own text, in English; empty: there is none.
 * @typedef {{ title: string, words: string, detail?: string }} Words
 */

/** States whose own words do not say what to do. */
/** What a state of this machine is about. @type {Readonly<Record<string, 'area_disk' | 'area_database' | 'area_clock' | 'area_journal' | 'area_archive' | 'area_terminal'>>} */
const AREAS_OF_STATES = {
  no_devices: 'area_terminal',
  disk_full: 'area_disk',
  read_only: 'area_disk',
  storage_failed: 'area_disk',
  storage_quarantined: 'area_database',
  database_copied: 'area_database',
  memory_lost: 'area_database',
  clock_wrong: 'area_clock',
  journal_broken: 'area_journal',
  archive_stopped: 'area_archive',
};
const MENDED_AT_MACHINE = [
  'no_devices',
  'disk_full',
  'read_only',
  'storage_failed',
  'journal_broken',
  'archive_stopped',
];

/** One thing that is wrong: what it means, who can mend it, and the button that does. @param {{ repair: Repair, again: () => void }} props */
export function RepairCard({ repair, again }) {
  const { session, shop } = useConsole();
  const payment = usePaymentOf(repair);
  const { title, words, detail = '' } = wordsOf(repair, payment, nameOf(shop.status.value?.terminals ?? []));
  const isMine = session.isAtLeast(repair.least);
  return h(
    'article',
    { class: 'card', 'data-repair': repair.kind },
    h(
      'div',
      { class: 'head' },
      h('h3', {}, title),
      h(
        'span',
        { class: `badge badge-${repair.level === 'error' ? 'bad' : 'warn'}` },
        t(`level_${repair.level}`),
      ),
    ),
    h('p', {}, words),
    detail !== '' && h(EnglishText, { text: detail }),
    isMine
      ? h(RepairButtons, { repair, again })
      : h('p', { class: 'quiet' }, t('who', { role: app(`role_${repair.least}`) })),
  );
}

/** The payment that a task is about. @param {Repair} repair */
function usePaymentOf(repair) {
  const { payments } = useConsole().shop;
  const id = repair.kind === 'task' ? repair.task.payment_id : null;
  const payment = id === null ? undefined : payments.get(id);
  useEffect(() => {
    if (id !== null && !payment) payments.read(id).catch(() => undefined);
  }, [id]);
  return payment;
}

/** @param {readonly { readonly id: string, readonly name: string }[]} terminals */
function nameOf(terminals) {
  return (/** @type {string} */ id) => terminals.find((one) => one.id === id)?.name ?? t('a_terminal');
}

/**
 * @param {Repair} repair
 * @param {Payment | undefined} payment
 * @param {(id: string) => string} terminal
 * @returns {Words}
 */
function wordsOf(repair, payment, terminal) {
  switch (repair.kind) {
    case 'doubt':
      return doubtWords(repair.payment, terminal(repair.payment.device_id));
    case 'task':
      return taskWords(repair, payment, terminal);
    case 'refused':
      return refusedWords(repair);
    case 'terminal': {
      const { name, status_reason: reason } = repair.device;
      const key = terminalKey(repair.device);
      return {
        title: t(`terminal_${key}`, { name }),
        words: t(`terminal_${key}_words`),
        detail: reason ?? '',
      };
    }
    case 'service': {
      const { code, reason } = repair.link;
      const words =
        code === null ? ops('link_offline_words') : `${ops(`link_why_${code}`)} ${ops(`link_now_${code}`)}`;
      return { title: t('service'), words, detail: reason ?? '' };
    }
    case 'state': {
      const { code, message } = repair.reason;
      const what = standWords({ code }, language.value) ?? code;
      const words = MENDED_AT_MACHINE.includes(code) ? `${what} ${t('at_machine')}` : what;
      return { title: t(AREAS_OF_STATES[code] ?? 'shop'), words, detail: message };
    }
    case 'finding': {
      const { id, what, why } = repair.finding;
      const { area } = areaOf(id);
      const detail = what === undefined ? '' : `${what}. ${why ?? ''}`;
      return { title: t(`area_${area}`), words: t(`finding_${area}`), detail };
    }
    case 'recipe': {
      const { provider, file } = repair;
      return {
        title: t('recipe_changed', { provider }),
        words: ops('integration_recipe_changed'),
        detail: file,
      };
    }
    default:
      return syncWords(repair);
  }
}

/** @param {Payment} payment @param {string} terminal @returns {Words} */
function doubtWords(payment, terminal) {
  const { amount_minor: minor, currency, created_at: at } = payment;
  const { title, charged, now: next } = sentencesOf(payment);
  return {
    title: [formatMoney(minor, currency), terminal, formatMoment(at, now.value)].join(' · '),
    words: [title.replace(/[^.!?]$/, '$&.'), charged, next].join(' '),
  };
}

/**
 * @param {Extract<Repair, { kind: 'task' }>} repair
 * @param {Payment | undefined} payment
 * @param {(id: string) => string} terminal
 * @returns {Words}
 */
function taskWords({ task }, payment, terminal) {
  const { what, charged, now: next } = askedBy(task, payment);
  const where = task.device_id === null ? [] : [terminal(task.device_id)];
  const money = payment ? [formatMoney(payment.amount_minor, payment.currency)] : [];
  const title = [t('task'), ...money, ...where, formatMoment(task.created_at, now.value)].join(' · ');
  return {
    title,
    words: [what, charged, next].filter((text) => text !== '').join(' '),
    detail: task.message,
  };
}

/** @param {Extract<Repair, { kind: 'refused' }>} repair @returns {Words} */
function refusedWords({ refused: { kind, reports, totals, waiting, example } }) {
  const total = totals.map(({ minor, currency }) => formatMoney(minor, currency)).join(' + ');
  const behind = waiting === 0 ? '' : ` ${t('refused_waiting', { count: waiting })}`;
  return {
    title: `${t('refused', { count: reports.length })} · ${total}`,
    words: `${t(`cause_${kind}`)} ${t('refused_words')}${behind}`,
    detail: example,
  };
}

/** @param {Extract<Repair, { kind: 'integration' | 'stream' | 'on_hold' }>} repair @returns {Words} */
function syncWords(repair) {
  const { provider } = repair;
  if (repair.kind === 'integration') {
    const { paused, reason } = repair;
    const title = t(paused === 'refused' ? 'integration_refused' : 'integration_paused', { provider });
    return { title, words: t(`integration_${paused}_words`), detail: reason };
  }
  if (repair.kind === 'stream') {
    const { resource, state, reason } = repair;
    return {
      title: t(`stream_${state}`, { name: `${provider}/${resource}` }),
      words: t(`stream_${state}_words`),
      detail: reason,
    };
  }
  const { count, isAll } = repair;
  return {
    title: `${provider} · ${t('on_hold', { count })}`,
    words: t(isAll ? 'on_hold_all_words' : 'on_hold_words', { count }),
  };
}

/** What is wrong with a terminal. @param {Device} device */
function terminalKey({ status, needs }) {
  if (status === 'wrong_terminal') return 'wrong';
  if (needs === null) return 'offline';
  return needs === 'terminal_printer' ? 'paper' : 'needs';
}
