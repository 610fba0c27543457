import { afterEach, describe, expect, it } from 'vitest';
import { openPty, type Pty } from '../../../src/sandbox/terminal/pty.ts';
import type { Link } from '../../../src/terminal/link.ts';
import { openSerialLink } from '../../../src/transport/serial.ts';
import { ptyForTests } from '../../support/pty.ts';

const never = new AbortController().signal;
const { pty: probe, reason } = await ptyForTests();
await probe?.pipe.close();
const title = probe ? 'a serial link over a pty' : `a serial link (skipped: ${reason})`;

function open(path: string): Promise<Link> {
  return openSerialLink({ path, baudRate: 9600, dataBits: 8, stopBits: 2, parity: 'none' })(never);
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
