import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const TESTS = join(ROOT, 'test');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** A few thousand titles with their places. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const Listed = z.array(z.object({ name: z.string(), file: z.string() }));

/** All tests there are, by file (`scenario/a-void`), and what stands in those files. */
export interface ProjectTests {
  /** Titles with their `describe` titles before them, joined by ` > `; of a table test the template. */
  readonly byFile: ReadonlyMap<string, readonly string[]>;
  source(file: string): string;
}

/**
 * Asks vitest for the list; nothing is run. Its list is read off the sources: a test that is made in a loop, or below a title that is
 * worked out, is not in it. Of a file that is missing there as a whole the plain `it('…')` titles count.
 */
export async function listTests(): Promise<ProjectTests> {
  const args = [VITEST, 'list', '--json', '--config', 'test/vitest.config.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const byFile = new Map<string, string[]>();
  for (const { name, file } of Listed.parse(JSON.parse(stdout))) {
    const short = shortOf(relative(TESTS, file));
    byFile.set(short, [...(byFile.get(short) ?? []), asWritten(name)]);
  }
  const source = (file: string) => readFileSync(join(TESTS, `${file}.test.ts`), 'utf8');
  for (const file of globSync('**/*.test.ts', { cwd: TESTS }).map(shortOf))
    if (!byFile.has(file)) byFile.set(file, plainTitles(source(file)));
  return { byFile, source };
}

function shortOf(path: string): string {
  return path.replace(/\.test\.ts$/, '');
}

function plainTitles(source: string): string[] {
  return [...source.matchAll(/^\s*it\((['"`])(.+?)\1,/gm)].map(([, , title = '']) => title);
}

/** The list escapes quotation marks as a source does, and leaves `${…}` as it stands there: here it is `%s`, too. */
function asWritten(title: string): string {
  return title.replace(/\\(["'`])/g, '$1').replace(/\$\{[^}]*\}/g, '%s');
}
