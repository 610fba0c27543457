import { AppError } from '../base/errors.ts';
import { assertNever } from '../base/invariant.ts';
import type { BooksReader, Stand } from '../fleet/agent/command-tasks.ts';
import type { OutboxAdminStore } from '../outbox/outbox-admin.ts';
import { isFinal } from '../payment/attempt/state-machine.ts';
import { isSettled } from '../payment/batch/settlement.ts';
import type { TerminalOperations } from '../payment/batch/terminal-operations.ts';
import type { Payments } from '../payment/payments.ts';
import type { Devices } from '../terminal/device.ts';

export interface FleetBooksDeps {
  readonly payments: Pick<Payments, 'get'>;
  readonly operations: Pick<TerminalOperations, 'settlement' | 'settlements'>;
  readonly devices: Pick<Devices, 'get'>;
  readonly reports: Pick<OutboxAdminStore, 'find'>;
}

const OPEN: Stand = { kind: 'open' };

/** Whether what an operator asks a person for is open still, by the books of this shop. It reads alone. */
export function fleetBooks(deps: FleetBooksDeps): BooksReader {
  return {
    standOf(command, since, settlementId) {
      switch (command.kind) {
        case 'resolve':
          return paymentStand(deps, command.payment_id, since);
        case 'retry_report':
          return reportStand(deps, command.report_id, 'retried', since);
        case 'drop_report':
          return reportStand(deps, command.report_id, 'dropped', since);
        case 'adopt':
          return terminalStand(deps, command.device_id);
        case 'end_of_day':
          return dayStand(deps, command.device_id, since, settlementId);
        default:
          return assertNever(command);
      }
    },
  };
}

function paymentStand({ payments }: FleetBooksDeps, id: string, since: number): Stand {
  const { attempt } = known(() => payments.get(id), 'PAYMENT_UNKNOWN') ?? {};
  if (attempt === undefined) return { kind: 'unknown', words: `this shop has no payment ${id}` };
  const { state, evidence, completedAt } = attempt;
  if (!isFinal(state)) return OPEN;
  const isSince = (completedAt ?? 0) >= since;
  const by = isSince && evidence?.kind === 'person' ? evidence.by : null;
  return { kind: 'over', by, words: `the outcome of the payment is known: ${state.name}` };
}

function reportStand(
  { reports }: FleetBooksDeps,
  id: string,
  asked: 'retried' | 'dropped',
  since: number,
): Stand {
  const report = reports.find(id);
  if (report === null)
    return { kind: 'over', by: null, words: 'the service has this report, or this shop has none of this id' };
  const { status, decision } = report;
  if (status === 'parked') return OPEN;
  const isSo = decision !== null && decision.decision === asked && decision.at >= since;
  return { kind: 'over', by: isSo ? decision.by : null, words: `the report is ${status}` };
}

/** Of a terminal that tells no name only a person sees whether it is another one. */
function terminalStand({ devices }: FleetBooksDeps, id: string): Stand {
  const view = devices.get(id);
  if (view === undefined) return { kind: 'unknown', words: `this shop has no device ${id}` };
  const { status, identity } = view;
  if (status === 'wrong_terminal' || status === 'offline' || identity?.grade === 'port') return OPEN;
  return { kind: 'over', by: null, words: 'the terminal that answers is the one of this device' };
}

function dayStand(
  { operations, devices }: FleetBooksDeps,
  deviceId: string,
  since: number,
  settlementId: string | null,
): Stand {
  if (devices.get(deviceId) === undefined)
    return { kind: 'unknown', words: `this shop has no device ${deviceId}` };
  const { items } = operations.settlements({ deviceId, limit: 1 });
  const own = settlementId === null ? null : operations.settlement(settlementId);
  const closed = [own, ...items].find(
    (one) => one?.status === 'succeeded' && (one === own || one.createdAt >= since),
  );
  if (closed)
    return {
      kind: 'over',
      by: closed.forced?.by ?? null,
      isAsBegun: closed === own,
      words: 'the day of the terminal is closed',
    };
  return { kind: 'open', isRunning: own !== null && !isSettled(own) };
}

/** undefined: it does not exist. */
function known<T>(read: () => T, code: string): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === code) return undefined;
    throw error;
  }
}
