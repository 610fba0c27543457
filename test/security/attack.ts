import type { Field } from './field.ts';
import { type Answer, type Heard, headerOf, speak, type Until } from './wire.ts';

/** What came of an attack. */
export interface Verdict {
  /** In words, for the table. */
  readonly came: string;
  readonly pass: boolean;
}

/** One row of the table. */
export interface Attack {
  readonly group: string;
  readonly name: string;
  /** The refusal that is expected, in words. */
  readonly expected: string;
  /** Which daemon it is aimed at; default: the one without TLS. */
  readonly at?: 'tls';
  /** `slow`: takes as long as the daemon's own time limits; `heavy`: wants the machine for itself; `crowd`: does with a large crowd. */
  readonly kind?: 'slow' | 'heavy' | 'crowd';
  readonly run: (field: Field) => Promise<Verdict>;
}

/** The one answer that may come. */
export interface Refusal {
  /** null: no answer at all. */
  readonly status: number | null;
  /** `error.code`; for the flat shapes, where there is none, a part of the body. */
  readonly code?: string;
  /** The connection must be closed behind it. */
  readonly closes?: boolean;
  /** Answers in all; default 1. */
  readonly answers?: number;
  /** What its body must hold. */
  readonly body?: RegExp;
  /** A header that the answer must have, as a pattern of its value. */
  readonly header?: readonly [name: string, value: RegExp];
}

export type Message = string | Uint8Array;

/** A row that says something over a raw connection and expects one refusal. */
export function refused(
  group: string,
  name: string,
  refusal: Refusal,
  message: (field: Field) => Message,
): Attack {
  return {
    group,
    name,
    expected: wordsOf(refusal),
    run: async (field) => {
      const until = { untilClosed: refusal.closes ?? false, answers: refusal.answers ?? 1 };
      return judge(refusal, await say(field, message(field), until));
    },
  };
}

/** Says it, and lets the field keep what came: the judge looks for secrets in it. */
export async function say(field: Field, message: Message, until?: Until): Promise<Heard> {
  const heard = await speak(field.tcp, message, until);
  field.keep(heard.text);
  return heard;
}

/** Compares what came with the refusal that was expected. */
export function judge(refusal: Refusal, heard: Heard): Verdict {
  const { status, code, closes = false, answers = 1, body, header } = refusal;
  const first = heard.answers[0];
  const pass =
    (first?.status ?? null) === status &&
    heard.answers.length === (status === null ? 0 : answers) &&
    (code === undefined || codeOf(first) === code) &&
    (body === undefined || body.test(first?.body ?? '')) &&
    (header === undefined || header[1].test(headerOf(first, header[0]) ?? '')) &&
    (!closes || heard.end !== 'open');
  return { came: cameOf(heard), pass };
}

/** What came, in a few words: `421 misdirected_request, closed`. */
export function cameOf(heard: Heard): string {
  const answers = heard.answers.map((answer) => `${answer.status} ${codeOf(answer) ?? ''}`.trim());
  if (answers.length === 0) answers.push(heard.text === '' ? 'no answer' : 'bytes that are no answer');
  return [...answers, ...(heard.end === 'open' ? [] : [heard.end])].join(', ');
}

/** `error.code` of an answer, or the code of the flat shape. */
export function codeOf(answer: Answer | undefined): string | undefined {
  try {
    const body: unknown = JSON.parse(answer?.body ?? '');
    if (typeof body !== 'object' || body === null) return undefined;
    if ('code' in body && typeof body.code === 'string') return body.code;
    const error = 'error' in body ? body.error : undefined;
    if (typeof error === 'string') return 'unknown route';
    if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
    return typeof error.code === 'string' ? error.code : undefined;
  } catch {
    return undefined;
  }
}

function wordsOf({ status, code, closes, header }: Refusal): string {
  return [
    `${status ?? 'no answer'}${code ? ` ${code}` : ''}`,
    ...(header ? [header[0]] : []),
    ...(closes ? ['closed'] : []),
  ].join(', ');
}
