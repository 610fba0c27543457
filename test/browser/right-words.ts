import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { goTo } from './every-screen.ts';

export type Language = 'en' | 'de' | 'fr';

const ID = /\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b/i;
const SOURCES = join(import.meta.dirname, '../../src');
/** Where English stands by intention: what is folded, another program's own words (`data-said-by`), the log, code, and the names of the languages. */
const ENGLISH = 'details [lang=en], [data-said-by], .log li, code, pre, .mono, .choices option';
/** What a person hears of an element, or sees in a field or under the pointer. */
const SPOKEN = ['aria-label', 'alt', 'placeholder', 'title'];
/** English words that neither German nor French has. */
const WORDS =
  /\b(the|and|of|is|are|were|with|this|that|these|those|from|its|been|has|your|you|which|there|their|they|could|should|would|when|what|nothing|never|than|because|until|does|did|only|each|every|another|yes|true|false|since|waits|days|hours|payments?|amounts?|none|last)\b/i;
/** A code or a key that has no words: `identity_grade`. The name of an integration is none. */
const CODE = /\b(?!provider_)[a-z]+(_[a-z0-9]+)+\b/;

/**
 * Fails where a place shows the id of anything, in any language, or English in German or French. What stands in
 * English by intention is not compared; the ids are looked for everywhere.
 */
export async function saysItRight(page: Page, places: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const place of places) {
    await goTo(page, place);
    found.push(...(await wrongWordsOn(page, place)));
  }
  expect([...new Set(found)]).toEqual([]);
}

/** What the page, as it stands, says wrong in each language, one line each. The dialog that is open stays open, and the language as it was. */
export async function wrongWordsOn(page: Page, what: string): Promise<readonly string[]> {
  const found: string[] = [];
  const before = await page.evaluate(() => document.documentElement.lang);
  for (const language of ['en', 'de', 'fr'] as const) {
    await speak(page, language);
    found.push(...(await wrongWordsIn(page, language, what)));
  }
  await speak(page, before);
  return found;
}

/** The same of a page that stands in one language. */
export async function wrongWordsIn(page: Page, language: Language, what: string): Promise<readonly string[]> {
  const found: string[] = [];
  const isEnglish = await englishOnly(language);
  for (const { text, isOurs } of await textsOn(page)) {
    if (ID.test(text)) found.push(`${language} ${what}: an id in "${text}"`);
    if (isOurs && CODE.test(text)) found.push(`${language} ${what}: a code in "${text}"`);
    if (isOurs && isEnglish(text)) found.push(`${language} ${what}: English "${text}"`);
  }
  return found;
}

/** Changes the language of the page as the menu does, also while a dialog covers the menu. */
export async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((chosen) => {
    const select = document.querySelector('.choices select');
    if (!(select instanceof HTMLSelectElement)) throw new Error('the page has no choice of languages');
    select.value = chosen;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, language);
  await page.waitForFunction((chosen) => document.documentElement.lang === chosen, language);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

interface Text {
  readonly text: string;
  /** It is to be in the language of the page. */
  readonly isOurs: boolean;
}

/** Every text of the page, or of the dialog above it, as it is rendered, also what is folded, and what only a screen reader says. */
async function textsOn(page: Page): Promise<readonly Text[]> {
  return await page.evaluate(
    ([english, spoken]) => {
      const texts: Text[] = [];
      const root = document.querySelector('dialog[open]') ?? document.body;
      const add = (element: Element | null, text: string | null | undefined) => {
        if (text?.trim() && element && !element.closest('script, style, noscript'))
          texts.push({ text: text.trim(), isOurs: !element.closest(english) });
      };
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) add(walker.currentNode.parentElement, walker.currentNode.textContent);
      for (const name of spoken)
        for (const element of root.querySelectorAll(`[${name}]`)) add(element, element.getAttribute(name));
      return texts;
    },
    [ENGLISH, SPOKEN] as const,
  );
}

/** Whether a text is of the English catalogues and of none in the language, or has an English word that is in none of its texts. */
async function englishOnly(language: Language): Promise<(text: string) => boolean> {
  if (language === 'en') return () => false;
  const [own, english] = await Promise.all([patternsOf(language), patternsOf('en')]);
  return (text) =>
    (WORDS.test(text) || english.some((one) => one.test(text))) && !own.some((one) => one.test(text));
}

async function patternsOf(language: string): Promise<readonly RegExp[]> {
  const files = globSync(`{console/*,sentences}/words/{outcomes.,}${language}.js`, { cwd: SOURCES });
  const modules = await Promise.all(files.map((file) => import(join(SOURCES, file))));
  return modules
    .flatMap((module) => leavesOf(Object.values(module)[0]))
    .filter((text) => /[\p{L}]{3}/u.test(text.replace(/\{\w+\}/g, '')))
    .map(
      (text) => new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.*')}$`, 's'),
    );
}

function leavesOf(texts: unknown): readonly string[] {
  return typeof texts === 'string' ? [texts] : Object.values(texts ?? {}).flatMap(leavesOf);
}
