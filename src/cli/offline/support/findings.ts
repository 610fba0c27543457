import type { Finding } from '../doctor/finding.ts';

/**
 * Findings whose words are all ours: numbers, instants, and nothing that a file, a terminal, a source or the service has said. Of the others
 * only the level is told; whoever helps asks for the words.
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
/** A path can hold anything. */
const PATH = /(?:^|\s)\/\S+/g;

/** What the doctor found. */
export function aboutFindings(findings: readonly Finding[]) {
  return findings.map(({ id, level, what }) => ({
    id,
    level,
    what: IN_OUR_WORDS.has(id) ? what.replaceAll(PATH, ' PATH') : null,
  }));
}
