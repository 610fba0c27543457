import { AppError } from '../../base/errors.ts';
import { repeatedField } from './repeated-field.ts';

/** Largest body that is read, in bytes, unless its route accepts more. */
export const MAX_BODY_BYTES = 64 * 1024;
const MAX_DEPTH = 32;

/**
 * Reads a request body as JSON; no body is `undefined`.
 * @throws BODY_TOO_LARGE, CONTENT_TYPE_UNSUPPORTED, BODY_UNREADABLE (not UTF-8, not JSON, deeper than 32, `__proto__`, a field twice).
 */
export function readJson(
  body: Uint8Array | undefined,
  contentType: string | undefined,
  contentEncoding: string | undefined,
  maxBytes = MAX_BODY_BYTES,
): unknown {
  if (body === undefined || body.byteLength === 0) return undefined;
  if (body.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
  if (!isJsonType(contentType) || (contentEncoding ?? 'identity') !== 'identity') {
    throw new AppError('CONTENT_TYPE_UNSUPPORTED', 'The body must be sent as content-type: application/json');
  }
  const value = parse(body);
  refuseOddShapes(value);
  return value;
}

/** @returns the error for a body over the limit */
export function bodyTooLarge(maxBytes = MAX_BODY_BYTES): AppError {
  return new AppError('BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes`, {
    context: { details: { max_bytes: maxBytes } },
  });
}

function isJsonType(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset="?utf-?8"?\s*)?$/i.test(contentType ?? '');
}

function parse(body: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    value = JSON.parse(text, plainAmounts);
  } catch (cause) {
    throw new AppError('BODY_UNREADABLE', 'The body is not valid JSON', { cause });
  }
  const repeated = repeatedField(text);
  if (repeated === undefined) return value;
  throw new AppError('BODY_UNREADABLE', 'A field occurs twice in the body', { context: { param: repeated } });
}

/**
 * An amount is a whole number written in digits: `1e3` and `100.0` stay text, so that the schema rejects them by name.
 * The third argument is JSON.parse's source text access, which the compiler's library does not declare yet.
 */
function plainAmounts(
  this: unknown,
  name: string,
  value: unknown,
  written?: { readonly source?: string },
): unknown {
  const source = written?.source;
  if (typeof value !== 'number' || source === undefined || !name.endsWith('_minor')) return value;
  return /^-?\d+$/.test(source) ? value : source;
}

/** Visits the value level by level, so that depth uses no stack. */
function refuseOddShapes(root: unknown): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH)
      throw new AppError('BODY_UNREADABLE', `The body is nested deeper than ${MAX_DEPTH} levels`);
    level = level.flatMap(childrenOf);
  }
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  if (Object.hasOwn(value, '__proto__'))
    throw new AppError('BODY_UNREADABLE', 'A field named __proto__ is not accepted');
  return Object.values(value);
}
