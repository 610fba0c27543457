import { h } from 'preact';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { useAction } from '../parts/action.js';
import { useReading } from '../parts/reading.js';
import { openQuestions } from '../till/open-questions.js';
import { formatAge } from '../words/time.js';
import { MoreReports } from './more-reports.js';
import { useOpenReports } from './open-reports.js';
import { RepairCard } from './repair-card.js';
import { repairsOf } from './repairs.js';
import { t } from './words.js';

/** @import { Examination } from '../app/contract.js' */
/** @import { Repair } from './repairs.js' */

const LOOK_MS = 3_000;

/** One list of everything that is wrong: what it means, who can mend it, and the button that does. */
export function Page() {
  const { session, shop } = useConsole();
  const isOps = session.isAtLeast('ops');
  const { reports, more, causes, problem, again: readReports } = useOpenReports(LOOK_MS);
  const integrations = useReading(isOps ? '/v2/integrations' : null, LOOK_MS);
  const doctor = useReading(isOps ? '/v2/doctor' : '/v2/doctor/summary', LOOK_MS);
  const status = shop.status.value;
  if (status === null || reports === null)
    return h('p', { class: 'splash', role: 'status' }, problem || t('reading'));
  const repairs = repairsOf({
    status,
    doubts: openQuestions(shop),
    tasks: shop.tasks.value,
    reports,
    integrations: integrations.document?.data ?? [],
    findings: doctor.document?.data.findings ?? [],
  });
  const isExamined = wasExamined(doctor.document?.data);
  const again = () => {
    readReports();
    integrations.again();
    doctor.again();
    void shop.look({ tasks: true });
  };
  return h(
    'div',
    { class: 'ops stack repairs' },
    h('h1', {}, t('title')),
    repairs.length === 0 &&
      h(
        'p',
        { class: isExamined ? 'notice notice-good' : 'notice', role: 'status' },
        t(isExamined ? 'all_well' : 'not_examined'),
      ),
    h(List, { repairs, again }),
    h(MoreReports, { more, causes }),
    isOps && h(Doctor, { found: doctor.document?.data, again: doctor.again }),
  );
}

/** While the doctor examines once more, the last examination counts; after one that was not possible, none does. @param {Pick<Examination, 'state' | 'ended_at'> | undefined} found */
function wasExamined(found) {
  return found !== undefined && found.ended_at !== null && found.state !== 'failed';
}

/** What the user can mend first, in the order of the list; then the rest, with who can. @param {{ repairs: readonly Repair[], again: () => void }} props */
function List({ repairs, again }) {
  const { session } = useConsole();
  const mine = repairs.filter(({ least }) => session.isAtLeast(least));
  const others = repairs.filter((repair) => !mine.includes(repair));
  return h(
    'div',
    { class: 'stack' },
    mine.length > 0 && h(Cards, { title: t('mine', { count: mine.length }), repairs: mine, again }),
    others.length > 0 && h(Cards, { title: t('others', { count: others.length }), repairs: others, again }),
  );
}

/** @param {{ title: string, repairs: readonly Repair[], again: () => void }} props */
function Cards({ title, repairs, again }) {
  return h(
    'section',
    { class: 'stack-small', 'aria-label': title },
    h('h2', { class: 'section-title' }, title),
    h(
      'ul',
      { class: 'rows-of-cards' },
      repairs.map((repair) => h('li', { key: repair.key }, h(RepairCard, { repair, again }))),
    ),
  );
}

/** When the doctor last looked, and the button that lets it look again. @param {{ found: Examination | undefined, again: () => void }} props */
function Doctor({ found, again }) {
  const { api } = useConsole();
  const start = useAction();
  const isRunning = found?.state === 'running';
  const ended = found?.ended_at ?? null;
  const when = ended === null ? t('never_examined') : t('examined', { age: formatAge(ended, now.value) });
  return h(
    'div',
    { class: 'buttons' },
    h(
      'button',
      {
        type: 'button',
        class: 'button',
        'aria-disabled': isRunning || start.busy,
        onClick: () => isRunning || void start.run(() => api.post('/v2/doctor')).then(again),
      },
      t(isRunning ? 'examining' : 'examine'),
    ),
    h('span', { class: 'quiet' }, found?.state === 'failed' ? t('examined_in_vain') : when),
    h('p', { class: 'problem', role: 'alert' }, start.problem),
  );
}
