import type { PaymentEvent, ProgressNote, StoryEntry } from '../../payment/payments.ts';
import type { Event, Progress } from '../contract/event.ts';
import type { StoryLine } from '../contract/terminal-payment.ts';
import { instant } from './instant.ts';
import { namedAsOutside } from './json-record.ts';
import { renderTerminalPayment } from './terminal-payment.ts';

/** An event in the envelope of the interface. */
export function renderEvent(event: PaymentEvent): Event {
  return {
    id: event.id,
    type: event.type,
    created: instant(event.at),
    data: renderTerminalPayment(event.view),
  };
}

export function renderProgress(note: ProgressNote): Progress {
  return { payment_id: note.attemptId, device_id: note.deviceId, text: note.text, at: instant(note.at) };
}

export function renderStoryLine(entry: StoryEntry): StoryLine {
  return {
    at: instant(entry.at),
    kind: entry.kind,
    text: entry.text,
    details: namedAsOutside(entry.details),
  };
}
