// Every package that ships with tilld must have one of these licences. Read from the lock file.
import { readFileSync } from 'node:fs';

const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
  '(MIT OR CC0-1.0)',
  '(MIT OR Apache-2.0)',
  '(MIT OR X11)',
]);

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const shipped = Object.entries(packages).filter(
  ([path, entry]) => path !== '' && !entry.dev && !entry.devOptional,
);
// An optional package of another platform is in the lock without its manifest; its sibling here speaks for it.
const refused = shipped.filter(
  ([, entry]) => !(entry.license === undefined && entry.optional) && !ALLOWED.has(entry.license),
);

for (const [path, entry] of refused)
  process.stderr.write(`licence not allowed: ${path} (${entry.license ?? 'none stated'})\n`);
process.stderr.write(`licences: ${shipped.length} shipped packages, ${refused.length} refused\n`);
process.exitCode = refused.length === 0 ? 0 : 1;
