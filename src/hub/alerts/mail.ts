import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { SendMail } from './send.ts';

/** For the connection, the greeting, and each answer. */
const ANSWER_MS = 10_000;
/** For one mail in all: shorter than its lease. */
const MAIL_MS = 60_000;
const LONGEST_SUBJECT = 200;

/** Of the environment of the hub: an SMTP server is the hub's, and no operator names one. */
export interface MailSettings {
  /** `smtp://USER:PASSWORD@HOST:587` or `smtps://…:465`. */
  readonly TILLHUB_SMTP_URL?: string | undefined;
  /** One address. */
  readonly TILLHUB_MAIL_FROM?: string | undefined;
}

/**
 * Plain text by SMTP, under TLS beyond this machine. Each mail has a connection of its own.
 * @returns null where no server is named
 * @throws MAIL_INVALID
 */
export function mailOver({ TILLHUB_SMTP_URL, TILLHUB_MAIL_FROM }: MailSettings): SendMail | null {
  if (!TILLHUB_SMTP_URL && !TILLHUB_MAIL_FROM) return null;
  const from = z.email().safeParse(TILLHUB_MAIL_FROM);
  if (!from.success)
    throw invalid(
      'TILLHUB_MAIL_FROM must be the one address that mails come from, like alerts@shops.example',
    );
  const transport = createTransport({
    ...serverOf(TILLHUB_SMTP_URL ?? ''),
    ...{
      connectionTimeout: ANSWER_MS,
      greetingTimeout: ANSWER_MS,
      socketTimeout: ANSWER_MS,
      dnsTimeout: ANSWER_MS,
    },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  return async ({ id, recipients, subject, text }, stop) => {
    await transport.sendMail({
      from: { name: 'tillhub', address: from.data },
      to: recipients.map((address) => ({ name: '', address })),
      subject: [...subject].slice(0, LONGEST_SUBJECT).join(''),
      text,
      messageId: `<${id}@${from.data.split('@').at(-1)}>`,
      headers: { 'auto-submitted': 'auto-generated' },
      signal: AbortSignal.any([stop, AbortSignal.timeout(MAIL_MS)]),
    });
  };
}

/** @throws MAIL_INVALID */
function serverOf(text: string) {
  const url = URL.parse(text);
  const isTls = url?.protocol === 'smtps:';
  if (url === null || url.hostname === '' || !(isTls || url.protocol === 'smtp:') || /[?#]/.test(text))
    throw invalid(
      'TILLHUB_SMTP_URL must be like smtp://USER:PASSWORD@mail.example:587 or smtps://mail.example',
    );
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    host,
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    secure: isTls,
    // Nothing crosses a network in the clear, whatever its server offers.
    requireTLS: !isTls && !isLoopback(host),
    ...(user === '' ? {} : { auth: { user, pass } }),
  };
}

function invalid(why: string): AppError {
  return new AppError('MAIL_INVALID', why);
}
