import { toHex } from '../../../src/driver-kit/terminal.ts';
import { bitmapOf, scanBitmaps } from './bitmaps.ts';
import * as commands from './commands.ts';
import { type Conversation, codeOf } from './conversation.ts';
import type { DialogueResult } from './dialogue.ts';
import type { TlvNode } from './tlv.ts';

/** "Pre-authorisation error": the code with which the terminal lists the open reservations. */
const OPEN_ONES = 'B8';
/** The container of the open reservations, and the receipt number of one of them. */
const [OPEN_LIST, RECEIPT] = ['23', '08'];
/** More reservations than any terminal stores. */
const MAX_OPEN = 1000;

interface Open {
  readonly number: string;
}

/**
 * The reservations that are neither booked nor released (`06 23 03 87 FF FF`), from the end of that question:
 *
 *     06 1E | B8 | 87 receipt (2)                  one of them; FF FF: none
 *     06 1E | B8 | … 06 { 23 { 08 receipt }… }     all of them
 *
 * `null` where the terminal does not report them.
 * @throws TERMINAL_BUSY, and the errors of a question.
 * @see PA00P015 2.10
 */
export async function openPreauthorisations(
  conversation: Conversation,
  signal: AbortSignal,
): Promise<readonly Open[] | null> {
  const command = commands.openPreAuthorisations();
  const result = await conversation.askRegistered({ command }, signal);
  return codeOf(result) === OPEN_ONES && result.kind === 'ended' ? openIn(result) : null;
}

function openIn({ data }: Extract<DialogueResult, { kind: 'ended' }>): readonly Open[] | null {
  const { fields } = scanBitmaps(data.subarray(1));
  const lists = fields.flatMap((field) => field.tlv ?? []).filter(({ tag }) => tag === OPEN_LIST);
  if (lists.length > 0) return numbersIn(lists.flatMap((list) => list.children ?? []));
  const receipt = bitmapOf(fields, '87');
  if (receipt === undefined) return null;
  return toHex(receipt) === 'FFFF' ? [] : numbersOf([receipt]);
}

function numbersIn(nodes: readonly TlvNode[]): readonly Open[] {
  return numbersOf(nodes.filter(({ tag }) => tag === RECEIPT).map(({ value }) => value));
}

/** Four digits each; values that are not a number, or not a receipt (0000), are left out. */
function numbersOf(values: readonly Uint8Array[]): readonly Open[] {
  return values
    .map(toHex)
    .filter((digits) => /^\d{4}$/.test(digits) && digits !== '0000')
    .slice(0, MAX_OPEN)
    .map((number) => ({ number }));
}
