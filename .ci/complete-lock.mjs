// Completes the lock files after `npm install`; changes nothing when nothing is to be done. Runs on any Node, before anything is installed.
// - Optional packages of other platforms that this registry did not offer are entered: `npm install` leaves them out, and `npm ci` then
//   refuses the lock as incomplete.
// - What packages ask of the host's Node (`engines`) is taken out: they all run on the Node that `src/bin/launcher.js` chooses. npm would
//   warn of each of them under an older Node, and leave out optional ones (the binding of vitest's bundler) without a word.
import { readFileSync, writeFileSync } from 'node:fs';

const LOCKS = ['.', 'test/browser', 'test/checks', 'test/interop/foreign'];
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

for (const folder of LOCKS) {
  const file = new URL(`../${folder}/package-lock.json`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  const lock = JSON.parse(text);
  const added = enterOptional(lock);
  for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines;
  const completed = `${JSON.stringify(lock, null, 2)}\n`;
  if (completed !== text) writeFileSync(file, completed);
  process.stderr.write(`complete-lock: ${folder}: ${added} entries added\n`);
}

/** How many optional packages of other platforms were missing. */
function enterOptional(lock) {
  let added = 0;
  for (const [path, entry] of Object.entries({ ...lock.packages })) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(lock, path, name)) continue;
      lock.packages[`node_modules/${name}`] = {
        version,
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
        ...platformOf(name),
      };
      added += 1;
    }
  }
  if (added > 0)
    lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  return added;
}

function isLocked(lock, path, name) {
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
