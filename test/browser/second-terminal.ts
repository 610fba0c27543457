import { readFileSync, writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { virtualZvt } from '../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import type { World } from '../support/daemon.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../support/shop.ts';

const SECOND_ID = '0199c0de-0000-7000-8000-0000000000d2';

/** Puts a second terminal beside that of the world; before the daemon is started. */
export async function aSecondTerminal(world: World): Promise<RunningVirtualTerminal> {
  const settings = { ...VIRTUAL_TERMINAL, name: 'counter-2', serial: '17F00002', terminalId: '52500039' };
  const second = await startVirtualTerminal({ ...settings, autopilotMs: 200 }, virtualZvt, {
    clock: systemClock,
    log: silentLog,
    memory: textMemory(),
  });
  onTestFinished(() => second.stop());
  const config = JSON.parse(readFileSync(world.config, 'utf8'));
  const link = { type: 'tcp', host: '127.0.0.1', port: Number(second.address.split(':').at(-1)) };
  config.devices.push({ ...config.devices[0], id: SECOND_ID, name: 'Counter 2', link });
  writeFileSync(world.config, JSON.stringify(config));
  return second;
}
