import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RolloutView } from '../../../src/hub/operators/resources.ts';
import { de } from '../../../src/hub/pages/words/de.js';
import { en } from '../../../src/hub/pages/words/en.js';
import { fr } from '../../../src/hub/pages/words/fr.js';
import { TARGET_STATES } from '../../../src/hub/rollouts/targets.ts';
import { type TestHub, testHub } from '../../fleet/hub.ts';

const FOLDER = join(import.meta.dirname, '../../../src/hub/pages');
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

describe('the pages of a hub', () => {
  let test: TestHub;
  let url = '';
  beforeAll(async () => {
    test = await testHub();
    url = await test.listen();
  });
  afterAll(() => test.stop());

  it('are served as they are: each with its type, nothing from elsewhere, nothing inline', async () => {
    const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.\w+$/.test(name),
    );
    expect(names).toContain(join('words', 'fr.js'));
    for (const name of names.filter((one) => !one.endsWith('.json'))) {
      const reply = await fetch(name === 'index.html' ? `${url}/` : `${url}/pages/${name}`);
      expect([name, reply.status, Object.fromEntries(reply.headers)]).toMatchObject([
        name,
        200,
        {
          'content-type': TYPES[name.split('.').at(-1) ?? ''],
          'content-security-policy': expect.stringMatching(
            /^default-src 'self'; (?!.*(unsafe|\*|https?:|data:))/,
          ),
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-cache',
        },
      ]);
      const text = await reply.text();
      expect(text).toBe(readFileSync(join(FOLDER, name), 'utf8'));
      expect([
        name,
        text.match(/innerHTML|<script>|<style|\sstyle=|\son\w+="|https?:(?!\/\/www\.w3\.org)/g),
      ]).toEqual([name, null]);
    }
  });

  it('hold every file that another one asks for, and nothing that is no page', async () => {
    const index = await (await fetch(`${url}/`)).text();
    const linked = [...index.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    const read = new Set<string>();
    for (const path of linked) {
      if (read.has(path)) continue;
      read.add(path);
      const reply = await fetch(`${url}${path}`);
      expect([path, reply.status]).toEqual([path, 200]);
      const found = (await reply.text()).matchAll(/^import .* from '(.+)';$/gm);
      if (path.endsWith('.js'))
        linked.push(...[...found].map(([, to = '']) => new URL(to, `${url}${path}`).pathname));
    }
    expect(read).toContain('/pages/words/de.js');
    for (const path of ['/pages/tsconfig.json', '/pages/', '/pages/../main.ts', '/pages/%2e%2e/main.ts'])
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
  });

  it('are not sent again to a browser that has them', async () => {
    const etag = (await fetch(`${url}/pages/main.js`)).headers.get('etag') ?? '';
    const reply = await fetch(`${url}/pages/main.js`, { headers: { 'if-none-match': etag } });
    expect([reply.status, await reply.text()]).toEqual([304, '']);
  });

  it('come also while the hub has so much to do that it refuses every other request', async () => {
    const headers = { authorization: 'Bearer tho_x' };
    let asked: Promise<Response>[] = [];
    await test.database.transaction().execute(async (transaction) => {
      await sql`LOCK TABLE operator`.execute(transaction);
      asked = Array.from({ length: 65 }, () => fetch(`${url}/v1/shops`, { headers }));
      expect((await Promise.race(asked)).status).toBe(429);
      for (const path of ['/', '/pages/main.js']) expect((await fetch(`${url}${path}`)).status).toBe(200);
    });
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(64).fill(401), 429]);
  });
});

describe('the words of the pages', () => {
  const placeholders = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([key, text]) => [key, text.match(/\{\w+\}/g)?.toSorted()]);

  it.each([
    ['de', de],
    ['fr', fr],
  ])('have the same keys and places in %s as in English, and none is left untranslated', (_, texts) => {
    expect(placeholders(texts)).toEqual(placeholders(en));
    const same = Object.entries(texts).filter(
      ([key, text]) => text === Object.entries(en).find(([one]) => one === key)?.[1],
    );
    expect(
      same.map(([, text]) => text).filter((text) => !/^(Version|Status|Token|Terminals?)$/.test(text)),
    ).toEqual([]);
  });

  it('name every state of a rollout and of its shops, and what it means', () => {
    const names = [
      ...RolloutView.shape.state.options.map((state) => `rollout_${state}`),
      ...TARGET_STATES.map((state) => `target_${state}`),
    ];
    expect(Object.keys(en)).toEqual(expect.arrayContaining(names.flatMap((name) => [name, `${name}_words`])));
  });
});
