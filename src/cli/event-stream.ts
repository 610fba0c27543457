import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { Event, Progress } from '../api/contract/event.ts';
import type { DaemonClient } from './client.ts';

const RECONNECT_MS = 500;
/** One event is a payment with its receipts; a much longer text without an end is no event stream. */
const LARGEST_EVENT_CHARS = 1_048_576;

export interface StreamListener {
  event(event: Event): void;
  progress(note: Progress): void;
  /** The stream is open (again): events may have been missed meanwhile. */
  opened(): void;
}

/** Follows `/v2/events/stream` across restarts of the daemon until the signal aborts. Never rejects. */
export async function followEvents(
  client: DaemonClient,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const place = { lastId: '' };
  while (!signal.aborted) {
    try {
      await readOnce(client, listener, place, signal);
    } catch {
      // The stream only triggers the next poll; the polls themselves report errors.
    }
    await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function readOnce(
  client: DaemonClient,
  listener: StreamListener,
  place: { lastId: string },
  signal: AbortSignal,
) {
  const headers = {
    accept: 'text/event-stream',
    ...(place.lastId === '' ? {} : { 'last-event-id': place.lastId }),
  };
  const response = await client.open({ path: '/v2/events/stream', headers }, signal);
  if (response.statusCode !== 200) {
    response.destroy();
    return;
  }
  listener.opened();
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT_CHARS,
    onEvent: (message) => {
      if (message.id) place.lastId = message.id;
      deliver(message.data, listener);
    },
  });
  response.setEncoding('utf8');
  for await (const chunk of response) {
    parser.feed(String(chunk));
  }
}

function deliver(data: string, listener: StreamListener): void {
  const value = jsonOf(data);
  const event = Event.safeParse(value);
  if (event.success) listener.event(event.data);
  const note = event.success ? undefined : Progress.safeParse(value);
  if (note?.success) listener.progress(note.data);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
