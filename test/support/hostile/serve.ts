import { parseArgs } from 'node:util';
import { Random } from '../../simulation/random.ts';
import { HostileProvider } from './provider.ts';
import { HostileServer } from './server.ts';
import { shapeOf } from './shape.ts';

/** The hostile source by hand: `node test/support/hostile/serve.ts --port 4010 --seed 7 [--ties 10000] [--calm]`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      seed: { type: 'string', default: '1' },
      ties: { type: 'string', default: '0' },
      calm: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  const shape = { ...shapeOf(new Random(seed, 'sync'), Number(values.ties)), canGet: true };
  const provider = new HostileProvider(shape, new Random(seed, 'source'), () => Date.now());
  const server = new HostileServer(provider, new Random(seed, 'http'));
  if (!values.calm) {
    const some = 0.03;
    const http = { cut: some, truncated: some, redirect: some, bomb: some, serverError: some };
    Object.assign(server, { mischief: http });
    const mischief = {
      rateLimit: some,
      longRateLimit: 0,
      cut: some,
      noJson: some,
      lineDown: 0,
      forbidden: some,
    };
    Object.assign(provider, { mischief: { ...mischief, repeat: some, emptyPage: some, wrongType: some } });
  }
  const port = await server.start(Number(values.port));
  process.stdout.write(`${JSON.stringify(shape)}\nhttp://127.0.0.1:${port}/invoices\n`);
  setInterval(() => provider.table.change(Math.random() < 0.3 ? 60_000 : 0), 5_000);
}

await main();
