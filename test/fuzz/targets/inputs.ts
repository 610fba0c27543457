import { readJson } from '../../../src/api/plugins/read-json.ts';
import { maskCardNumbers, passesLuhn, TruncatedCardNumber } from '../../../src/base/card-number.ts';
import { formatMoney, parseAmount } from '../../../src/base/money.ts';
import { guardJson } from '../../../src/base/text-guard.ts';
import { bytesOfHex } from '../../../src/cli/offline/hex.ts';
import { inputLines } from '../../../src/cli/offline/input-lines.ts';
import { parseText } from '../../../src/config/text.ts';
import { retryAfterMs } from '../../../src/net/retry-after.ts';
import { hostile, oneOf, utf8 } from '../mutations.ts';
import { must, mustBeBounded, mustEqual, verdictOf } from '../oracles.ts';
import type { Target } from '../target.ts';

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const texts = (...examples: readonly string[]) => oneOf(examples.map(utf8));

const hex: Target = {
  name: 'cli-hex',
  promise: 'hex as people paste it is read as its bytes or refused at an offset',
  inputs: hostile(texts('060F00', '06 0f 00', '0x06 0x0F', '06:0F:00', '06,0f\n00', '0x')),
  check: (bytes) => {
    const text = textOf(bytes);
    const verdict = verdictOf(() => bytesOfHex(text), text.length, /^DECODE_MALFORMED$/);
    if (verdict.kind === 'refused') return;
    const digits = text.replace(/0x/gi, '').replace(/[\s:,]/g, '');
    mustEqual(Buffer.from(verdict.value).toString('hex'), digits.toLowerCase(), 'the digits');
  },
};

const LONGEST_LINE = 40;

const lines: Target = {
  name: 'cli-lines',
  promise: 'input is cut into the same lines in any segmentation, and no line is longer than it may be',
  inputs: hostile(texts('060F00\n06 0F\n', '\n\n\n', 'a\r\nb', `${'x'.repeat(60)}\nok`, 'é€\n')),
  check: async (input) => {
    const bytes = input.subarray(0, 4000);
    const whole = await linesOf([bytes]);
    mustEqual(await linesOf(Array.from(bytes, (byte) => Uint8Array.of(byte))), whole, 'single bytes');
    for (const line of whole) must(line.length <= LONGEST_LINE, 'a line is too long');
    must(whole.length <= bytes.length + 1, 'more lines than bytes');
  },
};

async function linesOf(pieces: readonly Uint8Array[]): Promise<readonly string[]> {
  const input = (async function* () {
    for (const piece of pieces) yield piece;
  })();
  const found: string[] = [];
  for await (const line of inputLines(input, LONGEST_LINE))
    found.push(line.kind === 'line' ? line.text : 'too long');
  return found;
}

const config: Target = {
  name: 'config-text',
  promise: 'a configuration is read, or every problem of its text has a place in it',
  inputs: hostile(
    texts(
      '{ "version": 1, "devices": [ { "id": "a", }, ], // a comment\n }',
      '{"a":{"b":[1,2,{"c":null}]},"a":1}',
      '/* */ {"x":"\\u00e9\\n","y":-1.5e3,"z":[true,false]}',
    ),
  ),
  check: (bytes) => {
    const text = textOf(bytes).slice(0, 20_000);
    const verdict = verdictOf(() => parseText(text), text.length);
    if (verdict.kind === 'refused') return;
    const lineCount = text.split(/\r\n|\r|\n/).length;
    for (const { line } of verdict.value.problems)
      must(line === undefined || (line >= 1 && line <= lineCount), 'a problem lies outside of the text');
    verdict.value.locate({ path: ['devices', 0, 'id'], message: 'x' });
  },
};

const body: Target = {
  name: 'http-body',
  promise: 'a request body is JSON within its limits or refused by name',
  inputs: hostile(
    texts(
      '{"amount_minor":1234,"currency":"EUR"}',
      '[[[[[[]]]]]]',
      '{"__proto__":{"a":1}}',
      '{"a_minor":1e3}',
    ),
  ),
  check: (bytes) => {
    const refusals = /^(BODY_TOO_LARGE|CONTENT_TYPE_UNSUPPORTED|BODY_UNREADABLE)$/;
    const verdict = verdictOf(() => readJson(bytes, 'application/json', undefined), bytes.length, refusals);
    verdictOf(() => readJson(bytes, textOf(bytes), 'identity'), bytes.length, refusals);
    if (verdict.kind === 'value') mustBeBounded(verdict.value, bytes.length, 6, 100);
  },
};

const amounts: Target = {
  name: 'amounts',
  promise:
    'an amount as typed is whole minor units or refused, and comes to the same when written and read again',
  inputs: hostile(texts('12.34', '12,34', '0.01', '9007199254740991', '0', '1e3', '-1', '１２')),
  check: (bytes) => {
    const text = textOf(bytes);
    for (const currency of ['EUR', 'JPY', 'KWD'] as const) {
      const verdict = verdictOf(() => parseAmount(text, currency), text.length, /^AMOUNT_INVALID$/);
      if (verdict.kind === 'refused') continue;
      must(Number.isSafeInteger(verdict.value.minor) && verdict.value.minor > 0, 'no whole minor units');
      const [again = ''] = formatMoney(verdict.value).split(' ');
      mustEqual(parseAmount(again, currency), verdict.value, 'written and read');
    }
  },
};

const headers: Target = {
  name: 'http-retry-after',
  promise: 'a Retry-After header is a wait between nothing and an hour, or says nothing',
  inputs: hostile(texts('120', 'Wed, 21 Oct 2026 07:28:00 GMT', '0', '-1', '1e9', '99999999999999')),
  check: (bytes) => {
    const wait = retryAfterMs(textOf(bytes), Date.UTC(2026, 9, 21));
    must(wait === null || (Number.isFinite(wait) && wait >= 0 && wait <= 3_600_000), `it waits ${wait} ms`);
  },
};

const guard: Target = {
  name: 'text-guard',
  promise: 'no text keeps a card number, and guarding twice is guarding once',
  inputs: hostile(
    texts(
      'paid with 5413330089020011.',
      '4111 1111 1111 1111',
      '4111-1111-1111-1111',
      '0199c0de-0000-7000-8000-000000000001',
      '{"a":["4111111111111111",5413330089020011]}',
    ),
  ),
  check: (bytes) => {
    const text = textOf(bytes);
    const masked = maskCardNumbers(text);
    mustEqual(maskCardNumbers(masked), masked, 'guarded twice');
    for (const run of masked.match(/(?<![\d-])4\d{15}(?![\d-])/g) ?? [])
      must(!passesLuhn(run), 'a card number was left');
    must(!/\d{11}/.test(String(TruncatedCardNumber.of(text) ?? '')), 'a card number was not truncated');
    const json = jsonOf(text);
    mustEqual(guardJson(guardJson(json)), guardJson(json), 'JSON guarded twice');
  },
};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const inputs: readonly Target[] = [hex, lines, config, body, amounts, headers, guard];
