import type { Group } from './row.ts';
import { attemptGroups } from './rows/attempts.ts';
import { codeGroup } from './rows/codes.ts';
import { createBodyGroup } from './rows/create-body.ts';
import { credentialGroup } from './rows/credentials.ts';
import { dayReportGroup } from './rows/day-report.ts';
import { deliveryGroup } from './rows/deliveries.ts';
import { eventGroup } from './rows/events.ts';
import { givingBackGroup } from './rows/giving-back.ts';
import { idempotencyGroups } from './rows/idempotency.ts';
import { integrationGroups } from './rows/integrations.ts';
import { keyGroups } from './rows/keys.ts';
import { listGroups } from './rows/lists.ts';
import { merchantGroups } from './rows/merchant.ts';
import { paymentSearchGroup } from './rows/payment-search.ts';
import { paymentGroup } from './rows/payments.ts';
import { rateGroups } from './rows/rate-limits.ts';
import { requestGroups } from './rows/requests.ts';
import { routeGroup } from './rows/routes.ts';
import { signatureGroup } from './rows/signatures.ts';
import { terminalActivityGroup } from './rows/terminal-activity.ts';
import { versionGroup } from './rows/versions.ts';
import { webhookGroup } from './rows/webhooks.ts';

/** Every group of rows; each is held against a side of its own. */
export const SUITE: readonly Group[] = [
  paymentGroup,
  paymentSearchGroup,
  dayReportGroup,
  terminalActivityGroup,
  createBodyGroup,
  givingBackGroup,
  ...requestGroups,
  routeGroup,
  codeGroup,
  ...listGroups,
  ...merchantGroups,
  credentialGroup,
  ...keyGroups,
  ...idempotencyGroups,
  ...rateGroups,
  versionGroup,
  eventGroup,
  webhookGroup,
  deliveryGroup,
  signatureGroup,
  ...attemptGroups,
  ...integrationGroups,
];
