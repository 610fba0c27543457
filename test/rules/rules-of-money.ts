import { AMNESIA } from './amnesia.ts';
import { AMOUNTS } from './amounts.ts';
import { CANCEL } from './cancel.ts';
import { INVARIANTS } from './invariants.ts';
import { RECOVERY } from './recovery.ts';
import type { Section } from './rule.ts';
import { SERVICE } from './service.ts';
import { STATES } from './states.ts';

/** Every rule of money, in the order of the rules. */
export const RULES_OF_MONEY: readonly Section[] = [
  STATES,
  CANCEL,
  AMOUNTS,
  INVARIANTS,
  RECOVERY,
  AMNESIA,
  SERVICE,
];
