import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { IntegrationsApi } from '../../integration/integrations-api.ts';
import type { MirrorReader } from '../../integration/mirror.ts';
import type { OutboxAdmin } from '../../outbox/outbox-admin.ts';
import type { TerminalOperations } from '../../payment/batch/terminal-operations.ts';
import type { Payments } from '../../payment/payments.ts';
import type { Devices } from '../../terminal/device.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { Environment } from '../keys/secret.ts';
import type { ApiKeyStore, ServiceHooks, StatusSource } from '../ports.ts';
import type { EventStreams } from '../stream/event-streams.ts';
import { daemonRoutes } from './daemon.ts';
import { eventRoutes } from './events.ts';
import { integrationMappingRoutes } from './integration-mappings.ts';
import { integrationSettingRoutes } from './integration-settings.ts';
import { integrationSyncRoutes } from './integration-syncs.ts';
import { integrationRoutes } from './integrations.ts';
import { invoiceRoutes } from './invoices.ts';
import { keyRoutes } from './keys.ts';
import { openApiRoute } from './openapi.ts';
import { outboxRoutes } from './outbox.ts';
import { refundAndVoidRoutes } from './refunds-and-voids.ts';
import type { Route } from './route.ts';
import { serviceHookRoutes } from './service-hooks.ts';
import { terminalDeviceRoutes } from './terminal-devices.ts';
import { terminalPaymentRoutes } from './terminal-payments.ts';
import { terminalSettlementRoutes } from './terminal-settlements.ts';
import { terminalTaskRoutes } from './terminal-tasks.ts';
import { terminalUpkeepRoutes } from './terminal-upkeep.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';

export interface RouteDeps {
  readonly payments: Payments;
  readonly operations: TerminalOperations;
  readonly devices: Devices;
  readonly keys: ApiKeyStore;
  readonly status: StatusSource;
  readonly streams: EventStreams;
  readonly webhooks: Webhooks;
  readonly integrations: IntegrationsApi;
  readonly outbox: OutboxAdmin;
  /** null or absent: no signing secret is configured. */
  readonly serviceHooks?: ServiceHooks | null;
  readonly mirror?: MirrorReader | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Every route of the local interface. `version` is tilld's own, for the OpenAPI document. */
export function routeTable(deps: RouteDeps, environment: Environment, version: string): readonly Route[] {
  const routes: Route[] = [
    ...terminalPaymentRoutes(deps),
    ...refundAndVoidRoutes(deps.payments),
    ...terminalDeviceRoutes(deps.devices),
    ...terminalSettlementRoutes(deps),
    ...terminalUpkeepRoutes(deps),
    ...terminalTaskRoutes(deps),
    ...invoiceRoutes(deps.mirror ?? null, deps.payments),
    ...outboxRoutes(deps.outbox),
    ...eventRoutes(deps),
    ...webhookEndpointRoutes(deps.webhooks),
    ...webhookDeliveryRoutes(deps.webhooks),
    ...integrationRoutes(deps.integrations),
    ...integrationSettingRoutes(deps.integrations),
    ...integrationMappingRoutes(deps.integrations),
    ...integrationSyncRoutes(deps.integrations),
    ...keyRoutes(deps, environment),
    ...daemonRoutes(deps.status),
  ];
  const openApi = openApiRoute(() => routes, version);
  routes.push(openApi);
  // Not for tills, so not in the document.
  return [...routes, ...serviceHookRoutes(deps)];
}
