// What the lock files may install: packages of the npm registry, each with its hash, and no install script that is not known here.
// `--network` also asks npm for signatures and known advisories; it says so where npm's servers cannot be reached.
// Usage: node .ci/lock-audit.mjs [--network] [FOLDER ...]
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOCKS = ['.', 'test/browser', 'test/checks', 'test/interop/foreign'];
const REGISTRY = 'https://registry.npmjs.org/';
const INSTALL_SCRIPTS = new Set(['@serialport/bindings-cpp', '@swc/core', 'node-hid']);
/** What npm says of a package that it has found something about; any other failure is one of the network or of its servers. */
const FOUND =
  /(invalid|missing) registry signature|have (invalid|missing)|\b(high|critical) severity|Severity: (high|critical)/i;

const folders = process.argv.slice(2).filter((word) => word !== '--network');
const say = (line) => process.stderr.write(`lock-audit: ${line}\n`);
let faults = 0;
const fault = (line) => {
  faults += 1;
  say(line);
};

for (const folder of folders.length > 0 ? folders : LOCKS) {
  const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'));
  const entries = Object.entries(packages).filter(([path]) => path !== '');
  for (const [path, entry] of entries) {
    const name = path.replace(/^.*node_modules\//, '');
    // An optional package of another platform is in a lock of the development tools without its manifest.
    const isForeign = entry.optional && entry.integrity === undefined && folder !== '.';
    if (!isForeign && !/^sha512-/.test(entry.integrity ?? '')) fault(`${folder}: ${path} has no sha512 hash`);
    if (entry.resolved !== undefined && !entry.resolved.startsWith(REGISTRY))
      fault(`${folder}: ${path} comes from ${entry.resolved}, not from ${REGISTRY}`);
    if (entry.hasInstallScript && !INSTALL_SCRIPTS.has(name))
      fault(`${folder}: ${path} runs a script when it is installed`);
  }
  say(`${folder}: ${entries.length} packages`);
}

if (process.argv.includes('--network'))
  for (const words of [
    ['audit', 'signatures'],
    ['audit', '--omit=dev', '--audit-level=high'],
  ]) {
    const limits = { npm_config_fetch_retries: '0', npm_config_fetch_timeout: '20000' };
    const { status, stdout, stderr } = spawnSync('npx', ['npm', ...words], {
      encoding: 'utf8',
      env: { ...process.env, ...limits },
    });
    const text = `${stdout}${stderr}`;
    if (status === 0) say(`npm ${words.join(' ')}: nothing found`);
    else if (FOUND.test(text)) fault(`npm ${words.join(' ')}:\n${text}`);
    else say(`npm ${words.join(' ')}: not checked, its server gave no answer: ${text.trim().split('\n')[0]}`);
  }

process.exitCode = faults === 0 ? 0 : 1;
