import type { GuidePage } from '../../src/driver-packages/guide.ts';
import type { Scenario } from './scenario.ts';

/** Theme of the suite → the page of the driver guide that says what its rows ask for. */
const PAGES: Readonly<Record<string, GuidePage>> = {
  opening: 'framing',
  identity: 'busy-and-refusals',
  'free of money': 'busy-and-refusals',
  segmentation: 'framing',
  money: 'money-and-outcomes',
  capabilities: 'amounts',
  busy: 'busy-and-refusals',
  recovery: 'recovery',
  day: 'end-of-day',
  closing: 'money-and-outcomes',
  cut: 'money-and-outcomes',
  silence: 'money-and-outcomes',
  power: 'recovery',
  noise: 'framing',
  abort: 'money-and-outcomes',
};

/** The page for a row that failed; where a theme has none, the one about testing. */
export function pageOf({ theme }: Pick<Scenario, 'theme'>): GuidePage {
  return PAGES[theme] ?? 'testing';
}
