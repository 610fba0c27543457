import { type Clock, sleep, type Timer } from '../../../src/base/clock.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { tagsIn } from './virtual-v3.ts';

/** A request has neither a length nor an end mark: it is complete when no byte follows for this time. */
const QUIET_MS = 100;
const LONGEST_REQUEST = 4096;

/**
 * The request of one connection; undefined when it ended before a whole one came. A complete request is accepted although the
 * connection has ended meanwhile.
 */
export function readRequest(
  wire: Wire,
  clock: Clock,
  wantsLineEnd: boolean,
  power: AbortSignal,
): Promise<string | undefined> {
  let text = '';
  let timer: Timer | undefined;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const isWhole = () => tagsIn(text) !== 'more' && (!wantsLineEnd || text.endsWith('\r\n'));
  const finish = () => {
    timer?.stop();
    resolve(isWhole() && !power.aborted ? text : undefined);
  };
  const read = async () => {
    for await (const chunk of wire.bytes()) {
      text += Buffer.from(chunk).toString('latin1');
      timer?.stop();
      if (text.length > LONGEST_REQUEST) break;
      if (isWhole()) timer = clock.timer('sandbox quiet', QUIET_MS, finish);
    }
    finish();
  };
  read().catch(finish);
  return promise;
}

/** Sends an answer, with a pause between two tags where the options say so. */
export async function sayInPieces(
  wire: Wire,
  text: string,
  splitMs: number,
  clock: Clock,
  power: AbortSignal,
): Promise<void> {
  const at = splitMs === 0 ? 0 : boundaryNearMiddle(text);
  if (at > 0) {
    wire.frame(Buffer.from(text.slice(0, at), 'latin1'));
    await sleep(clock, splitMs, power, 'sandbox split');
  }
  wire.frame(Buffer.from(text.slice(at), 'latin1'));
}

function boundaryNearMiddle(text: string): number {
  let at = 0;
  while (at < text.length / 2) at += 5 + Number(text.slice(at + 2, at + 5));
  return at;
}
