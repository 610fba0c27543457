import { maskCardNumbers } from '../base/card-number.ts';
import { assertNever, invariant } from '../base/invariant.ts';
import type { Attempt } from '../payment/attempt/attempt.ts';
import { isFinal, publicStatus } from '../payment/attempt/state-machine.ts';
import { isoInstant } from './iso-instant.ts';

/** A body for the service: only fields that its description names, nothing that is null. */
export type ReportBody = Readonly<Record<string, unknown>>;

/**
 * The `create` of an attempt that was started here (or of which only the evidence is known): our id, and `metadata.tilld`.
 * A sale goes to `POST /terminal-payments`, a refund or a void to `POST /terminal-payments/{its sale}/refund` or `/void`.
 */
export function createBody(attempt: Attempt, agent: string): ReportBody {
  switch (attempt.type) {
    case 'sale':
      return saleBody(attempt, agent);
    case 'refund':
      return { id: attempt.id, amount_minor: attempt.amount.minor, metadata: metadataOf(attempt, agent) };
    case 'void':
      return { id: attempt.id, metadata: metadataOf(attempt, agent) };
    default:
      return assertNever(attempt.type);
  }
}

function saleBody(attempt: Attempt, agent: string): ReportBody {
  return present({
    id: attempt.id,
    device_id: attempt.deviceId,
    invoice_id: attempt.invoiceId,
    amount_minor: attempt.amount.minor,
    currency: attempt.amount.currency,
    reference: attempt.reference,
    metadata: metadataOf(attempt, agent),
  });
}

/**
 * `POST /terminal-payments/{id}/result`: how the attempt ended.
 * @throws INVARIANT_BROKEN when it has not ended.
 */
export function resultBody(attempt: Attempt, agent: string): ReportBody {
  invariant(isFinal(attempt.state), 'only a final attempt has a result', { attempt: attempt.id });
  const { report } = attempt;
  const succeeded = attempt.state.name === 'succeeded';
  return present({
    status: publicStatus(attempt.state),
    terminal_serial: attempt.baseline?.terminal.serial,
    uti: report?.uti,
    auth_code: report?.authCode,
    response_code: report?.responseCode,
    rrn: report?.rrn,
    card_scheme: report?.cardScheme,
    masked_pan: report?.maskedPan?.toString(),
    entry_mode: report?.entryMode,
    error_message: succeeded ? undefined : errorMessage(attempt),
    completed_at: attempt.completedAt === null ? undefined : isoInstant(attempt.completedAt),
    metadata: { tilld: { ...echo(attempt, agent), ...otherAmount(attempt) } },
  });
}

/** The body for a service that refuses `metadata`. */
export function plainBody(body: ReportBody): ReportBody {
  const { metadata: _, ...plain } = body;
  return plain;
}

/** One line of at most 500 printable characters. */
function errorMessage(attempt: Attempt): string | undefined {
  const text = attempt.reason?.message.replace(/[\p{C}\s]+/gu, ' ').trim();
  return text ? maskCardNumbers(text).slice(0, 500) : undefined;
}

function metadataOf(attempt: Attempt, agent: string): ReportBody {
  return { ...attempt.metadata, tilld: echo(attempt, agent) };
}

function echo({ id, corrects, invoiceUnasked }: Attempt, agent: string): ReportBody {
  return {
    agent,
    attempt: id,
    ...(corrects === null ? {} : { corrects }),
    ...(invoiceUnasked ? { invoice_unconfirmed: true } : {}),
  };
}

/** The approved amount where it differs from the requested one: the interface has no field for it. */
function otherAmount({ state, report, amount }: Attempt): ReportBody {
  const approved = report?.amountMinor;
  if (state.name !== 'succeeded' || approved === undefined || approved === amount.minor) return {};
  return { approved_amount_minor: approved };
}

function present(fields: Readonly<Record<string, unknown>>): ReportBody {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
