import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(import.meta.dirname, '../../src');
/** Folders whose errors never reach a till. */
const ELSEWHERE = ['cli', 'sandbox', 'console', 'bin', 'fleet'];

/**
 * The messages that the source gives to each error code, as patterns: read from the text of every call whose first argument is a code and whose
 * second one is a text, or a constant of its file. `${…}` stands for any text.
 */
export function thrownMessages(): ReadonlyMap<string, readonly RegExp[]> {
  const found = new Map<string, RegExp[]>();
  for (const text of sources())
    for (const match of text.matchAll(/\(\s*'([A-Z][A-Z_]+)',\s*/g)) {
      const argument = untilEnd(text.slice(match.index + match[0].length), ',)');
      const [, code = ''] = match;
      found.set(code, [...(found.get(code) ?? []), ...patternsOf(argument, text)]);
    }
  return found;
}

/** Details in the context of an error, or as the last argument of `refused`. */
const IN_PLACE = /context(?:: | = )\{[^{}]*details: \{|\brefused\('[A-Z_]+', \w+, \{/g;
/** Details that several errors of a file share. */
const SHARED = /const details = \{/g;

/** The fields of `details` that the source gives to its errors, as far as they are spelt out there. */
export function thrownDetails(): ReadonlySet<string> {
  const names = sources().flatMap((text) => {
    const shared = /context: \{\s*details\b/.test(text) ? text.matchAll(SHARED) : [];
    return [...text.matchAll(IN_PLACE), ...shared].flatMap((match) =>
      fieldsOf(untilEnd(text.slice(match.index + match[0].length), '}')),
    );
  });
  return new Set(names);
}

/** The texts of one file of `src`, as patterns. */
export function textsOf(file: string): readonly RegExp[] {
  const text = withoutComments(readFileSync(join(SOURCES, file), 'utf8'));
  return literalsOf(text).map(patternOf);
}

function sources(): readonly string[] {
  return readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !ELSEWHERE.some((folder) => file.startsWith(join(SOURCES, folder, '/'))))
    .map((file) => withoutComments(readFileSync(file, 'utf8')));
}

/** An apostrophe in a comment begins no text. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** The text of one argument, or of what a bracket holds: up to its comma or its closing bracket. */
function untilEnd(text: string, ends: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if ('\'"`'.includes(sign)) at = closingQuote(text, at);
    else if (depth === 0 && ends.includes(sign)) return text.slice(0, at);
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
  }
  return text;
}

function closingQuote(text: string, at: number): number {
  const quote = text[at];
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === quote) return end;
    else if (quote === '`' && text.startsWith('${', end))
      end += 2 + untilEnd(text.slice(end + 2), '}').length;
  }
  return text.length;
}

/** Literals of an argument; of a constant of the file, those of its value. */
function patternsOf(argument: string, text: string): readonly RegExp[] {
  const own = literalsOf(argument);
  const [name] = /^[A-Za-z_]\w*$/.exec(argument.trim()) ?? [];
  if (own.length > 0 || name === undefined) return own.map(patternOf);
  const values = [...text.matchAll(new RegExp(`const ${name} =\\s*`, 'g'))];
  return values
    .map((match) => untilEnd(text.slice(match.index + match[0].length), ';'))
    .flatMap(literalsOf)
    .map(patternOf);
}

function literalsOf(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!'\'"`'.includes(text[at] ?? '')) continue;
    const end = closingQuote(text, at);
    found.push(text.slice(at, end + 1));
    at = end;
  }
  return found;
}

/** Too short a text says nothing: it would fit any message. */
const LEAST = 12;

function patternOf(literal: string): RegExp {
  const parts = literal.startsWith('`') ? fixedPartsOf(literal) : [literal.slice(1, -1)];
  if (parts.join('').length < LEAST) return /(?!)/;
  return new RegExp(`^${parts.map((part) => escaped(part.replaceAll('\\', ''))).join('.*')}$`, 's');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function fixedPartsOf(template: string): readonly string[] {
  const parts: string[] = [];
  let rest = template.slice(1, -1);
  for (let hole = rest.indexOf('${'); hole !== -1; hole = rest.indexOf('${')) {
    parts.push(rest.slice(0, hole));
    rest = rest.slice(hole + 2 + untilEnd(rest.slice(hole + 2), '}').length + 1);
  }
  return [...parts, rest];
}

/** The names of the fields of an object, without what is spread into it. */
function fieldsOf(body: string): readonly string[] {
  const fields: string[] = [];
  for (let rest = body; rest.trim() !== ''; ) {
    const one = untilEnd(rest, ',}');
    rest = rest.slice(one.length + 1);
    const [, name] = /^\s*([a-z_]+)\s*(?::|$)/s.exec(one) ?? [];
    if (name !== undefined) fields.push(name);
  }
  return fields;
}
