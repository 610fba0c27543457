import type { PaymentEvent, ProgressNote, TimelineEntry } from '../../payment/payments.ts';
import type { Devices } from '../../terminal/device.ts';
import type { Event, Progress } from '../contract/event.ts';
import type { ExplanationLine } from '../contract/terminal-payment.ts';
import { instant } from './instant.ts';
import { namedAsOutside } from './json-record.ts';
import { renderTerminalPayment } from './terminal-payment.ts';
import { renderTerminalSettlement } from './terminal-settlement.ts';

/** An event in the envelope of the API; `data` is its subject as GET returns it. */
export function renderEvent(event: PaymentEvent, devices: Devices): Event {
  const { id, type, at, subject } = event;
  const data =
    subject.kind === 'payment'
      ? renderTerminalPayment(subject.view)
      : renderTerminalSettlement(subject.settlement, devices);
  return { id, type, created: instant(at), data };
}

export function renderProgress(note: ProgressNote): Progress {
  return { payment_id: note.attemptId, device_id: note.deviceId, text: note.text, at: instant(note.at) };
}

export function renderExplanationLine(entry: TimelineEntry): ExplanationLine {
  return {
    at: instant(entry.at),
    kind: entry.kind,
    text: entry.text,
    details: namedAsOutside(entry.details),
  };
}
