import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { addressOf } from '../app/router.js';
import { useAction } from '../parts/action.js';
import { useReading } from '../parts/reading.js';
import { areaOf } from '../repairs/finding-area.js';
import { t as repairs } from '../repairs/words.js';
import { formatAge } from '../words/time.js';
import { withoutIds } from '../words/without-ids.js';
import { Problem } from './problem.js';
import { t } from './words.js';

/** @import { Examination } from '../app/contract.js' */
/** @typedef {Examination['findings'][number]} Finding */

const LOOK_MS = 1_000;
const TONES = { ok: 'good', warn: 'warn', fail: 'bad' };
const ORDER = ['fail', 'warn', 'ok'];
/** @param {Finding} finding */
const isFine = ({ level }) => level === 'ok';

/** `tillctl doctor` from the page: what is wrong, why it matters, and where it is mended. */
export function Doctor() {
  const { api } = useConsole();
  const { document, problem, again } = useReading('/v2/doctor', LOOK_MS);
  const start = useAction();
  /** @type {Examination | undefined} */
  const found = document?.data;
  const isRunning = found?.state === 'running';
  return h(
    'div',
    { class: 'stack' },
    h('h1', {}, t('view_doctor')),
    h('p', { class: 'quiet' }, t('doctor_words')),
    h(
      'div',
      { class: 'buttons' },
      h(
        'button',
        {
          type: 'button',
          class: 'button button-main',
          'aria-disabled': isRunning || start.busy,
          onClick: () => isRunning || void start.run(() => api.post('/v2/doctor')).then(again),
        },
        t(isRunning ? 'doctor_running' : 'doctor_start'),
      ),
    ),
    h(Problem, { problem: problem || start.problem }),
    found?.failure &&
      h('p', { class: 'problem', role: 'alert' }, t('doctor_failed', { reason: found.failure })),
    found && h(Findings, { found }),
  );
}

/** @param {{ found: Examination }} props */
function Findings({ found: { state, ended_at: ended, findings } }) {
  if (state === 'never') return h('p', { class: 'card' }, t('doctor_never'));
  const sorted = [...findings].sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
  const fine = sorted.filter(isFine);
  const bad = findings.length - fine.length;
  return h(
    'div',
    { class: 'stack' },
    ended !== null &&
      h(
        'p',
        { role: 'status' },
        h(
          'strong',
          {},
          bad === 0 ? t('doctor_well', { count: findings.length }) : t('doctor_ill', { count: bad }),
        ),
        ' ',
        h('span', { class: 'quiet' }, t('ago', { age: formatAge(ended, now.value) })),
      ),
    h(Checks, { findings: sorted.filter((finding) => !isFine(finding)) }),
    fine.length > 0 &&
      h(
        'details',
        { class: 'help' },
        h('summary', {}, t('doctor_fine', { count: fine.length })),
        h(Checks, { findings: fine }),
      ),
  );
}

/** @param {{ findings: readonly Finding[] }} props */
function Checks({ findings }) {
  return h(
    'ul',
    { class: 'rows-of-cards' },
    findings.map((finding, index) =>
      h(
        'li',
        {
          key: `${finding.id} ${index}`,
          class: isFine(finding) ? 'finding finding-ok' : 'finding card',
          'data-check': finding.id,
        },
        isFine(finding) ? h(Fine, { finding }) : h(Amiss, { finding }),
      ),
    ),
  );
}

/** @param {{ finding: Finding }} props */
function Fine({ finding: { id, what } }) {
  const terminals = useConsole().shop.status.value?.terminals ?? [];
  return h(
    'div',
    { class: 'finding-head' },
    h('strong', {}, repairs(`area_${areaOf(id).area}`)),
    h('span', { lang: 'en' }, withoutIds(what, terminals)),
  );
}

/** What is wrong, what it means, and where it is mended: in these pages, or at the machine. @param {{ finding: Finding }} props */
function Amiss({ finding: { id, level, what, why, fix } }) {
  const terminals = useConsole().shop.status.value?.terminals ?? [];
  const { area, place } = areaOf(id);
  return h(
    'div',
    { class: 'stack-small' },
    h(
      'div',
      { class: 'finding-head' },
      h('span', { class: `badge badge-${TONES[level]}` }, t(`level_${level}`)),
      h('strong', {}, repairs(`area_${area}`)),
    ),
    h('p', {}, repairs(`finding_${area}`)),
    place !== null &&
      h(
        'div',
        { class: 'buttons' },
        h('a', { class: 'button', href: addressOf(place) }, repairs('open_place')),
      ),
    h(
      'details',
      { class: 'help' },
      h('summary', {}, t('doctor_at_machine')),
      h('p', { lang: 'en' }, withoutIds(`${what}. ${why ?? ''}`, terminals)),
      fix !== null && h('p', {}, h('code', { lang: 'en' }, withoutIds(fix, terminals))),
    ),
  );
}
