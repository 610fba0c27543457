import { messageOf } from '../../base/errors.ts';
import { newestEntryAt } from '../../store/checks.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { checkClock, checkConfig, checkCredentials, checkSocketPath } from './doctor/configuration.ts';
import { askDaemon } from './doctor/daemon.ts';
import { checkDurability, checkOpens, checkPages, checkSchema, checkVersion } from './doctor/database.ts';
import { checkDiskSpace, checkFileSystem, checkLogSize } from './doctor/disk.ts';
import { type Finding, fail } from './doctor/finding.ts';
import { checkHolder, checkLeftovers, checkPermissions, checkStateFolder } from './doctor/folder.ts';
import { checkChain, checkEpochNote } from './doctor/journal.ts';
import { checkDoubts, checkOutbox, checkTasks } from './doctor/money.ts';
import { checkCreateLocal, checkTerminals } from './doctor/offline.ts';
import { checkMonth, checkWritable } from './doctor/offline-room.ts';
import { type DoctorOptions, type Patient, patientOf } from './doctor/patient.ts';
import { findConfig } from './state-files.ts';

/** `tillctl doctor`: looks at everything tilld needs and changes nothing; exit 1 when something fails. */
export async function doctor(options: DoctorOptions, io: Io): Promise<ExitCode> {
  const findings = await examine(options, io, Date.now());
  if (options.json) printDocument(io, { data: findings });
  else io.out(findings.map(lineOf).join(''));
  return findings.some(({ level }) => level === 'fail') ? EXIT.no : EXIT.done;
}

/** Every finding, in the order in which a person should mend them. Never throws. */
export async function examine(options: DoctorOptions, io: Io, now: number): Promise<readonly Finding[]> {
  const patient = patientOf(options, io, now);
  if (!patient) return [checkConfig({ configuration: findConfig(options, io) }), NO_FOLDER];
  try {
    const findings: Finding[] = [];
    for (const [id, check] of CHECKS) {
      if (!applies(id, patient, findings)) continue;
      findings.push(...(await outcomeOf(id, () => check(patient))));
    }
    return findings;
  } finally {
    patient.close();
  }
}

type Check = (patient: Patient) => Finding | readonly Finding[] | Promise<readonly Finding[]>;

/** Each under the id of its findings, or of the first of them. */
const CHECKS: readonly (readonly [id: string, check: Check])[] = [
  ['config', checkConfig],
  ['state-folder', checkStateFolder],
  ['permissions', checkPermissions],
  ['holder', checkHolder],
  ['socket-path', checkSocketPath],
  ['credentials', checkCredentials],
  ['clock', (patient) => checkClock(patient, newestEntryOf(patient))],
  ['disk-space', checkDiskSpace],
  ['file-system', checkFileSystem],
  ['log-size', checkLogSize],
  ['epoch', checkEpochNote],
  ['database', checkOpens],
  ['database-version', checkVersion],
  ['database-schema', checkSchema],
  ['database-pages', checkPages],
  ['durability', checkDurability],
  ['journal-chain', checkChain],
  ['in-doubt', checkDoubts],
  ['outbox', checkOutbox],
  ['tasks', checkTasks],
  ['leftovers', checkLeftovers],
  ['offline-writable', checkWritable],
  ['offline-room', checkMonth],
  ['offline-reports', checkCreateLocal],
  ['offline-terminals', checkTerminals],
  ['daemon', askDaemon],
];

const WITHOUT_FOLDER = new Set(['config', 'state-folder', 'socket-path', 'clock']);
const OF_DATABASE = new Set([
  'offline-room',
  'database',
  'database-version',
  'database-schema',
  'database-pages',
  'durability',
  'journal-chain',
  'in-doubt',
  'outbox',
  'tasks',
]);
/** These say what is wrong also where the database cannot be opened. */
const OF_ANY_DATABASE = new Set(['database', 'journal-chain', 'durability']);

function applies(id: string, { hasDatabase }: Patient, sofar: readonly Finding[]): boolean {
  const failed = (other: string) => sofar.some((finding) => finding.id === other && finding.level === 'fail');
  if (failed('state-folder')) return WITHOUT_FOLDER.has(id);
  if (!OF_DATABASE.has(id)) return true;
  return hasDatabase && (OF_ANY_DATABASE.has(id) || !failed('database'));
}

/** A check that fails itself is a finding, too: what is damaged must not hide the rest. */
async function outcomeOf(id: string, check: () => ReturnType<Check>): Promise<readonly Finding[]> {
  try {
    const outcome = await check();
    return 'id' in outcome ? [outcome] : outcome;
  } catch (error) {
    return [
      fail(id, {
        what: `this could not be examined: ${messageOf(error)}`,
        why: 'what is damaged or closed to you cannot be vouched for',
        fix: 'mend what else is found here and ask again, as the user that owns the state folder',
      }),
    ];
  }
}

function newestEntryOf({ hasDatabase, database }: Patient): number | null {
  try {
    return hasDatabase ? newestEntryAt(database()) : null;
  } catch {
    return null;
  }
}

const NO_FOLDER = fail('state-folder', {
  what: 'nothing says where the state folder is',
  why: 'the configuration that names it cannot be read',
  fix: 'tillctl doctor --state-dir DIR',
});

/** One line: level, id, what; where something is wrong also why and what mends it. */
function lineOf({ level, id, what, why, fix }: Finding): string {
  const more = why === null ? '' : `. Why it matters: ${why}. Mend it: ${fix}`;
  const words = plain(`${what}${more}`).replaceAll('\n', ' ');
  return `${level === 'ok' ? 'ok  ' : level.toUpperCase().padEnd(4)}  ${id.padEnd(17)}  ${words}\n`;
}
