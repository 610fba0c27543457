/** The pages of the driver guide: `drivers/guide/PAGE.md`, and `guide/PAGE.md` in the driver kit. */
export const GUIDE_PAGES = [
  'first-approval',
  'package',
  'framing',
  'http',
  'money-and-outcomes',
  'accepted',
  'recovery',
  'busy-and-refusals',
  'amounts',
  'end-of-day',
  'testing',
] as const;
export type GuidePage = (typeof GUIDE_PAGES)[number];

/** The words of a refusal that the author of a driver can meet, with the page that says more. */
export function inGuide(page: GuidePage, words: string): string {
  return `${words} (driver guide: ${page}.md)`;
}
