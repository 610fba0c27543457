import type { CheckResult } from '../doctor/check-result.ts';

/**
 * Check results whose texts contain only tilld's words: numbers, instants, and no text of a file, a terminal, a source or the service. Of the
 * others the bundle includes only the level; support asks for the text.
 */
const IN_OUR_WORDS: ReadonlySet<string> = new Set([
  'ballast',
  'clock',
  'database-version',
  'devices',
  'disk-space',
  'disk-inodes',
  'durability',
  'file-system',
  'log-level',
  'log-size',
  'memory',
  'node',
  'offline-room',
  'open-files',
  'owed-reports',
  'service-clock',
  'unit',
  'unit-devices',
  'unit-enabled',
  'unit-hardening',
  'unit-notify',
]);
/** A path can contain any text. */
const PATH = /(?:^|\s)\/\S+/g;

/** The check results of the diagnostics. */
export function aboutFindings(findings: readonly CheckResult[]) {
  return findings.map(({ id, level, what }) => ({
    id,
    level,
    what: IN_OUR_WORDS.has(id) ? what.replaceAll(PATH, ' PATH') : null,
  }));
}
