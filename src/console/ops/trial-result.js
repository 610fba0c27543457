import { h } from 'preact';
import { useState } from 'preact/hooks';
import { masked, maskedWords } from '../../sentences/masked.js';
import { now } from '../app/now.js';
import { language } from '../words/language.js';
import { formatMoment } from '../words/time.js';
import { t } from './words.js';

/** @import { RecipeTrial } from '../app/contract.js' */
/** @typedef {RecipeTrial['records'][number]} TriedRecord */

const TONES = /** @type {const} */ ({ write: 'good', remove: 'bad', park: 'warn', ignore: 'plain' });

/** The tried page, record by record; personal data are masked until they are asked for. @param {{ trial: RecipeTrial }} props */
export function TrialResult({ trial }) {
  const [isWhole, setWhole] = useState(false);
  const {
    resource,
    request,
    received,
    has_more: hasMore,
    records,
    warnings,
  } = isWhole ? trial : withoutPersons(trial);
  const came = t(hasMore ? 'trial_came_more' : 'trial_came', { count: received, resource });
  return h(
    'div',
    { class: 'stack-small', 'data-trial': resource },
    h('p', { role: 'status' }, h('strong', {}, came), ` ${t('trial_not_stored')}`),
    h('pre', { class: 'mono', tabIndex: 0 }, request),
    h(Warnings, { warnings }),
    h(
      'label',
      { class: 'check' },
      h('input', {
        type: 'checkbox',
        checked: isWhole,
        onChange: (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) =>
          setWhole(currentTarget.checked),
      }),
      h('span', {}, t('trial_show_data')),
    ),
    h(
      'ol',
      { class: 'rows-of-cards' },
      records.map((record, index) => h('li', { key: index }, h(Tried, { record, no: index + 1 }))),
    ),
  );
}

/** @param {{ record: TriedRecord, no: number }} props */
function Tried({ record: { raw, mapped, problem, op, request, written, warnings }, no }) {
  const changed = mapped?.updated_at ?? null;
  return h(
    'article',
    { class: 'card' },
    h(
      'div',
      { class: 'head' },
      h('h3', {}, t('trial_record', { no })),
      h('span', { class: `badge badge-${TONES[op]}` }, t(`trial_op_${op}`)),
    ),
    h(Part, { title: t('trial_raw'), value: raw }),
    mapped === null
      ? h(InEnglish, { title: t('trial_problem'), texts: [problem ?? ''] })
      : h(Part, {
          title:
            t('trial_mapped', { id: mapped.id }) +
            (changed === null
              ? ''
              : ` · ${t('trial_changed', { moment: formatMoment(changed, now.value) })}`),
          value: mapped.fields,
        }),
    written !== null &&
      h(Part, {
        title: t('trial_written'),
        value: request === null ? written : `${request}\n${textOf(written)}`,
      }),
    h(Warnings, { warnings }),
  );
}

/** @param {{ title: string, value: unknown }} props */
function Part({ title, value }) {
  return h(
    'div',
    {},
    h('h4', {}, title),
    h('pre', { class: 'mono', tabIndex: 0, role: 'group', 'aria-label': title }, textOf(value)),
  );
}

/** What is probably not meant. @param {{ warnings: readonly string[] }} props */
function Warnings({ warnings }) {
  return warnings.length > 0 && h(InEnglish, { title: t('trial_warnings'), texts: warnings });
}

/** tilld's own English, as a recipe's author reads it; folded in another language. @param {{ title: string, texts: readonly string[] }} props */
function InEnglish({ title, texts }) {
  return h(
    'details',
    { class: 'help', open: language.value === 'en' },
    h('summary', { class: 'problem' }, title),
    h(
      'ul',
      { class: 'plain-list' },
      texts.map((words) => h('li', { key: words, lang: 'en' }, words)),
    ),
  );
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** @param {RecipeTrial} trial @returns {RecipeTrial} */
function withoutPersons(trial) {
  const { resource } = trial;
  return {
    ...trial,
    request: maskedWords(trial.request),
    warnings: trial.warnings.map(maskedWords),
    records: trial.records.map((record) => recordWithoutPersons(resource, record)),
  };
}

/** The text in place of what is not written is the reason, in tilld's words. @param {string} resource @param {TriedRecord} record @returns {TriedRecord} */
function recordWithoutPersons(resource, { raw, mapped, problem, request, written, warnings, ...record }) {
  const hidden = (/** @type {any} */ value) => /** @type {typeof value} */ (masked(resource, value));
  const isReason = (record.op === 'park' || record.op === 'ignore') && typeof written === 'string';
  return {
    ...record,
    raw: hidden(raw),
    mapped: mapped && { ...mapped, id: maskedWords(mapped.id), fields: hidden(mapped.fields) },
    problem: problem && maskedWords(problem),
    request: request && maskedWords(request),
    written: isReason ? maskedWords(written) : hidden(written),
    warnings: warnings.map(maskedWords),
  };
}
