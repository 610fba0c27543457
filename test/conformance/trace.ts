import type { Log } from '../../src/base/log.ts';
import type { Firmware, VirtualDevice } from '../../src/sandbox/terminal/dialect.ts';
import { play } from './run.ts';
import type { Scenario } from './scenario.ts';
import { describeBytes } from './stage/steps.ts';
import type { Subject } from './subject.ts';
import type { Reader, TerminalPacket, TillPacket } from './words.ts';

const MOST_LINES = 20;
const MOST_BYTES = 40;

/**
 * Plays a broken row once more. Returns what both sides wrote since its last virtual terminal was switched on, the newest lines, and the errors of
 * that terminal itself.
 */
export async function traceOf(scenario: Scenario, subject: Subject): Promise<readonly string[]> {
  let lines: string[] = [];
  await play(scenario, {
    ...subject,
    dialect: (habits) => {
      lines = [];
      const dialect = subject.dialect(habits);
      return { ...dialect, powerUp: (device) => watched(device, (own) => dialect.powerUp(own), lines) };
    },
    tillReader: () => noted(subject.tillReader(), 'till → terminal', (line) => lines.push(line)),
    terminalReader: (till) =>
      noted(subject.terminalReader(till), 'terminal → till', (line) => lines.push(line)),
  });
  return lines.slice(-MOST_LINES);
}

/** The firmware, whose errors are noted; those of a power loss are none. */
function watched(
  device: VirtualDevice,
  powerUp: (device: VirtualDevice) => Firmware,
  lines: string[],
): Firmware {
  const log: Log = {
    ...device.log,
    error: ({ error }, message) => lines.push(`${message}: ${error}`),
    child: () => log,
  };
  const firmware = powerUp({ ...device, log });
  return {
    get busy() {
      return firmware.busy;
    },
    serve: (wire) =>
      firmware.serve(wire).catch((error: unknown) => {
        if (!device.power.aborted) log.error({ error }, 'the virtual terminal failed');
      }),
    typeByHand: (typed) => firmware.typeByHand(typed),
    closeByHand: () => firmware.closeByHand(),
  };
}

function noted<Packet extends TerminalPacket | TillPacket>(
  reader: Reader<Packet>,
  way: string,
  note: (line: string) => void,
): Reader<Packet> {
  const { asked } = reader;
  return {
    read: (bytes) => {
      const packets = reader.read(bytes);
      const words = packets.map(({ word }) => word);
      note(`${way}, ${describeBytes(words, bytes, MOST_BYTES)}`);
      return packets;
    },
    ...(asked ? { asked: () => asked.call(reader) } : {}),
  };
}
