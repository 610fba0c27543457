import { expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { connectTerminal } from '../../../src/terminal/connect-terminal.ts';
import type { Capabilities, TerminalSession } from '../../../src/terminal/ports.ts';
import { TerminalRegistry } from '../../../src/terminal/terminal-registry.ts';
import { DEVICE_ID } from '../../support/attempts.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** What becomes of a driver with this capability, with or without the method that answers by reference. */
async function opened(recover: Capabilities['recover'], hasMethod: boolean): Promise<unknown> {
  const { ours } = memoryLinkPair({ kind: 'tcp' });
  const session = {
    capabilities: { recover },
    identify: async () => ({ grade: 'serial', serial: '17F00001' }),
    ...(hasMethod ? { ownTransaction: async () => ({ kind: 'unreadable', detail: '' }) } : {}),
  } as unknown as TerminalSession;
  const deps = {
    device: {
      id: DEVICE_ID,
      name: 'Counter 1',
      driver: 'odd',
      currency: 'EUR',
      minAmountMinor: 1,
      maxAmountMinor: 1,
    },
    driver: { open: async () => session },
    driverOptions: {},
    openLink: async () => ours,
    transcript: { record: () => undefined },
    clock: new VirtualClock(),
    log: silentLog,
    identities: { get: () => null, remember: () => undefined, setAside: () => null },
    registry: new TerminalRegistry(),
  } as const;
  const connected = connectTerminal(deps, 1000, new AbortController().signal);
  const result = await connected.then(
    () => 'connected',
    (error) => error.code,
  );
  const later = new Promise((resolve) => setImmediate(resolve, 'open'));
  return [result, await Promise.race([ours.closed.then(() => 'closed'), later])];
}

it.each<[Capabilities['recover'], boolean, string, string]>([
  ['by_reference', true, 'connected', 'open'],
  ['by_reference', false, 'DRIVER_FAULT', 'closed'],
  ['by_number', true, 'DRIVER_FAULT', 'closed'],
  ['last_only', false, 'connected', 'open'],
])('a session that recovers %s, asked by reference: %s, is %s', async (recover, hasMethod, result, link) => {
  expect(await opened(recover, hasMethod)).toEqual([result, link]);
});
