import { BatchTotals, BookTotals } from '../contract/batch-totals.ts';
import { ErrorEnvelope, FlatError, IdempotencyError } from '../contract/error.ts';
import { Event } from '../contract/event.ts';
import {
  ActivateIntegration,
  Integration,
  InvoiceRefresh,
  IssueList,
  ProductMapping,
  ReplaceMappings,
  ResourceSyncStats,
  SlotSyncStats,
  SyncCounters,
  SyncIntegration,
  WithCredentials,
} from '../contract/integration.ts';
import { Invoice, InvoiceList } from '../contract/invoice.ts';
import {
  CreatedKey,
  CreateKey,
  KeyAudit,
  KeyStatus,
  KeySummary,
  RevokeKey,
  RolledKey,
  RollKey,
  Scope,
} from '../contract/key.ts';
import { DropReport, OutboxReport, RetryReport } from '../contract/outbox-report.ts';
import { CurrencyCode, Json, Metadata, Timestamp, Uuid } from '../contract/primitives.ts';
import { Health, Status } from '../contract/status.ts';
import { DryRun, MappingSuggestion, ParkedRecord, SyncRun, SyncStream } from '../contract/sync.ts';
import { AdoptTerminal, TerminalDevice } from '../contract/terminal-device.ts';
import {
  CreateTerminalPayment,
  Explanation,
  PaymentStatus,
  RefundTerminalPayment,
  ResolveTerminalPayment,
  TerminalPayment,
} from '../contract/terminal-payment.ts';
import { JournalLine, ReconciledLine, TerminalReconciliation } from '../contract/terminal-reconciliation.ts';
import { RequestEndOfDay, SettlementStatus, TerminalSettlement } from '../contract/terminal-settlement.ts';
import { FinishTerminalTask, TerminalTask } from '../contract/terminal-task.ts';
import { WebhookDelivery } from '../contract/webhook-delivery.ts';
import {
  CreateWebhookEndpoint,
  DeletedWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../contract/webhook-endpoint.ts';

/** Schemas that the document defines once and references: a generated client gets a type of this name. */
export const NAMED = {
  Invoice,
  InvoiceList,
  Uuid,
  Timestamp,
  CurrencyCode,
  Metadata,
  Json,
  PaymentStatus,
  Scope,
  KeyStatus,
  TerminalPayment,
  CreateTerminalPayment,
  RefundTerminalPayment,
  ResolveTerminalPayment,
  Explanation,
  TerminalDevice,
  AdoptTerminal,
  BatchTotals,
  BookTotals,
  SettlementStatus,
  RequestEndOfDay,
  TerminalSettlement,
  JournalLine,
  ReconciledLine,
  TerminalReconciliation,
  TerminalTask,
  FinishTerminalTask,
  OutboxReport,
  RetryReport,
  DropReport,
  Event,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  DeletedWebhookEndpoint,
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookDelivery,
  Integration,
  ActivateIntegration,
  WithCredentials,
  SyncIntegration,
  ProductMapping,
  ReplaceMappings,
  InvoiceRefresh,
  SyncCounters,
  SlotSyncStats,
  ResourceSyncStats,
  SyncRun,
  SyncStream,
  ParkedRecord,
  DryRun,
  MappingSuggestion,
  CreateKey,
  CreatedKey,
  RollKey,
  RevokeKey,
  RolledKey,
  KeySummary,
  KeyAudit,
  Health,
  Status,
  ErrorEnvelope,
  IdempotencyError,
  FlatError,
  IssueList,
} as const;
