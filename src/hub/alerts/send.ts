import { createHash } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { MayReach } from '../../net/post-once.ts';
import { bodyOf, type Language, mailOf, type Notice } from './message.ts';
import { postMessage } from './webhook.ts';

/** Where messages go. */
export interface Destination {
  readonly kind: 'webhook' | 'email';
  readonly language: Language;
  readonly url: string | null;
  readonly secret: string | null;
  readonly recipients: readonly string[] | null;
}

/** Hands a mail to an SMTP server. @throws why it was not taken */
export type SendMail = (
  mail: {
    /** The same at every attempt of the same messages. */
    readonly id: string;
    readonly recipients: readonly string[];
    readonly subject: string;
    readonly text: string;
  },
  stop: AbortSignal,
) => Promise<void>;

/** What this hub sends with. */
export interface SendDeps {
  readonly mayReach: MayReach;
  /** Null: no SMTP server is named. */
  readonly sendMail: SendMail | null;
}

/** So many messages go to a destination before their outcome is kept; those of a mail are one. */
export const MOST_AT_ONCE = { webhook: 20, email: 200 } as const;

/**
 * Sends messages to one destination, one by one, or as one mail.
 * @returns of each why it was not taken; null: it was. Where there is no answer, those behind it are not tried.
 */
export async function send(
  deps: SendDeps,
  destination: Destination,
  notices: readonly Notice[],
  stop: AbortSignal,
): Promise<readonly (string | null)[]> {
  if (destination.kind === 'email') {
    const error = await sendAsMail(deps, destination, notices, stop).then(() => null, wordsOf);
    return notices.map(() => error);
  }
  const outcomes: (string | null)[] = [];
  const { url, secret, language } = destination;
  if (url === null || secret === null) throw new Error('a webhook has an address and a secret');
  for (const notice of notices) {
    const message = { id: notice.id, url, secret, body: bodyOf(notice, language) };
    const error = await postMessage(message, deps.mayReach, stop).then(
      () => null,
      (raised: unknown) => raised,
    );
    outcomes.push(error === null ? null : wordsOf(error));
    if (error !== null && !isRefused(error)) break;
  }
  return notices.map((_, index) => (index < outcomes.length ? outcomes[index] : outcomes.at(-1)) ?? null);
}

async function sendAsMail(
  { sendMail }: SendDeps,
  { recipients, language }: Destination,
  notices: readonly Notice[],
  stop: AbortSignal,
): Promise<void> {
  if (sendMail === null)
    throw new AppError(
      'MAIL_OFF',
      'this hub has no SMTP server: TILLHUB_SMTP_URL and TILLHUB_MAIL_FROM name one',
    );
  // A server that has taken a mail may drop the next one of its id: only the same alerts have the same.
  const ids = notices.map(({ id }) => id).join();
  const id = createHash('sha256').update(ids).digest('hex').slice(0, 32);
  await sendMail({ id, recipients: recipients ?? [], ...mailOf(notices, language) }, stop);
}

function isRefused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'WEBHOOK_REFUSED';
}

/** Shown to operators: our own words, or those of an SMTP server, in one line. */
function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, 300);
}
