import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { openPty, type Pty } from '../../../src/sandbox/terminal/pty.ts';
import type { Link } from '../../../src/terminal/link.ts';
import { OpenPorts } from '../../../src/transport/open-ports.ts';
import { listPorts } from '../../../src/transport/port-list.ts';
import { openSerialLink } from '../../../src/transport/serial.ts';
import { ptyForTests } from '../../support/pty.ts';

const never = new AbortController().signal;
const { pty: probe, reason } = await ptyForTests();
await probe?.pipe.close();
const title = probe ? 'a serial link over a pty' : `a serial link (skipped: ${reason})`;

function open(path: string, openPorts = new OpenPorts(), baudRate = 9600): Promise<Link> {
  return openSerialLink({ path, baudRate, dataBits: 8, stopBits: 2, parity: 'none' }, openPorts)(never);
}

/** More than the system and the paused stream at the other end hold: 64 KiB each. A fast line has no excuse to be slow with it. */
const FLOOD = new Uint8Array(512 * 1024);
const FAST = 4_000_000;

/** The line settings of a port, as the system tells them. */
async function stty(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)('stty', ['-F', path, '-g']);
  return stdout;
}

async function take(bytes: AsyncIterable<Uint8Array>, count: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= count) break;
  }
  return Buffer.concat(chunks);
}

describe.skipIf(!probe)(title, () => {
  const ptys: Pty[] = [];

  async function pty(): Promise<Pty> {
    const made = await openPty();
    ptys.push(made);
    return made;
  }

  afterEach(async () => {
    for (const made of ptys.splice(0)) await made.pipe.close();
  });

  const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

  it('carries every byte value unchanged both ways, without echo', async () => {
    const { path, pipe } = await pty();
    const link = await open(path);
    await link.write(everyByte);
    await pipe.write(everyByte);
    const [there, back] = await Promise.all([take(pipe.bytes, 256), take(link.bytes, 256)]);
    expect(there.equals(everyByte)).toBe(true);
    expect(back.equals(everyByte)).toBe(true);
    await link.close();
    expect((await link.closed).reason).toBe('closed_by_us');
  });

  it('can be closed and opened again, and throws away what came in between', async () => {
    const { path, pipe } = await pty();
    await (await open(path)).close();
    await pipe.write(Uint8Array.of(0xaa, 0xbb));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const again = await open(path);
    await pipe.write(Uint8Array.of(0x06));
    expect((await take(again.bytes, 1)).toString('hex')).toBe('06');
    await again.close();
  });

  // Several times: serialport takes another path when the cable goes while it reads (see watchForHangUp).
  it.each([1, 2, 3, 4])('is told unplugged when the cable is pulled, and ends its bytes (%i)', async () => {
    const { path, pipe } = await pty();
    const link = await open(path);
    const rest = take(link.bytes, 1000);
    await pipe.close();
    expect((await rest).length).toBe(0);
    expect((await link.closed).reason).toBe('unplugged');
    await expect(link.write(Uint8Array.of(1))).rejects.toMatchObject({
      code: 'LINK_CLOSED',
      moneyMoved: 'no',
    });
    await link.close();
  });

  it('is lost when the port takes no bytes any more, and the write ends as possibly sent', async () => {
    const { path } = await pty();
    const link = await open(path, new OpenPorts(), FAST);
    const write = link.write(FLOOD);
    await expect(write).rejects.toMatchObject({ code: 'LINK_LOST', moneyMoved: 'unknown' });
    expect(await link.closed).toMatchObject({ reason: 'error', detail: `${path} takes no bytes any more` });
    expect((await take(link.bytes, 1)).length).toBe(0);
    await expect(link.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'LINK_CLOSED' });
    await link.close();
  });

  it('gives the port back to others once it is lost', async () => {
    const openPorts = new OpenPorts();
    const { path } = await pty();
    const first = await open(path, openPorts, FAST);
    await expect(open(path, openPorts)).rejects.toThrow('it is in use for another device');
    await expect(first.write(FLOOD)).rejects.toMatchObject({ code: 'LINK_LOST' });
    await first.closed;
    while (openPorts.has(path)) await new Promise((resolve) => setTimeout(resolve, 20));
    const second = await open(path, openPorts);
    await second.close();
    expect(openPorts.has(path)).toBe(false);
  });

  it('never touches a port that is open for another device: its line settings would change', async () => {
    const openPorts = new OpenPorts();
    const { path } = await pty();
    await openPorts.take(path);
    const settings = await stty(path);
    const line = { path, baudRate: 1200, dataBits: 7, stopBits: 1, parity: 'even' } as const;
    await expect(openSerialLink(line, openPorts)(never)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    expect(await stty(path)).toBe(settings);
  });

  it('is seen to be held by another program before it is touched', async () => {
    const { path } = await pty();
    const link = await open(path);
    const seen = async () =>
      (await listPorts(new OpenPorts(), path)).find((port) => port.path === path)?.openedBy;
    expect(await seen()).toBe(`another program (process ${process.pid})`);
    await link.close();
    expect(await seen()).toBe(null);
  });

  it.each(['refused', 'aborted'])('gives the port back when its opening is %s', async (how) => {
    const openPorts = new OpenPorts();
    const path = how === 'refused' ? '/dev/null' : (await pty()).path;
    const stop = new AbortController();
    const line = { path, baudRate: 9600, dataBits: 8, stopBits: 2, parity: 'none' } as const;
    const opening = openSerialLink(line, openPorts)(stop.signal);
    if (how === 'aborted') stop.abort(new Error('stopped by the test'));
    await expect(opening).rejects.toThrow();
    while (openPorts.has(path)) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('refuses a port that another program holds, in words', async () => {
    const { path } = await pty();
    const first = await open(path);
    const second = open(path);
    await expect(second).rejects.toMatchObject({ code: 'LINK_REFUSED', retry: 'safe' });
    await expect(second).rejects.toThrow('another program holds this port');
    await first.close();
  });

  it.each([
    ['/dev/tty-that-is-not-there', 'there is no such port'],
    ['/dev/null', 'this is not a serial port'],
  ])('refuses %s and says why', async (path, words) => {
    const refused = open(path);
    await expect(refused).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    await expect(refused).rejects.toThrow(words);
  });
});
