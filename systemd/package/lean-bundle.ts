import { builtinModules } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';

/** The source tree, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** These bring binaries that are found beside their own files, so they are shipped as they are. */
export const EXTERNAL = ['better-sqlite3', '@serialport/bindings-cpp', '@lydell/node-pty'] as const;

/** The main file of this one no bundler can follow. */
export const RESOLVE = { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } };

/** How small the text becomes. */
export const SMALL = {
  comments: { legal: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
} as const;

/** By this the modules of {@link builtinsAsTheyAre} are known in the build. */
export const BUILTIN_MARK = /^\0builtin:/;
const BUILTINS = new Set(builtinModules);

/**
 * Takes Node's own modules as objects instead of importing them. An import reads every property of such a module, and behind some of
 * `node:http`, `node:tls` and `node:crypto` stand modules that are loaded by the reading: its undici, a list of root certificates.
 * That was 50 ms of processor time and 10 MiB. (`node:module` stays: what the bundle itself begins with imports it.)
 * @param taken the expression that gives the module of a quoted name
 */
export function builtinsAsTheyAre(taken = (id: string) => `process.getBuiltinModule(${id})`): Plugin {
  const mark = '\0builtin:';
  return {
    name: 'builtins-as-they-are',
    resolveId(id) {
      const name = id.replace(/^node:/, '');
      const isBuiltin = id.startsWith('node:') || BUILTINS.has(id);
      return isBuiltin && name !== 'module' ? `${mark}node:${name}` : null;
    },
    load(id) {
      if (!id.startsWith(mark)) return null;
      return `module.exports = ${taken(JSON.stringify(id.slice(mark.length)))};`;
    },
  };
}

/** No route of ours has a schema of Fastify's: what compiles those (ajv and its friends), and its injected requests, stay outside. */
export function fastifyWithoutSchemas(): Plugin {
  const unused = new Set([
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
    'light-my-request',
  ]);
  const mark = '\0unused:';
  return {
    name: 'fastify-without-schemas',
    resolveId: (id) => (unused.has(id) ? mark + id : null),
    load(id) {
      if (!id.startsWith(mark)) return null;
      const name = JSON.stringify(id.slice(mark.length));
      return `module.exports = () => () => { throw new Error(${name} + ' is not part of this build'); };`;
    },
  };
}

/** Of undici the two that are used, made as its main file makes them; that brings fetch, WebSocket, caches and mocks, too. */
export function undiciWithoutFetch(): Plugin {
  const mark = '\0undici-without-fetch';
  return {
    name: 'undici-without-fetch',
    resolveId: (id) => (id === 'undici' ? mark : null),
    load(id) {
      if (id !== mark) return null;
      const part = (name: string) =>
        `require(${JSON.stringify(`${ROOT}node_modules/undici/lib/${name}.js`)})`;
      return `Object.assign(${part('dispatcher/dispatcher')}.prototype, ${part('api/index')});
        exports.Pool = ${part('dispatcher/pool')}; exports.Client = ${part('dispatcher/client')};`;
    },
  };
}

/** Of prom-client the four that are used: its default metrics bring the API of OpenTelemetry, and its gateway an HTTP client. */
export function promClientWithoutDefaults(): Plugin {
  const mark = '\0prom-client-without-defaults';
  return {
    name: 'prom-client-without-defaults',
    resolveId: (id) => (id === 'prom-client' ? mark : null),
    load(id) {
      if (id !== mark) return null;
      const part = (name: string) =>
        `require(${JSON.stringify(`${ROOT}node_modules/prom-client/lib/${name}.js`)})`;
      return `exports.Counter = ${part('counter')}; exports.Gauge = ${part('gauge')};
        exports.Histogram = ${part('histogram')}; exports.Registry = ${part('registry')};`;
    },
  };
}

/**
 * Writes what is beyond Latin-1 as escapes: one arrow in a file makes V8 keep two bytes for each of its characters.
 * @throws Error where a backslash stands before such a character, as an escape of it would mean something else
 */
export function latin(): Plugin {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'latin',
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue;
        if (/\\[^\0-\xff]/.test(file.code))
          throw new Error(`${file.fileName}: a backslash before an odd character`);
        file.code = file.code.replace(/[^\0-\xff]/g, escaped);
      }
    },
  };
}

/**
 * A module of ours finds files by its own place (`new URL('../package.json', import.meta.url)`); in the bundle it goes on to see the
 * place that it had in the sources, whatever file it came to lie in.
 * @param file the expression that gives the URL of that file
 */
export function ownPlace(file = 'import.meta.url'): Plugin {
  return {
    name: 'own-place',
    transform(code, id) {
      const path = relative(ROOT, id);
      if (!path.startsWith('src/')) return null;
      const place = `./${path.slice(path.indexOf('/') + 1)}`;
      // Who calls them names the Node that runs them.
      const script = code.replace(/^#!.*\n/, '');
      return script.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, ${file}).href`);
    },
  };
}
