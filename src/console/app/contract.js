/**
 * The shapes of the API, by the names that the pages use: derived from the daemon's own schemas, so that tsc detects when a page and the
 * API differ.
 * @typedef {import('../../api/contract/terminal-payment.ts').TerminalPayment} Payment
 * @typedef {import('../../api/contract/terminal-payment.ts').PaymentStatus} PaymentStatus
 * @typedef {import('../../api/contract/terminal-payment.ts').CreateTerminalPayment} CreatePayment
 * @typedef {import('../../api/contract/payment-search.ts').PaymentTotals} PaymentTotals
 * @typedef {import('../../api/contract/receipt-link.ts').ReceiptLink} ReceiptLink
 * @typedef {import('../../api/contract/terminal-device.ts').TerminalDevice} Device
 * @typedef {import('../../api/contract/terminal-activity.ts').TerminalActivity} TerminalActivity
 * @typedef {import('../../api/contract/terminal-activity.ts').UsualAmount} UsualAmount
 * @typedef {import('../../api/contract/terminal-settlement.ts').TerminalSettlement} Settlement
 * @typedef {import('../../api/contract/terminal-reconciliation.ts').TerminalReconciliation} Reconciliation
 * @typedef {import('../../api/contract/terminal-reprint.ts').TerminalReprint} Reprint
 * @typedef {import('../../api/contract/day-report.ts').DayReport} DayReport
 * @typedef {import('../../api/contract/terminal-task.ts').TerminalTask} Task
 * @typedef {import('../../api/contract/event.ts').Event} ShopEvent
 * @typedef {import('../../api/contract/event.ts').Progress} Progress
 * @typedef {import('../../api/contract/status.ts').Status} Status
 * @typedef {import('../../api/contract/outbox-report.ts').OutboxReport} OutboxReport
 * @typedef {import('../../api/contract/outbox-report.ts').OutboxCause} OutboxCause
 * @typedef {import('../../api/contract/integration.ts').Integration} Integration
 * @typedef {import('../../api/contract/integration.ts').ProductMapping} ProductMapping
 * @typedef {import('../../api/contract/integration.ts').SyncCounters} SyncCounters
 * @typedef {import('../../api/contract/sync.ts').SyncRunEntry} SyncRunEntry
 * @typedef {import('../../api/contract/sync.ts').SyncStream} SyncStream
 * @typedef {import('../../api/contract/sync.ts').StoredCredentials} StoredCredentials
 * @typedef {import('../../api/contract/sync.ts').RecipeTrial} RecipeTrial
 * @typedef {import('../../api/contract/sync.ts').MappingSuggestion} MappingSuggestion
 * @typedef {import('../../api/contract/sync.ts').ParkedCause} ParkedCause
 * @typedef {import('../../api/contract/sync.ts').ParkedRecord} ParkedRecord
 * @typedef {import('../../api/contract/series.ts').Series} Series
 * @typedef {import('../../api/contract/log-line.ts').LogLine} LogLine
 * @typedef {import('../../api/contract/examination.ts').Examination} Examination
 * @typedef {import('../../api/contract/virtual-terminal.ts').VirtualTerminal} VirtualTerminal
 * @typedef {import('../../api/contract/session.ts').Session} Session
 * @typedef {import('../../api/contract/session.ts').OpenedSession} OpenedSession
 * @typedef {import('../../api/contract/session.ts').Role} Role
 * @typedef {import('../../api/contract/sign-in.ts').SignInOptions} SignInOptions
 * @typedef {import('../../api/contract/sign-in.ts').Passkey} Passkey
 * @typedef {import('../../api/contract/sign-in.ts').PairedDevice} PairedDevice
 * @typedef {import('../../api/contract/sign-in.ts').PairingCode} PairingCode
 * @typedef {import('../../api/contract/person.ts').Person} Person
 * @typedef {import('../../api/contract/person.ts').AuditTrailEntry} AuditTrailEntry
 * @typedef {import('../../api/contract/session.ts').SignInCode} SignInCode
 */

export {};
