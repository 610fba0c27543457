import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deadLinks } from './links.ts';

const TREE = join(import.meta.dirname, '../..');

it('every relative link of a markdown file leads to a file, and to a heading of it', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: TREE, encoding: 'utf8' }).split('\0');
  const textOf = (file: string) => (file.endsWith('.md') ? readFileSync(join(TREE, file), 'utf8') : null);
  const texts = new Map(tracked.filter((file) => file !== '').map((file) => [file, textOf(file)]));
  expect([...texts.values()].filter((text) => text !== null).length).toBeGreaterThan(60);
  const found = deadLinks(texts);
  expect(
    found.map(({ file, line, target, missing }) => `${file}:${line} ${target}: no such ${missing}`),
  ).toEqual([]);
});

const TITLES = '# Words, and `what` they mean\n\n## Once\n\n## Once\n\n```\n# No heading\n```\n';

it.each([
  ['a file that is not there', '[a](b/none.md)', 'file'],
  ['a picture that is not there', '![a](b/none.png)', 'file'],
  ['a file outside of the repository', '[a](../README.md)', 'file'],
  ['a heading that is not there', '[a](b/README.md#twice)', 'heading'],
  ['a heading by the rules of another site', '[a](b/README.md#Once)', 'heading'],
  ['a heading in the code of a page', '[a](b/README.md#no-heading)', 'heading'],
  ['a heading of its own that is not there', 'Words.\n\n[a](#twice)', 'heading'],
])('a link to %s is found', (_, text, missing) => {
  const texts = new Map([
    ['README.md', text],
    ['b/README.md', TITLES],
  ]);
  const line = text.split('\n').length;
  expect(deadLinks(texts)).toMatchObject([{ file: 'README.md', line, missing }]);
});

it.each([
  ['a heading with signs that an anchor does not have', '[a](b/README.md#words-and-what-they-mean)'],
  ['the second heading of a name', '[a](b/README.md#once-1)'],
  ['a heading of the README of a folder', '[a](b#once)'],
  [
    'a folder, a picture and a page elsewhere',
    '[a](b/) ![b](b/c.png "words") [c](https://example.org/none.md#x)',
  ],
  ['nothing, in code', 'An index `[a](none.md)`.\n\n```\n[a](none.md)\n```'],
])('a link to %s is none', (_, text) => {
  const texts = new Map([
    ['README.md', text],
    ['b/README.md', TITLES],
    ['b/c.png', null],
  ]);
  expect(deadLinks(texts)).toEqual([]);
});
