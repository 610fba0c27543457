import type { Locator, Page } from 'playwright-core';

/** Screens of tills, tablets and phones. */
export const SCREENS = [
  { width: 1280, height: 800 },
  { width: 1280, height: 720 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const;

/** Names of elements that are not whole in the window, with their place; elements may be hidden nowhere. */
export async function outOfView(
  page: Page,
  elements: Readonly<Record<string, Locator>>,
): Promise<readonly string[]> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const out: string[] = [];
  for (const [name, element] of Object.entries(elements)) {
    const boxes = await Promise.all((await element.all()).map((one) => one.boundingBox()));
    if (boxes.length === 0) out.push(`${name}: there is none`);
    for (const box of boxes) {
      const isWhole =
        box !== null &&
        box.x >= -0.5 &&
        box.y >= -0.5 &&
        box.x + box.width <= width + 0.5 &&
        box.y + box.height <= height + 0.5;
      if (!isWhole) out.push(`${name}: ${JSON.stringify(box)} in ${width}x${height}`);
    }
  }
  return out;
}

/** The page and the dialog above it, where they are wider than their place. */
export const overhang = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('dialog[open], dialog[open] > *')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth, clientWidth }) => `${tagName} is ${scrollWidth - clientWidth} px wider`),
  );
