import type { Group } from './row.ts';
import { givingBackGroup } from './rows/giving-back.ts';
import { paymentGroup } from './rows/payments.ts';
import { requestGroups } from './rows/requests.ts';

/** Every group of rows, in the order of the interface. */
export const SUITE: readonly Group[] = [paymentGroup, givingBackGroup, ...requestGroups];
