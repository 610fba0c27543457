import { refuse } from './errors.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body; empty: no body; null: its bytes are not UTF-8. */
export function textOf(raw: unknown): string | null {
  if (!Buffer.isBuffer(raw)) return '';
  try {
    return UTF8.decode(raw);
  } catch {
    return null;
  }
}

/**
 * Reads a body as JSON.
 * @throws Refusal 400 `invalid_request_error` when its content type is not JSON, or it is not JSON.
 */
export function jsonIn(text: string | null, contentType = ''): unknown {
  const charset = /;\s*charset="?([^";\s]*)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (!/^application\/json\s*(;|$)/i.test(contentType) || !/^utf-?8$/i.test(charset)) {
    throw refuse(400, 'invalid_request_error', 'The body must be application/json in UTF-8.');
  }
  try {
    if (text !== null) return JSON.parse(text);
  } catch {
    // Refused below, like bytes that are not UTF-8.
  }
  throw refuse(400, 'invalid_request_error', 'The body is not valid JSON.');
}
