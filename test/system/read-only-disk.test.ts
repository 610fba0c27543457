import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/daemon.ts';
import {
  charged,
  lacking,
  type Machine,
  machineOnExt4,
  machineOnTmpfs,
  mount,
  RunningDaemon,
  tool,
} from './machine.ts';

const missing = lacking(['mount', 'mkfs.ext4', 'truncate', 'df']);
/** Asks for a person; systemd does not start it again after it. */
const FOR_A_PERSON = 2;

/** The kernel finds an error on the disk, and makes it read-only, open files and all. */
function breakFileSystem({ state }: Machine): void {
  const device = tool('df', '--output=source', state).trim().split('\n').at(-1) ?? '';
  writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, '1');
}

describe.skipIf(missing !== '')(`a disk that cannot be written ${missing}`, () => {
  it('at the start: is refused in words, with a code after which nobody tries again and again; mounted writable it sells', async () => {
    const machine = await machineOnTmpfs(32);
    mount('-o', 'remount,ro', machine.state);
    const refused = new RunningDaemon(machine);
    expect(await refused.ended).toBe(FOR_A_PERSON);
    expect(refused.log).toMatch(/mounted read-only\. No payment can be taken, and none was started\./);
    expect(refused.log).toMatch(/fix: .*mount -o remount,rw/);
    mount('-o', 'remount,rw', machine.state);
    const daemon = await RunningDaemon.ready(machine);
    expect((await daemon.settled((await daemon.sell(100)).body.data.id)).status).toBe('succeeded');
    expect(charged(machine)).toBe(100);
  });

  it('from some moment on: no payment is started, in words, and it sells on once the disk can be written again', async () => {
    const machine = await machineOnTmpfs(32);
    const daemon = await RunningDaemon.ready(machine);
    mount('--bind', machine.state, machine.state);
    mount('-o', 'remount,bind,ro', machine.state);
    const { status, body } = await daemon.sell(200);
    expect([status, body.error.message]).toEqual([
      503,
      expect.stringMatching(/^Nothing was charged\. The disk cannot be written/),
    ]);
    expect((await daemon.health()).body.reasons).toContainEqual({
      code: 'read_only',
      message: expect.stringContaining('mounted writable'),
    });
    expect(machine.terminal.snapshot().ledger).toEqual([]);
    mount('-o', 'remount,bind,rw', machine.state);
    const id = await eventually(async () => {
      const answer = await daemon.sell(300);
      return answer.status === 201 && answer.body.data.id;
    }, 5000);
    expect((await daemon.settled(id)).status).toBe('succeeded');
    expect([daemon.alive, charged(machine)]).toEqual([true, 300]);
  });

  it('because of an error, while nobody pays: nothing reaches the terminal, whoever asks is told so or tilld goes down, and the next start says why', async () => {
    const machine = await machineOnExt4(64);
    const daemon = await RunningDaemon.ready(machine);
    expect((await daemon.settled((await daemon.sell(100)).body.data.id)).status).toBe('succeeded');
    breakFileSystem(machine);
    const answer = await daemon.sell(200).catch(() => null);
    if (answer) {
      expect([answer.status, answer.body.error.message]).toEqual([
        503,
        expect.stringMatching(/^Nothing was charged\./),
      ]);
      expect((await daemon.health()).body.reasons).toContainEqual(
        expect.objectContaining({ code: 'read_only' }),
      );
      await daemon.signal('SIGKILL');
    } else expect(await daemon.ended).toBe(1);
    expect(charged(machine)).toBe(100);
    const again = new RunningDaemon(machine);
    expect([await again.ended, again.log]).toEqual([
      FOR_A_PERSON,
      expect.stringContaining('mounted read-only'),
    ]);
  });

  it('because of an error, while the customer pays: the approval is not acknowledged, tilld goes down, and says why at the next start', async () => {
    const machine = await machineOnExt4(64, { autopilot: 'off', missingAcknowledgement: 'reverse' });
    const daemon = await RunningDaemon.ready(machine);
    await daemon.sell(1234);
    await eventually(() => machine.terminal.snapshot().screen.startsWith('Present card'));
    breakFileSystem(machine);
    machine.terminal.press('approve');
    expect(await daemon.ended).toBe(1);
    expect(daemon.log).toMatch(/going down/);
    await eventually(() => !machine.terminal.snapshot().busy, 30_000);
    expect(charged(machine)).toBe(0);
    const again = new RunningDaemon(machine);
    expect(await again.ended).toBe(FOR_A_PERSON);
    expect(again.log).toMatch(/mounted read-only/);
  });
});
