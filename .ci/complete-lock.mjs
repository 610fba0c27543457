// Adds to package-lock.json the optional packages of other platforms that this registry did not offer.
// Why: `npm install` leaves out what it cannot fetch, and `npm ci` then refuses the lock as incomplete.
// Run it after every `npm install`; it changes nothing when nothing is missing.
import { readFileSync, writeFileSync } from 'node:fs';

const LOCK = new URL('../package-lock.json', import.meta.url);
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

const lock = JSON.parse(readFileSync(LOCK, 'utf8'));
let added = 0;
for (const [path, entry] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      ...platformOf(name),
    };
    added += 1;
  }
}
if (added > 0) {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
}
process.stderr.write(`complete-lock: ${added} entries added\n`);

function isLocked(path, name) {
  for (
    let at = path;
    ;
    at = at.includes('node_modules/') ? at.slice(0, at.lastIndexOf('node_modules/')).replace(/\/$/, '') : ''
  ) {
    if (lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}

/** The platform fields, read from the package's name (`…-linux-arm64-musl`): the registry has no manifest to ask. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.includes('gnu')
      ? ['glibc']
      : undefined;
  return { ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc } : {}), ...(os ? { os: [os] } : {}) };
}
