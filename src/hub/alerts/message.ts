import { z } from 'zod';
import { de } from '../pages/words/de.js';
import { en } from '../pages/words/en.js';
import { fr } from '../pages/words/fr.js';
import { printable } from '../printing.ts';

const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, de, fr };
export type Language = 'en' | 'de' | 'fr';

/** One alert for one destination. */
export interface Notice {
  /** Of the message: the same at every attempt. */
  readonly id: string;
  readonly event: 'raised' | 'ended';
  readonly alertId: string;
  readonly rule: string;
  readonly kind: string;
  readonly severity: string;
  /** Null: the alert is of no shop. */
  readonly shop: string | null;
  readonly agentId: string | null;
  readonly details: string;
  readonly since: Date;
  readonly raisedAt: Date;
  readonly endedAt: Date | null;
}

/** What the message is in one line. Names of shops are foreign text: no character of them breaks the line or the header. */
export function subjectOf(notice: Notice, language: Language): string {
  const words = WORDS[language];
  const key = notice.event === 'raised' ? `severity_${notice.severity}` : 'alert_over';
  return `[${words[key] ?? notice.severity}] ${shopOf(notice)}: ${titleOf(notice, language)}`;
}

/** Which shop, what, since when, whether customers are affected, what to do now. */
export function textOf(notice: Notice, language: Language): string {
  const words = WORDS[language];
  const { event, kind, rule, since, endedAt } = notice;
  const from = filled(words['alert_text_since'], { since: shown(since), rule });
  const end =
    event === 'ended' && endedAt !== null ? filled(words['alert_text_ended'], { end: shown(endedAt) }) : null;
  const what = end === null ? [words[`alert_${kind}`] ?? kind, ...reasonsOf(notice)] : [end];
  const lines = [`${shopOf(notice)}: ${titleOf(notice, language)}`, from, ...what];
  return lines.join('\n');
}

/** The body of a webhook, by Standard Webhooks: the same bytes at every attempt. */
export function bodyOf(notice: Notice, language: Language): string {
  const { event, alertId, rule, kind, severity, shop, agentId, details, since, raisedAt } = notice;
  const endedAt = event === 'ended' ? notice.endedAt : null;
  return JSON.stringify({
    type: `alert.${event}`,
    timestamp: (endedAt ?? raisedAt).toISOString(),
    data: {
      ...{ id: alertId, rule, kind, severity, shop, agent_id: agentId, details: JSON.parse(details) },
      ...{ since: since.toISOString(), raised_at: raisedAt.toISOString() },
      ended_at: endedAt?.toISOString() ?? null,
      ...{ title: subjectOf(notice, language), text: textOf(notice, language) },
    },
  });
}

/** Several alerts in one mail: what happened at many shops at once fills no inbox. */
export function mailOf(
  notices: readonly Notice[],
  language: Language,
): { readonly subject: string; readonly text: string } {
  const [first] = notices;
  if (first === undefined) throw new Error('a mail has at least one alert');
  const text = `${notices.map((notice) => textOf(notice, language)).join('\n\n')}\n`;
  const subject = subjectOf(first, language);
  if (notices.length === 1) return { subject, text };
  return {
    subject: filled(WORDS[language]['alert_mail_more'], { subject, count: String(notices.length - 1) }),
    text,
  };
}

function titleOf({ kind }: Notice, language: Language): string {
  return WORDS[language][`alert_title_${kind}`] ?? kind;
}

/** In the words of the shop, which are foreign text. */
function reasonsOf({ details }: Notice): readonly string[] {
  const { reasons } = Details.parse(JSON.parse(details));
  return reasons.map((reason) => `- ${printable(reason)}`);
}

const Details = z.looseObject({ reasons: z.array(z.string()).catch([]).default([]) });

function shopOf({ shop }: Notice): string {
  return printable(shop ?? '-').slice(0, 200);
}

function shown(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function filled(template: string | undefined, values: Readonly<Record<string, string>>): string {
  return (template ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
