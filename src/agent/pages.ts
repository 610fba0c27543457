import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageFile } from '../api/ports.ts';
import type { Language } from '../base/language.ts';

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
  'uqr.js': ['uqr'],
  'uplot.css': ['uplot', './uPlot.min.css'],
  'eventsource-parser/index.js': ['eventsource-parser'],
  'eventsource-parser/parse.js': ['eventsource-parser', './parse.js'],
  'eventsource-parser/errors.js': ['eventsource-parser', './errors.js'],
};

const CONSOLE = 'console';
const INDEX = 'console/index.html';
/** The folder that the pages share with the daemon. */
const SHARED = 'sentences';
const SOURCES = fileURLToPath(new URL('../', import.meta.url));

/** A file of the pages by its path below `src/`: `console/app/main.js`, `sentences/outcome.js`. */
interface PageText {
  readonly file: string;
  readonly text: string;
}

/** The files of the pages, and their libraries below `console/vendor/`: in a package they are there, in the source tree they come from npm's packages. */
export function pageTexts(sources = SOURCES): readonly PageText[] {
  const files = [CONSOLE, SHARED].flatMap((folder) => textsIn(sources, folder));
  const hasVendor = existsSync(join(sources, CONSOLE, 'vendor'));
  return hasVendor ? files : [...files, ...vendorTexts()];
}

function textsIn(sources: string, folder: string): readonly PageText[] {
  return readdirSync(join(sources, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) in TYPES)
    .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(join(sources, folder, name), 'utf8') }));
}

function vendorTexts(): readonly PageText[] {
  return Object.entries(VENDOR).map(([name, [specifier, file = '']]) => ({
    file: `${CONSOLE}/vendor/${name}`,
    text: readFileSync(new URL(file, import.meta.resolve(specifier)), 'utf8'),
  }));
}

/**
 * Every file of the pages, read once at the start: a later change on the disk changes no page. `console/index.html` is served at `/`, the rest
 * under its own path, and under that of its release, which `index.html` names. `language`: of the shop; absent: pages take that of the browser.
 */
export function pageFiles(language?: Language, sources = SOURCES): readonly PageFile[] {
  const texts = pageTexts(sources);
  const release = releaseOf(texts);
  const pages = texts.map((page) =>
    page.file === INDEX ? { ...page, text: ofRelease(inLanguage(page.text, language), release) } : page,
  );
  const index = pages.find(({ file }) => file === INDEX)?.text ?? '';
  const policy = policyOf(inlineScripts(index));
  return pages.map(({ file, text }) => ({
    path: file === INDEX ? '/' : `/${file}`,
    release,
    mediaType: TYPES[extname(file)] ?? 'text/plain',
    text,
    etag: etagOf(text),
    policy,
  }));
}

/** The page reads it before it draws anything. */
function inLanguage(html: string, language: Language | undefined): string {
  if (language === undefined) return html;
  return html.replace('<html lang="en">', `<html lang="${language}" data-language="${language}">`);
}

/** Changes with any of the files. */
function releaseOf(texts: readonly PageText[]): string {
  const all = texts.map(({ file, text }) => `${file}\n${text}`).toSorted();
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 16);
}

/**
 * A browser keeps what the page links and imports until there is another release: a page is dozens of modules, and asking whether each is still
 * the same takes longer than all the rest of its start. The manifest keeps its address, by which an installed app is known.
 */
function ofRelease(html: string, release: string): string {
  return html.replaceAll(/"(\/console\/[^"]+\.(?:js|css))"/g, `"/pages/${release}$1"`);
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
