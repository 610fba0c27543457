import { AppError, messageOf } from '../../base/errors.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Io, printDocument } from '../io.ts';
import { withMoments } from '../show/moment.ts';
import { plain } from '../show/plain.ts';
import { daemonExamination } from '../verbs/daemon-examination.ts';
import { type CheckResult, fail } from './doctor/check-result.ts';
import { ASKED, applies, CHECKS, type Check } from './doctor/checks.ts';
import { checkConfig } from './doctor/configuration.ts';
import {
  type DiagnosticContext,
  type DoctorOptions,
  diagnosticContextOf,
} from './doctor/diagnostic-context.ts';
import type { Machine } from './doctor/machine.ts';
import { findConfig } from './state-files.ts';

/**
 * `tillctl doctor`: checks everything tilld needs and changes nothing; exit 1 when a check fails. With `--socket` and no folder it is that
 * daemon which examines itself.
 * @throws USAGE; what {@link daemonExamination} throws
 */
export async function doctor(options: DoctorOptions, io: Io): Promise<ExitCode> {
  const findings = isOfDaemon(options)
    ? await daemonExamination(options, io)
    : await examine(options, io, Date.now());
  if (options.json) printDocument(io, { data: findings });
  else io.out(findings.map(lineOf).join(''));
  return findings.some(({ level }) => level === 'fail') ? EXIT.no : EXIT.done;
}

/** @throws USAGE */
function isOfDaemon({ socket, config, stateDir, offline, full }: DoctorOptions): boolean {
  if (socket === undefined || config !== undefined || stateDir !== undefined) return false;
  if (!offline && !full) return true;
  throw new AppError(
    'USAGE',
    'tilld itself examines what belongs to its socket, without --offline and --full: name its folder and file instead (--state-dir DIR --config FILE)',
  );
}

/**
 * All check results, in the order in which a person should repair them. Never throws. Network checks start first and all at once, each
 * with its own deadline: reading a large database would make a response look late.
 */
export async function examine(
  options: DoctorOptions,
  io: Io,
  now: number,
  machine?: Machine,
): Promise<readonly CheckResult[]> {
  const context = diagnosticContextOf(options, io, now, machine);
  if (!context) return [...(await checkConfig({ configuration: findConfig(options, io) })), NO_FOLDER];
  try {
    const asked = await answersTo(context);
    const findings: CheckResult[] = [];
    for (const [id, check] of CHECKS) {
      if (!applies(id, context, findings)) continue;
      findings.push(...(asked.get(id) ?? (await outcomeOf(id, () => check(context)))));
    }
    return findings;
  } finally {
    context.close();
  }
}

async function answersTo(context: DiagnosticContext): Promise<ReadonlyMap<string, readonly CheckResult[]>> {
  const questions = CHECKS.filter(([id]) => ASKED.has(id));
  return new Map(
    await Promise.all(
      questions.map(async ([id, check]) => [id, await outcomeOf(id, () => check(context))] as const),
    ),
  );
}

/** A check that throws is a check result, too: damage in one place must not hide the rest. */
async function outcomeOf(id: string, check: () => ReturnType<Check>): Promise<readonly CheckResult[]> {
  try {
    const outcome = await check();
    return 'id' in outcome ? [outcome] : outcome;
  } catch (error) {
    return [
      fail(id, {
        what: `this could not be examined: ${messageOf(error)}`,
        why: 'what is damaged or closed to you cannot be vouched for',
        fix: 'repair what else is found here, then as the user that owns the state folder: sudo -u tilld tillctl doctor',
      }),
    ];
  }
}

const NO_FOLDER = fail('state-folder', {
  what: 'nothing says where the state folder is',
  why: 'the configuration that names it cannot be read',
  fix: 'tillctl doctor --state-dir DIR',
});

/** One line: level, id, what; where something is wrong also the reason and the repair. */
function lineOf({ level, id, what, why, fix }: CheckResult): string {
  const more = why === null ? '' : `. Why it matters: ${why}. Fix: ${fix}`;
  const words = plain(withMoments(`${what}${more}`)).replaceAll('\n', ' ');
  return `${level === 'ok' ? 'ok  ' : level.toUpperCase().padEnd(4)}  ${id.padEnd(17)}  ${words}\n`;
}
