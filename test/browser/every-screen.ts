import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { flawsOf } from './axe.ts';

/** 200 % zoom of a small window, and a phone; CSS pixels. */
const NARROW = [
  [640, 400],
  [360, 740],
] as const;

/** How many CSS pixels the page is wider than its window. */
const overhang = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Opens a place of the pages without a reload: `#/till/history`. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, place);
  await page.locator('main h1').first().waitFor({ state: 'attached' });
}

/** Fails where a place is wider than a narrow window, in any language, or axe finds a flaw in one of both themes. */
export async function fitsEverywhere(page: Page, places: readonly string[]): Promise<void> {
  for (const language of ['en', 'de', 'fr']) {
    await page.locator('.menu summary').click();
    await page.locator('.menu select').first().selectOption(language);
    await page.locator('.menu summary').click();
    for (const [width, height] of NARROW) {
      await page.setViewportSize({ width, height });
      for (const place of places) {
        await goTo(page, place);
        expect(await overhang(page), `${language} ${width} ${place}`).toBe(0);
      }
    }
  }
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const place of places) {
      await goTo(page, place);
      expect(await flawsOf(page), `${colorScheme} ${place}`).toEqual([]);
    }
  }
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const SOURCES = join(import.meta.dirname, '../../src');
/** Where English stands by intention: another program's own words, code, and the names of the languages. */
const ENGLISH = '[lang=en], code, pre, .mono, option, .menu';

/**
 * Fails where a place shows the id of anything, in any language, or an English text of a catalogue in German or French. What is marked as
 * English, or is what a person typed, is not compared; the ids are looked for everywhere.
 */
export async function saysItRight(page: Page, places: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const language of ['en', 'de', 'fr'] as const) {
    const isEnglish = await englishOnly(language);
    await page.locator('.menu summary').click();
    await page.locator('.menu select').first().selectOption(language);
    await page.locator('.menu summary').click();
    for (const place of places) {
      await goTo(page, place);
      for (const { text, isOurs } of await textsOn(page)) {
        if (ID.test(text)) found.push(`${language} ${place}: an id in "${text}"`);
        if (isOurs && isEnglish(text)) found.push(`${language} ${place}: English "${text}"`);
      }
    }
  }
  expect([...new Set(found)]).toEqual([]);
}

/** Every text of the page as it is rendered, also what is folded; `isOurs`: it is to be in the language of the page. */
async function textsOn(page: Page): Promise<readonly { text: string; isOurs: boolean }[]> {
  return await page.evaluate((english) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent?.trim() ?? '';
      if (text !== '' && parent && !parent.closest('script, style, noscript'))
        texts.push({ text, isOurs: !parent.closest(english) });
    }
    return texts;
  }, ENGLISH);
}

/** Whether a text is of the English catalogues, and of none in the language. */
async function englishOnly(language: 'en' | 'de' | 'fr'): Promise<(text: string) => boolean> {
  if (language === 'en') return () => false;
  const [own, english] = await Promise.all([patternsOf(language), patternsOf('en')]);
  return (text) => english.some((one) => one.test(text)) && !own.some((one) => one.test(text));
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
