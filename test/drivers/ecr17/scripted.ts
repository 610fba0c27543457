import { driver } from '../../../drivers/terminals/ecr17/driver.ts';
import { fromHex, toHex } from '../../../src/driver-kit/hex.ts';
import type { MoneyCommand, Outcome } from '../../../src/terminal/ports.ts';
import { type MemoryLink, memoryLinkPair } from '../../support/memory-link.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { contextOf, Note, SALE } from './sitting.ts';

export const ACK = '060379';
export const NAK = '15036A';

/** `02 text 03 LRC`, the check over the text alone, computed once more on purpose. */
export function frame(text: string): string {
  const data = [...Buffer.from(text, 'latin1')];
  const check = data.reduce((sum, byte) => sum ^ byte, 0x7f);
  return toHex(Uint8Array.from([0x02, ...data, 0x03, check]));
}

/** An answer to X, 92 characters; every part can be another. */
export function approval(
  changes: Partial<Record<'tid' | 'result' | 'stan' | 'amount' | 'time' | 'online', string>> = {},
): string {
  const { tid = '12345678', result = '00', stan = '000043', amount = '00001234' } = changes;
  const { time = '2111520', online = '000100' } = changes;
  return `${tid}0E${result}000400000******0002CLI654321${time}188105      ${stan}${online}000${amount}0000000000`;
}

/** A refused answer to X. */
export function refusal(text: string, stan = '000044', result = '01'): string {
  return `123456780E${result}${text.padEnd(24)}00000000000388105      ${stan}000101116${'0'.repeat(18)}`;
}

export const STATUS = '123456780s000000000005012609002VIRT0100';

/** What the far end does with a text of the till: says these, each in a write of its own. */
export type Script = (
  text: string,
  call: { readonly far: MemoryLink; readonly nth: number },
) => readonly string[];

/** The driver and a far end that follows a script; status is answered by itself unless the script does. */
export async function scripted(script: Script, options: Readonly<Record<string, unknown>> = {}) {
  const clock = new VirtualClock();
  const transcript: string[] = [];
  /** The texts that the till sent, and its controls as hex. */
  const heard: string[] = [];
  const ends: MemoryLink[] = [];
  let nth = 0;
  const dial = async () => {
    const { ours, theirs } = memoryLinkPair({ kind: 'tcp' });
    ends.push(ours);
    void listen(theirs);
    return ours;
  };
  const listen = async (far: MemoryLink) => {
    for await (const bytes of far.bytes) {
      const text = textOf(bytes);
      heard.push(text ?? toHex(bytes));
      if (text === undefined) continue;
      nth += 1;
      const written = script(text, { far, nth });
      const answers = written.length === 0 && text.endsWith('0s') ? [ACK, frame(STATUS)] : written;
      for (const hex of answers) await far.write(fromHex(hex) ?? new Uint8Array()).catch(() => undefined);
    }
  };
  const { signal } = new AbortController();
  const context = contextOf({ clock, transcript, dial, options: { receipts: false, ...options } });
  const wait = <T>(answer: Promise<T>): Promise<T> => clock.runUntil(answer, 900_000, 100);
  const session = await wait(driver.open(await dial(), context, signal));
  heard.length = 0;
  const observer = new Note();
  return {
    clock,
    session,
    observer,
    transcript,
    heard,
    ends,
    signal,
    wait,
    pay: (command: MoneyCommand = SALE): Promise<Outcome> => wait(session.execute(command, observer, signal)),
    last: () => wait(session.lastTransaction(signal)),
    /** How often a command was written. */
    count: (code: string) => heard.filter((text) => text.startsWith(`123456780${code}`)).length,
  };
}

function textOf(bytes: Uint8Array): string | undefined {
  return bytes[0] === 0x02 ? Buffer.from(bytes.subarray(1, -2)).toString('latin1') : undefined;
}
