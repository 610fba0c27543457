import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filled } from '../../../src/sentences/tongue.js';

const SRC = join(import.meta.dirname, '../../../src');
const AREAS = globSync(['console/*/words/en.js', 'sentences/words/en.js'], { cwd: SRC }).map((file) =>
  dirname(file),
);
const OTHERS = ['de', 'fr'] as const;

/** Texts that the language writes as English does: one word is the same, or the rest is names and numbers. */
const SAME: Readonly<Record<(typeof OTHERS)[number], readonly string[]>> = {
  de: [
    'Firmware',
    'PIN',
    'Passkeys',
    'Terminal',
    'Terminals',
    'Journal',
    'Webhooks',
    'in {age}',
    'In {currency}',
    'tilld',
    'tilld {version} · {environment}',
  ],
  fr: [
    'Source',
    'signature',
    'silence',
    'Terminal',
    'Journal',
    'Configuration',
    'Pages',
    'Suggestions',
    'Type',
    'Transactions',
    'Webhooks',
    'tilld',
    'tilld {version} · {environment}',
  ],
};

/** Words after a number that are the same after a 1, or whose number is never 1. */
const UNCHANGED: Readonly<Record<string, readonly string[]>> = {
  en: ['found', 'on', 'times', 'are shown', 'payments or more'],
  de: ['gefunden', 'zeigen', 'sind zu sehen', 'zurückgestellt', 'Zahlungen oder mehr'],
  fr: ['premiers', 'en attente', 'fois', 'paiements ou plus'],
};

type Texts = Readonly<Record<string, unknown>>;

async function textsOf(area: string, language: 'en' | 'de' | 'fr'): Promise<Texts> {
  const module: Texts = await import(join(SRC, area, `${language}.js`));
  const { [language]: texts } = module;
  return Object.fromEntries(leaves(texts as Texts));
}

/** Every text by its path: `outcomes.paid.now`. */
function leaves(texts: Texts, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : leaves(value as Texts, `${path}${key}.`),
  );
}

function holesOf(text: unknown): readonly string[] {
  return [...String(text).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();
}

describe.each(AREAS)('the words of %s', (area) => {
  it.each(OTHERS)('have the same keys and the same holes in %s as in English', async (language) => {
    const [english, other] = [await textsOf(area, 'en'), await textsOf(area, language)];
    expect(Object.keys(other).sort()).toEqual(Object.keys(english).sort());
    for (const key of Object.keys(english)) {
      expect([...new Set(holesOf(other[key]))], key).toEqual([...new Set(holesOf(english[key]))]);
    }
  });

  it.each(OTHERS)('are translated into %s', async (language) => {
    const [english, other] = [await textsOf(area, 'en'), await textsOf(area, language)];
    const same = Object.keys(english).filter((key) => {
      const text = String(english[key]);
      return (
        other[key] === text &&
        /[a-z]{2}/i.test(text.replace(/\{\w+\}/g, '')) &&
        !SAME[language].includes(text)
      );
    });
    expect(same).toEqual([]);
  });

  it('have a form of their own for one, where the word behind the number changes', async () => {
    for (const language of ['en', ...OTHERS] as const) {
      const texts = await textsOf(area, language);
      const lacking = Object.entries(texts).filter(([key, text]) => {
        const [, behind] = /\{count\} (\p{L}.*)/u.exec(String(text)) ?? [];
        const isFixed = UNCHANGED[language]?.some((words) => behind?.startsWith(words));
        return behind !== undefined && !isFixed && !key.endsWith('_one') && !(`${key}_one` in texts);
      });
      expect(lacking, language).toEqual([]);
    }
  });

  it.each([
    // U+202F, at which no line breaks, stands there once a text is shown.
    ['fr', /[^\s\u202f][:;?!»](?=\s|$)|«(?!\u202f)|[ \u00a0][:;?!»%]|['"“”„]/],
    ['de', /[^ ]…(?!\{)|['"”«»]/],
    ['en', /['"„«»]/],
  ] as const)('have the spaces and the quotation marks of %s', async (language, wrong) => {
    for (const [key, text] of Object.entries(await textsOf(area, language)))
      expect(filled(String(text)), `${language} ${key}`).not.toMatch(wrong);
  });

  it('are never empty', async () => {
    for (const language of ['en', ...OTHERS] as const) {
      for (const [key, text] of Object.entries(await textsOf(area, language)))
        expect(String(text).trim(), `${language} ${key}`).not.toBe('');
    }
  });
});
