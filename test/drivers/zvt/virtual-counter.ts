import { zvtDialect } from '../../../drivers/terminals/zvt/virtual.ts';
import type { ZvtVirtualOptions } from '../../../drivers/terminals/zvt/virtual-options.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Memory, VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import { type MemoryLinkPair, memoryLinkPair } from '../../support/memory-link.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { memory, RawTill, virtualSettings } from './raw-till.ts';

export const REGISTER = '06 00 06 12 34 56 BE 09 78';
/** Config 08 only: texts, but no receipts; nothing after the result but its end. */
export const REGISTER_WITHOUT_PAPER = '06 00 06 12 34 56 38 09 78';
export const SALE = '06 01 0A 04 00 00 00 00 12 34 49 09 78';
export const REPEAT = '06 20 05 12 34 56 03 03';
export const STATUS = '05 01 05 12 34 56 03 04';
export const OK = '80 00 00';

export interface Setup {
  readonly settings?: Partial<VirtualTerminalSettings>;
  readonly options?: Partial<ZvtVirtualOptions>;
  readonly memory?: Memory;
}

/** A virtual terminal in virtual time, and a till on a pipe in memory. */
export function counter(setup: Setup = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9, 0, 0));
  const terminal = new VirtualTerminal(virtualSettings(setup.settings), zvtDialect(setup.options), {
    clock,
    log: silentLog,
    memory: setup.memory ?? memory(),
  });
  terminal.start();
  const connect = () => {
    const pair: MemoryLinkPair = memoryLinkPair({ kind: 'tcp' });
    terminal.attach(pair.theirs);
    return { pair, till: new RawTill(pair.ours, () => clock.advance(20)) };
  };
  return { clock, terminal, connect, ...connect() };
}

/** The two-digit command classes of what was said: `04FF 040F 060F`. */
export function commands(packets: readonly string[]): string {
  return packets.map((packet) => packet.slice(0, 4)).join(' ');
}

export function resultsIn(packets: readonly string[]): string[] {
  return packets.filter((packet) => packet.startsWith('040F'));
}

export async function nextResult(till: RawTill): Promise<string> {
  for (;;) {
    const packet = await till.packet();
    if (packet.startsWith('040F')) return packet;
    if (!packet.startsWith('80')) await till.send(OK);
  }
}
