import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { eventually } from '../support/daemon.ts';
import {
  type Answer,
  charged,
  fillDisk,
  freeBytes,
  freeDisk,
  lacking,
  type Machine,
  machineOnTmpfs,
  RunningDaemon,
} from './machine.ts';

const missing = lacking(['mount']);
const SIZE_MB = 32;
/** After space is back. */
const RESUME_MS = 5000;
/** The daemon under test asks four times a second. */
const SEVERAL_POLLS_MS = 2000;

/** Somebody who takes every byte that becomes free, at once, as a log that nobody rotates does. */
function hog(machine: Machine): void {
  const file = join(machine.state, 'somebody-elses-file');
  const greed = 'while :; do cat /dev/zero >> "$0"; done 2> /dev/null';
  const process = spawn('sh', ['-c', greed, file], { stdio: 'ignore' });
  onTestFinished(() => void process.kill('SIGKILL'));
}

/** The merchant's back office asks for a payment at the service. */
async function workAtService({ service }: Machine, minor: number): Promise<string> {
  const response = await fetch(`${service.url}/sandbox/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ device_id: DEVICE_ID, amount_minor: minor, currency: 'EUR' }),
  });
  return ((await response.json()) as { data: { id: string } }).data.id;
}

function aCustomerWhoApproves({ terminal }: Machine): void {
  const timer = setInterval(() => {
    if (terminal.snapshot().screen.startsWith('Present card')) terminal.press('approve');
  }, 50);
  onTestFinished(() => clearInterval(timer));
}

/** Sells until the disk is felt; gives that answer. What was taken until then must come to its end. */
async function sellUntilRefused(daemon: RunningDaemon): Promise<Answer> {
  for (let minor = 200; ; minor += 1) {
    const answer = await daemon.sell(minor);
    if (answer.status !== 201) return answer;
    expect((await daemon.settled(answer.body.data.id)).status).toBe('succeeded');
  }
}

/** The promise of the service: 5 s after space is back it sells, and nobody has started it anew. */
async function resumes(daemon: RunningDaemon, machine: Machine, minor: number): Promise<void> {
  const before = charged(machine);
  aCustomerWhoApproves(machine);
  const id = await eventually(async () => {
    const { status, body } = await daemon.sell(minor);
    return status === 201 && body.data.id;
  }, RESUME_MS);
  expect((await daemon.settled(id)).status).toBe('succeeded');
  expect([daemon.alive, charged(machine)]).toEqual([true, before + minor]);
}

describe.skipIf(missing !== '')(`a disk that is full ${missing}`, () => {
  it('while nobody pays: no payment is started, in words, and it sells on within 5 s of space coming back, without a restart', async () => {
    const machine = await machineOnTmpfs(SIZE_MB);
    const daemon = await RunningDaemon.ready(machine);
    fillDisk(machine.state);
    const { status, body } = await sellUntilRefused(daemon);
    expect([status, body.error.code]).toEqual([503, 'storage_full']);
    expect(body.error.message).toMatch(
      /^Nothing was charged\. The disk is full.*Free at least \d+ MB where .*state is/,
    );
    const before = charged(machine);
    const health = await daemon.health();
    expect([health.status, health.body.can_sell]).toEqual([503, false]);
    expect(health.body.reasons).toContainEqual({
      code: 'disk_full',
      message: expect.stringContaining('Free at least'),
    });
    expect([(await daemon.sell(999)).status, charged(machine)]).toEqual([503, before]);
    freeDisk(machine.state);
    await resumes(daemon, machine, 400);
  });

  it('from the moment a customer pays on, with somebody who takes every byte that becomes free: the outcome is stored', async () => {
    const machine = await machineOnTmpfs(SIZE_MB, { autopilot: 'off' });
    const daemon = await RunningDaemon.ready(machine);
    const { id } = (await daemon.sell(1234)).body.data;
    await eventually(() => machine.terminal.snapshot().screen.startsWith('Present card'));
    fillDisk(machine.state);
    hog(machine);
    machine.terminal.press('approve');
    expect(await daemon.settled(id)).toMatchObject({ status: 'succeeded', charged: 'yes' });
    expect([daemon.alive, charged(machine), freeBytes(machine.state)]).toEqual([true, 1234, 0]);
  });

  it('when tilld was killed while a customer paid: the next start finds out how it ended, starts nothing new, and sells within 5 s of space coming back', async () => {
    const machine = await machineOnTmpfs(SIZE_MB, { autopilot: 'off' });
    const first = await RunningDaemon.ready(machine);
    const { id } = (await first.sell(1234)).body.data;
    await eventually(() => machine.terminal.snapshot().screen.startsWith('Present card'));
    await first.signal('SIGKILL');
    machine.terminal.press('approve');
    await eventually(() => !machine.terminal.snapshot().busy);
    const standing = charged(machine);
    fillDisk(machine.state);
    const daemon = new RunningDaemon(machine);
    await daemon.answering();
    fillDisk(machine.state);
    const { charged: known } = await daemon.settled(id);
    expect(known).toBe(standing === 1234 ? 'yes' : 'no');
    expect((await daemon.sell(200)).body.error).toMatchObject({ code: 'storage_full' });
    expect([daemon.ready, charged(machine)]).toEqual([false, standing]);
    freeDisk(machine.state);
    await resumes(daemon, machine, 300);
    expect(daemon.ready).toBe(true);
  });

  it('when tilld starts and nothing can be written at all: it waits with words in its log, and sells within 5 s of space coming back', async () => {
    const machine = await machineOnTmpfs(SIZE_MB);
    fillDisk(machine.state);
    const daemon = new RunningDaemon(machine);
    await eventually(() => daemon.log.includes('the start waits'));
    freeDisk(machine.state);
    await eventually(() => daemon.ready, RESUME_MS);
    await resumes(daemon, machine, 100);
  });

  it('is no place for work from the service: it is left unclaimed, and what is pending stays pending, until there is space again', async () => {
    const machine = await machineOnTmpfs(SIZE_MB);
    const daemon = await RunningDaemon.ready(machine);
    fillDisk(machine.state);
    await sellUntilRefused(daemon);
    const id = await workAtService(machine, 4200);
    const line = () => machine.service.control.ledger().find((one) => one['id'] === id);
    await new Promise((resolve) => setTimeout(resolve, SEVERAL_POLLS_MS));
    expect(line()).toMatchObject({ status: 'requested', calls: { claim: { applied: 0 } } });
    const before = charged(machine);
    freeDisk(machine.state);
    await eventually(() => line()?.['status'] === 'succeeded');
    expect(charged(machine)).toBe(before + 4200);
  });

  it('and holds the log too: payments that run are finished, and the daemon lives', async () => {
    const machine = await machineOnTmpfs(SIZE_MB);
    const logTo = join(machine.state, 'tilld.log');
    const daemon = await RunningDaemon.ready(machine, { logTo });
    fillDisk(machine.state);
    fillDisk(machine.state, 'tilld.log');
    expect((await sellUntilRefused(daemon)).status).toBe(503);
    freeDisk(machine.state);
    await resumes(daemon, machine, 100);
    await eventually(() => readFileSync(logTo, 'utf8').includes('log lines could not be written'));
  });
});
