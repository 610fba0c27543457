import type { Scenario } from './scenario.ts';
import { everyFault } from './scenarios/at-every-step.ts';
import { busy } from './scenarios/busy.ts';
import { byReference } from './scenarios/by-reference.ts';
import { capabilities } from './scenarios/capabilities.ts';
import { closing } from './scenarios/closing.ts';
import { customer } from './scenarios/customer.ts';
import { day } from './scenarios/day.ts';
import { identity } from './scenarios/identity.ts';
import { moneyFree } from './scenarios/money-free.ts';
import { opening } from './scenarios/opening.ts';
import { recovery } from './scenarios/recovery.ts';
import { segmentation } from './scenarios/segmentation.ts';
import { tips } from './scenarios/tips.ts';

/** Every promise of the suite, theme by theme. What its rows have in common is recorded once for each list that is made. */
export function suiteOf(): readonly Scenario[] {
  return byTheme([
    ...opening,
    ...identity,
    ...moneyFree,
    ...segmentation,
    ...customer,
    ...capabilities,
    ...tips,
    ...busy,
    ...recovery,
    ...byReference,
    ...day,
    ...closing,
    ...everyFault(),
  ]);
}

function byTheme(scenarios: readonly Scenario[]): readonly Scenario[] {
  const themes = [...new Set(scenarios.map(({ theme }) => theme))];
  return themes.flatMap((theme) => scenarios.filter((scenario) => scenario.theme === theme));
}
