import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Answer } from './ask.ts';
import { hold } from './breach.ts';
import type { ErrorType } from './interface.ts';
import { isObject } from './laws.ts';

/** What the answer to a request must be. Every field that is named is compared exactly. */
export interface Expected {
  readonly status: number;
  /** The whole body, shape by shape. */
  readonly body?: z.ZodType;
  /** A refusal in the envelope. */
  readonly error?: ExpectedError;
  /** A refusal outside the envelope: its code, or null for one that has only words. */
  readonly flat?: string | null;
  /** Headers beside those of the laws, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ExpectedError {
  readonly type: ErrorType;
  /** One code, or those that the interface says to treat alike. */
  readonly code: string | readonly string[];
  /** Absent: there must be none; null: the interface does not say. */
  readonly param?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Holds an answer against what was expected. @throws Breach */
export function meets(answer: Answer, expected: Expected): void {
  const { asked, status, text, headers } = answer;
  const line = `${asked.method ?? 'GET'} ${asked.path}`.slice(0, 160);
  hold(
    status === expected.status,
    () => `${line} gave ${status}, not ${expected.status}: ${text.slice(0, 300)}`,
  );
  for (const [name, value] of Object.entries(expected.headers ?? {}))
    hold(headers[name] === value, () => `${line}: ${name} is ${headers[name]}, not ${value}`);
  if (expected.error) isRefusal(line, answer.json, expected.error);
  if (expected.flat !== undefined) isFlat(line, answer.json, expected.flat);
  if (expected.body) shapeOf(line, expected.body, answer.json);
}

/** Parses what a shape says. @throws Breach that names the first differences. */
export function shapeOf<S extends z.ZodType>(what: string, shape: S, value: unknown): z.output<S> {
  const result = shape.safeParse(value);
  hold(result.success, () => {
    const issues = result.error?.issues.slice(0, 3) ?? [];
    return `${what}: ${issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`).join('; ')}`;
  });
  return result.data;
}

function isRefusal(line: string, json: unknown, expected: ExpectedError): void {
  const error = isObject(json) ? json['error'] : undefined;
  hold(isObject(error), () => `${line}: the refusal is not in the envelope`);
  hold(
    error['type'] === expected.type,
    () => `${line}: error.type is ${error['type']}, not ${expected.type}`,
  );
  const codes = [expected.code].flat();
  hold(
    codes.some((code) => code === error['code']),
    () => `${line}: error.code is ${error['code']}, not ${codes.join(' or ')}`,
  );
  if (expected.param !== null)
    hold(
      error['param'] === expected.param,
      () => `${line}: error.param is ${error['param']}, not ${expected.param}`,
    );
  for (const [name, value] of Object.entries(expected.details ?? {})) {
    const actual = isObject(error['details']) ? error['details'][name] : undefined;
    hold(
      isDeepStrictEqual(actual, value),
      () => `${line}: error.details.${name} is ${JSON.stringify(actual)}, not ${JSON.stringify(value)}`,
    );
  }
}

function isFlat(line: string, json: unknown, code: string | null): void {
  hold(isObject(json) && typeof json['error'] === 'string', () => `${line}: the refusal is not flat`);
  hold((json['code'] ?? null) === code, () => `${line}: code is ${json['code']}, not ${code}`);
}
