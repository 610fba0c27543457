import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { AppError } from '../../../src/base/errors.ts';
import { type Connection, meet } from '../../../src/cli/offline/doctor/terminals.ts';
import { TerminalRegistry } from '../../../src/terminal/terminal-registry.ts';
import { DEVICE_ID } from '../../support/attempts.ts';

it('a terminal that says who it is and then nothing more is a warning, and its connection is closed', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const session = {
    capabilities: zvt.capabilities,
    identify: async () => ({ grade: 'serial', serial: '17F00001' }),
    readiness: () => Promise.reject(new AppError('TERMINAL_NO_ANSWER', 'the terminal does not answer')),
    close: async () => undefined,
  };
  const { port } = server.address() as AddressInfo;
  const link = { type: 'tcp', host: '127.0.0.1', port, connect_timeout_ms: 1000 };
  const connection = {
    device: { id: DEVICE_ID, name: 'Counter 1', driver: 'zvt', currency: 'EUR', link },
    manifest: { ...zvt, load: async () => ({ open: async () => session }) },
    options: {},
    known: null,
    registry: new TerminalRegistry(),
  } as unknown as Connection;
  const found = await meet(connection, 'tilld.jsonc');
  expect(JSON.stringify(found)).toMatch(/warn.*Counter 1 answers, but does not say whether it can sell/);
  await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true]);
});
