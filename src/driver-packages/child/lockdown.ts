import { registerHooks, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import * as kit from '../../driver-kit/terminal.ts';
import { inGuide } from '../guide.ts';

/** What a package imports of tilld; the second is the name before the kit was a package of its own. */
const KIT: readonly string[] = ['@tilld/driver-kit', 'tilld/driver-kit'];
const KIT_URL = 'tilld:driver-kit';
const KIT_PLACE = '__tilldDriverKit';

/** Globals that reach beyond the process, or that make memory which no limit counts. */
const REMOVED = [
  'fetch',
  'WebSocket',
  'EventSource',
  'Request',
  'Response',
  'navigator',
  'BroadcastChannel',
  'WebAssembly',
  'global',
] as const;

/** What a driver may know of the process. */
const PROCESS = Object.freeze({
  env: Object.freeze({}),
  platform: process.platform,
  version: process.version,
});

export interface LockdownDeps {
  /** The URL of the package's folder, with a slash at its end. */
  readonly folder: string;
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', ...words: unknown[]) => void;
}

/**
 * Takes from this process what no driver needs, before the package is loaded: every module of Node, `process` (it could signal the daemon),
 * sockets, requests. A package imports its own files, as ES modules, and `@tilld/driver-kit`. Files and programs are beyond it already, by Node's
 * permission model; that model does not cover sockets and signals, so this is what stands before them, inside of the language.
 */
export function lockDown({ folder, log }: LockdownDeps): void {
  const isOwn = (url: string) => url.slice(0, folder.length) === folder;
  registerHooks({
    resolve(specifier, context, next) {
      if (KIT.includes(specifier)) return { url: KIT_URL, format: 'module', shortCircuit: true };
      const resolved = next(specifier, context);
      if (!isOwn(resolved.url))
        throw new Error(inGuide('package', `a driver package does not import "${specifier}"`));
      return resolved;
    },
    load(url, context, next) {
      if (url === KIT_URL) return { format: 'module', source: kitSource(), shortCircuit: true };
      const loaded = next(url, context);
      const { format } = loaded;
      if (format === 'module' || format === 'module-typescript' || format === 'json') return loaded;
      throw new Error(inGuide('package', `a driver package consists of ES modules: ${url} is ${format}`));
    },
  });
  Object.defineProperty(globalThis, KIT_PLACE, { value: Object.freeze({ ...kit }) });
  disconnect();
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
  replace('process', PROCESS);
  replace('console', Object.freeze(consoleTo(log)));
}

/** The kit as a module of its own: every export that it has. */
function kitSource(): string {
  const names = Object.keys(kit);
  return names.map((name) => `export const ${name} = globalThis.${KIT_PLACE}.${name};`).join('\n');
}

/** For code that gets hold of a socket all the same. */
function disconnect(): void {
  const refuse = () => {
    throw new Error(inGuide('package', 'a driver package has no network: its link is opened by tilld'));
  };
  for (const target of [net, net.Socket.prototype, net.Server.prototype])
    for (const name of ['connect', 'createConnection', 'createServer', 'listen'])
      if (name in target) Object.defineProperty(target, name, { value: refuse, writable: false });
  syncBuiltinESMExports();
}

function replace(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: false, configurable: false, enumerable: false });
}

function consoleTo(log: LockdownDeps['log']) {
  return {
    debug: (...words: unknown[]) => log('debug', ...words),
    log: (...words: unknown[]) => log('info', ...words),
    info: (...words: unknown[]) => log('info', ...words),
    warn: (...words: unknown[]) => log('warn', ...words),
    error: (...words: unknown[]) => log('error', ...words),
  };
}
