import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { PageFile } from '../api/ports.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** The libraries of the pages under their names in the import map of `index.html`. */
const VENDOR: Readonly<Record<string, readonly [specifier: string, file?: string]>> = {
  'preact.js': ['preact'],
  'preact-hooks.js': ['preact/hooks'],
  'signals-core.js': ['@preact/signals-core'],
  'signals.js': ['@preact/signals'],
  'uplot.js': ['uplot', './uPlot.esm.js'],
  'uplot.css': ['uplot', './uPlot.min.css'],
  'eventsource-parser/index.js': ['eventsource-parser'],
  'eventsource-parser/parse.js': ['eventsource-parser', './parse.js'],
  'eventsource-parser/errors.js': ['eventsource-parser', './errors.js'],
};

/** Their folder; resolved on demand, because a snapshot of the process may be started in another place. */
const folder = () => fileURLToPath(new URL('../console/', import.meta.url));
/** The folder that the pages share with the daemon, beside `console/`. */
const SHARED = 'sentences';

/** A file of the pages by its name below `console/`, or a shared file: `app/main.js`, `sentences/outcome.js`. */
interface PageText {
  readonly name: string;
  readonly text: string;
}

/** A packaged build has all of them in one file instead of a hundred: a line with the index, followed by the files. */
export const PACKED_PAGES = 'pages';
const Packed = z.array(z.object({ name: z.string(), etag: z.string(), bytes: z.int() }));

/** The files of the pages, and their libraries from their packages, below `vendor/`. */
export function pageTexts(): readonly PageText[] {
  const shared = textsIn(join(folder(), '..', SHARED)).map(({ name, text }) => ({
    name: `${SHARED}/${name}`,
    text,
  }));
  const vendor = Object.entries(VENDOR).map(([name, [specifier, file = '']]) => ({
    name: `vendor/${name}`,
    text: readFileSync(new URL(file, import.meta.resolve(specifier)), 'utf8'),
  }));
  return [...textsIn(folder()), ...shared, ...vendor];
}

function textsIn(from: string): readonly PageText[] {
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) in TYPES)
    .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(from, name), 'utf8') }));
}

/** The content of {@link PACKED_PAGES}. */
export function packedPages(pages: readonly PageText[]): Buffer {
  const files = pages.map(({ name, text }) => ({ name, etag: etagOf(text), content: Buffer.from(text) }));
  const index = files.map(({ name, etag, content }) => ({ name, etag, bytes: content.length }));
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...files.map(({ content }) => content)]);
}

/** The texts stay bytes until a request needs one: half of the memory, and no work at the start. */
function unpackedPages(packed: Buffer): readonly (PageText & { readonly etag: string })[] {
  const indexEnd = packed.indexOf('\n');
  let from = indexEnd + 1;
  return Packed.parse(JSON.parse(packed.toString('utf8', 0, indexEnd))).map(({ name, etag, bytes }) => {
    const content = packed.subarray(from, from + bytes);
    from += bytes;
    return {
      name,
      etag,
      get text() {
        return content.toString('utf8');
      },
    };
  });
}

/**
 * Every file of the pages, read once at the start: a later change on the disk changes no page. `index.html` is served at `/`, the rest below
 * `/console/`, the shared files below their own names.
 * @param packed path of the packed file
 */
export function pageFiles(packed = join(folder(), PACKED_PAGES)): readonly PageFile[] {
  const pages = existsSync(packed)
    ? unpackedPages(readFileSync(packed))
    : pageTexts().map((page) => ({ ...page, etag: etagOf(page.text) }));
  const index = pages.find(({ name }) => name === 'index.html')?.text ?? '';
  const policy = policyOf(inlineScripts(index));
  return pages.map((page) => ({
    path: pathOf(page.name),
    mediaType: TYPES[extname(page.name)] ?? 'text/plain',
    get text() {
      return page.text;
    },
    etag: page.etag,
    policy,
  }));
}

function pathOf(name: string): string {
  if (name === 'index.html') return '/';
  return name.startsWith(`${SHARED}/`) ? `/${name}` : `/console/${name}`;
}

/** The import map is the one inline script of the page: browsers load it from no file. */
function inlineScripts(html: string): readonly string[] {
  return [...html.matchAll(/<script type="importmap">([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
}

/** The Content-Security-Policy: sources of this origin only, no inline scripts but those with one of these hashes, no embedding in frames. */
function policyOf(inline: readonly string[]): string {
  const hashes = inline.map((text) => `'sha256-${hashOf(text)}'`);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function etagOf(text: string): string {
  return `"${hashOf(text).slice(0, 27)}"`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
