import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds wrong with the page as it stands, one line each: `rule: element`. */
export async function flawsOf(page: Page): Promise<readonly string[]> {
  // The code of a page comes when it is opened: before its heading is there, nothing is.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  // Through the debugger, so that the page's own policy stays as strict as it is.
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: readonly Finding[];
  };
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
