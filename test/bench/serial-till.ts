import { openSerialLink } from '../../src/transport/serial.ts';

const FRAME = new TextEncoder().encode('01234567890123456789');

/** `serial-till.ts PATH TIMES`: the same as `serial-echo.c` over the link that drivers get. */
async function main(path: string, times: number): Promise<void> {
  const open = openSerialLink({ path, baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' });
  const link = await open(new AbortController().signal);
  const heard = link.bytes[Symbol.asyncIterator]();
  const taken: number[] = [];
  for (let no = 0; no < times; no += 1) {
    const from = performance.now();
    const written = link.write(FRAME);
    for (let have = 0; have < FRAME.length; ) have += (await heard.next()).value?.length ?? FRAME.length;
    taken.push((performance.now() - from) * 1_000);
    await written;
  }
  process.stdout.write(taken.map((one) => `${one.toFixed(1)}\n`).join(''), () => process.exit(0));
}

const [path = '', times = ''] = process.argv.slice(2);
await main(path, Number(times));
