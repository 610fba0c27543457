import type { RoutePlugin } from '../api.ts';
import type { Status } from '../contract/status.ts';
import type { ApiDeps } from '../deps.ts';
import type { Environment } from '../keys/secret.ts';
import type { LanAddress } from '../lan/lan-address.ts';
import type { People } from '../people/people.ts';
import type { OpsDeps } from '../ports.ts';
import type { ReceiptAddress } from '../receipts/receipt-address.ts';
import type { EventStreams } from '../stream/event-streams.ts';
import { customerStateRoutes } from './customer-state.ts';
import { daemonRoutes } from './daemon.ts';
import { dayReportRoutes } from './day-report.ts';
import { doctorRoutes } from './doctor.ts';
import { drainRoutes } from './drain.ts';
import { entitlementCheckRoutes } from './entitlement-checks.ts';
import { eventRoutes } from './events.ts';
import { fleetRoutes } from './fleet.ts';
import { fleetTaskRoutes } from './fleet-tasks.ts';
import { integrationMappingRoutes } from './integration-mappings.ts';
import { integrationSettingRoutes } from './integration-settings.ts';
import { integrationSyncRoutes } from './integration-syncs.ts';
import { integrationRoutes } from './integrations.ts';
import { keyRoutes } from './keys.ts';
import { logRoutes } from './log.ts';
import { mirrorRoutes } from './mirror.ts';
import { mirroredListRoutes } from './mirrored-lists.ts';
import { openApiRoutes } from './openapi.ts';
import { outboxRoutes } from './outbox.ts';
import { pageRoutes } from './pages.ts';
import { paymentTotalsRoutes } from './payment-totals.ts';
import { peopleRoutes } from './people.ts';
import { receiptRoutes } from './receipts.ts';
import { refundAndVoidRoutes } from './refunds-and-voids.ts';
import { seriesRoutes } from './series.ts';
import { serviceHookRoutes } from './service-hooks.ts';
import { type SignIn, sessionRoutes } from './sessions.ts';
import { type SignInWays, signInWayRoutes } from './sign-in-ways.ts';
import { terminalActivityRoutes } from './terminal-activity.ts';
import { terminalDeviceRoutes } from './terminal-devices.ts';
import { terminalPaymentRoutes } from './terminal-payments.ts';
import { terminalSettlementRoutes } from './terminal-settlements.ts';
import { terminalTaskRoutes } from './terminal-tasks.ts';
import { terminalUpkeepRoutes } from './terminal-upkeep.ts';
import { usualAmountRoutes } from './usual-amount.ts';
import { virtualTerminalRoutes } from './virtual-terminals.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';

export interface RouteDeps extends Omit<ApiDeps, 'people' | 'signIn'> {
  /** null: there are no named people. */
  readonly people: People | null;
  readonly streams: EventStreams;
  /** Where tilld can be reached now. */
  readonly urls: () => Status['urls'];
  /** How devices of the shop's network reach tilld; null: they do not. */
  readonly lan: () => LanAddress | null;
  /** Where a customer's phone reaches receipts; null: nowhere. */
  readonly receipts: () => ReceiptAddress | null;
  /** null: there are no pages and no sign-in. */
  readonly signIn: SignIn | null;
  /** null: people sign in with codes alone. */
  readonly ways: SignInWays | null;
}

/** Every route of the local interface. `version` is tilld's own, for the OpenAPI document. */
export function allRoutes(
  deps: RouteDeps,
  environment: Environment,
  version: string,
): readonly RoutePlugin[] {
  const { pages, signIn } = deps;
  return [
    terminalPaymentRoutes(deps),
    paymentTotalsRoutes(deps),
    refundAndVoidRoutes(deps),
    receiptRoutes(deps),
    terminalDeviceRoutes(deps.devices),
    terminalActivityRoutes(deps),
    usualAmountRoutes(deps),
    terminalSettlementRoutes(deps),
    terminalUpkeepRoutes(deps),
    dayReportRoutes(deps),
    terminalTaskRoutes(deps),
    mirroredListRoutes(deps),
    entitlementCheckRoutes(deps),
    customerStateRoutes(deps),
    mirrorRoutes(deps),
    outboxRoutes(deps.outbox),
    eventRoutes(deps),
    webhookEndpointRoutes(deps.webhooks),
    webhookDeliveryRoutes(deps.webhooks),
    integrationRoutes(deps.integrations),
    integrationSettingRoutes(deps.integrations),
    integrationMappingRoutes(deps.integrations),
    integrationSyncRoutes(deps.integrations),
    keyRoutes(deps, environment),
    ...(deps.people ? [peopleRoutes({ people: deps.people, streams: deps.streams })] : []),
    daemonRoutes(deps.status, () => ({ urls: deps.urls(), time_zone: deps.calendar.timeZone })),
    drainRoutes(deps.drain),
    ...(deps.fleet ? [fleetRoutes(deps.fleet), fleetTaskRoutes({ ...deps, fleet: deps.fleet })] : []),
    openApiRoutes(version),
    serviceHookRoutes(deps),
    ...(signIn ? [sessionRoutes({ ...deps, ...signIn })] : []),
    ...(signIn && deps.ways && pages
      ? [signInWayRoutes({ ...deps, ...deps.ways, sessions: pages.sessions })]
      : []),
    ...(pages?.ops ? opsRoutes(pages.ops, deps) : []),
    ...(pages ? [pageRoutes(pages.files)] : []),
  ];
}

/** Routes of the pages that tills do not use. */
function opsRoutes(ops: OpsDeps, { clock }: RouteDeps): readonly RoutePlugin[] {
  return [
    logRoutes(ops.log),
    seriesRoutes(ops.series, clock),
    doctorRoutes(ops.doctor),
    virtualTerminalRoutes(ops.virtualTerminals),
  ];
}
