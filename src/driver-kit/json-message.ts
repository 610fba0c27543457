import { maskCardNumbers } from '../base/card-number.ts';
import { malformed } from './byte-reader.ts';
import type { DecodedPart } from './define.ts';
import { HttpAnswerReader } from './http-answer.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a message is, as its family reads it. @throws DECODE_MALFORMED */
export type JsonMeaning = (document: JsonObject) => Pick<DecodedPart, 'kind' | 'name' | 'fields'>;

const LONGEST = 1024 * 1024;
const [MOST_DEPTH, MOST_ITEMS, MOST_KEYS, LONGEST_TEXT, LONGEST_KEY] = [16, 100, 200, 400, 80];
/** Track data, security codes, keys: their values never enter a transcript. */
const SECRET = /sensitive|track|protected|cvv|cvc|pin(?!g)|password|passphrase|additionalresponse/i;
const LEFT_OUT = '(left out)';
const REQUEST = /^[A-Z]{3,7} \/[^\r\n]* HTTP\/1\.[01]\r\n/;

/** The object in UTF-8 text. @throws DECODE_MALFORMED */
export function jsonObject(bytes: Uint8Array): JsonObject {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw malformed(0, 'the text is no JSON');
  }
  if (!isObject(document)) throw malformed(0, 'the text is no JSON object');
  return document;
}

/** The value without card numbers in keys, texts and numbers, and without what keys call sensitive; what is deep or long is cut. */
export function maskedJson(value: unknown, depth = 0): unknown {
  if (depth > MOST_DEPTH) return '…';
  if (typeof value === 'string') return maskCardNumbers(value).slice(0, LONGEST_TEXT);
  if (typeof value === 'number') {
    const masked = maskCardNumbers(String(value));
    return masked === String(value) ? value : masked;
  }
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => maskedJson(item, depth + 1));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).slice(0, MOST_KEYS);
  return Object.fromEntries(
    entries.map(([key, item]) => [
      maskCardNumbers(key).slice(0, LONGEST_KEY),
      isSecret(key) ? LEFT_OUT : maskedJson(item, depth + 1),
    ]),
  );
}

/** Decodes recorded JSON, or the whole HTTP request or answer that carries it. @throws DECODE_MALFORMED */
export function decodeJson(
  bytes: Uint8Array,
  layer: DecodedPart['layer'] | undefined,
  meaning: JsonMeaning,
): DecodedPart {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  const isRequest = REQUEST.test(start);
  const isFrame = isRequest || start.startsWith('HTTP/1.');
  if (layer === 'message' || (layer === undefined && !isFrame)) return messageIn(bytes, meaning);
  if (!isFrame) throw malformed(0, 'neither an HTTP request nor an answer');
  const { name, body } = isRequest ? requestIn(bytes) : answerIn(bytes);
  const parts = body.length === 0 ? [] : [messageIn(body, meaning)];
  return { layer: 'frame', kind: 'http', name, fields: { body_bytes: body.length }, checksum: null, parts };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSecret(key: string): boolean {
  return SECRET.test(key);
}

function messageIn(bytes: Uint8Array, meaning: JsonMeaning): DecodedPart {
  const { kind, name, fields } = meaning(jsonObject(bytes));
  return {
    layer: 'message',
    kind,
    name,
    fields: maskedJson(fields) as JsonObject,
    checksum: null,
    parts: [],
  };
}

function requestIn(bytes: Uint8Array): { readonly name: string; readonly body: Uint8Array } {
  const text = new TextDecoder('latin1').decode(bytes);
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) throw malformed(bytes.length, 'the head does not end');
  const line = text.slice(0, text.indexOf('\r\n')).replace(/ HTTP\/1\.[01]$/, '');
  return { name: maskCardNumbers(line).slice(0, LONGEST_KEY), body: bytes.subarray(end + 4) };
}

function answerIn(bytes: Uint8Array): { readonly name: string; readonly body: Uint8Array } {
  const reader = new HttpAnswerReader(LONGEST);
  const [answer] = [...reader.push(bytes), ...reader.end()];
  if (!answer) throw malformed(bytes.length, 'the answer does not end');
  return { name: `HTTP ${answer.status}`, body: answer.body };
}
