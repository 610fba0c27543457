import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { type CommandResult, tillctl } from '../support/till.ts';

/** Many processes, one after the other, on a machine that may have other work. */
const LIMIT_MS = 120_000;

interface Task {
  readonly id: string;
  readonly kind: string;
  readonly message: string;
}

/** A shop with a terminal that approves at once, and what people do in it. */
class Drill {
  readonly world: World;
  readonly backup = join(aFolder(), 'money.backup');
  daemon: Daemon;

  private constructor(world: World, daemon: Daemon) {
    this.world = world;
    this.daemon = daemon;
  }

  static async begin(): Promise<Drill> {
    const world = await aWorld({ autopilotMs: 50 });
    return new Drill(world, await Daemon.start(world));
  }

  pay(amount: string): Promise<CommandResult> {
    return tillctl(this.daemon, 'pay', '--device', DEVICE_ID, '--amount', amount);
  }

  /** A command that works on the state folder, whether tilld runs or not. */
  offline(verb: string, ...more: readonly string[]): Promise<CommandResult> {
    return tillctl(this.daemon, verb, ...more, '--state-dir', this.folder, '--config', this.world.config);
  }

  async startAgain(): Promise<void> {
    this.daemon = await Daemon.start(this.world);
  }

  get folder(): string {
    return join(this.world.folder, 'state');
  }

  /** What the customers really paid, by the terminal's own ledger. */
  get charged(): readonly number[] {
    const { ledger } = this.world.terminal.snapshot();
    return ledger
      .filter(({ result, reversed }) => result === 'approved' && !reversed)
      .map(({ amountMinor }) => amountMinor);
  }

  atService(amountMinor: number) {
    return this.world.service.control.ledger().filter((line) => line['amount_minor'] === amountMinor);
  }

  /** The question that is asked after a restore. */
  question(): Promise<Task> {
    return eventually(async () => {
      const { stdout } = await tillctl(this.daemon, 'tasks', '--json');
      const { data } = JSON.parse(stdout) as { data: readonly Task[] };
      return data.find(({ kind }) => kind === 'memory_lost');
    });
  }

  /** Nothing can be sold before somebody has compared, and then everything can, once. */
  async answerThenSellOn(shown: RegExp): Promise<void> {
    const before = this.charged;
    const refused = await this.pay('99.00');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Nothing was charged')]);
    expect(this.charged).toEqual(before);
    const { id, message } = await this.question();
    expect(message).toMatch(shown);
    expect((await tillctl(this.daemon, 'task-done', id, '--by', 'Ada', '--note', 'compared')).code).toBe(0);
    expect((await this.pay('99.00')).code).toBe(0);
    expect(this.charged).toEqual([...before, 9900]);
  }
}

describe('a backup that is restored', { timeout: LIMIT_MS }, () => {
  it('charges nobody twice: what was sold since is asked about, what was pending is looked up, and the shop sells on', async () => {
    const drill = await Drill.begin();
    const { control } = drill.world.service;
    expect((await drill.pay('10.00')).code).toBe(0);
    await eventually(() => drill.atService(1000).some((line) => line['status'] === 'succeeded'));
    control.behave({ offline: true });
    expect((await drill.pay('5.00')).code).toBe(0);
    expect((await drill.offline('backup', drill.backup)).code).toBe(0);
    control.behaveWell();
    await eventually(() => drill.atService(500).some((line) => line['status'] === 'succeeded'));
    expect((await drill.pay('20.00')).code).toBe(0);
    await eventually(() => drill.atService(2000).some((line) => line['status'] === 'succeeded'));
    const expected = [drill.atService(500), drill.atService(1000), drill.atService(2000)];
    await drill.daemon.kill();

    const restored = await drill.offline('restore', drill.backup);
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('restored database')]);
    expect((await drill.offline('doctor')).stdout).toContain('a backup was put in the place of the database');
    await drill.startAgain();
    await drill.answerThenSellOn(/an approved transaction of .*20\.00/);
    expect(drill.charged).toEqual([1000, 500, 2000, 9900]);
    await eventually(() => drill.atService(9900).some((line) => line['status'] === 'succeeded'));
    const status = await tillctl(drill.daemon, 'status', '--json');
    expect(JSON.parse(status.stdout).data.outbox).toMatchObject({ pending: 0, parked: 0 });
    expect([drill.atService(500), drill.atService(1000), drill.atService(2000)]).toEqual(expected);
    expect((await drill.offline('doctor')).code).toBe(0);
  });

  it('never runs again what the service asked for and a forgotten life has charged', async () => {
    const drill = await Drill.begin();
    const { control } = drill.world.service;
    expect((await drill.offline('backup', drill.backup)).code).toBe(0);
    control.behave({ status: { code: 503, times: 100_000, only: '/result' } });
    const asked = control.requestPayment({ device_id: DEVICE_ID, amount_minor: 4200, currency: 'EUR' });
    const { id } = asked as { id: string };
    await eventually(() => drill.charged.length > 0);
    await drill.daemon.kill();
    expect((await drill.offline('restore', drill.backup)).code).toBe(0);
    control.behaveWell();
    await drill.startAgain();
    await drill.answerThenSellOn(/an approved transaction of .*42\.00/);
    expect(drill.charged).toEqual([4200, 9900]);
    expect(control.ledger().find((line) => line['id'] === id)).not.toMatchObject({ status: 'cancelled' });
  });

  it('of another shop is found out, and asked about like any restored database', async () => {
    const other = await Drill.begin();
    expect((await other.pay('1.00')).code).toBe(0);
    expect((await other.offline('backup', other.backup)).code).toBe(0);
    const drill = await Drill.begin();
    expect((await drill.pay('7.00')).code).toBe(0);
    await drill.daemon.stop();
    expect((await drill.offline('restore', other.backup)).code).toBe(0);
    await drill.startAgain();
    expect(drill.daemon.log).toContain('"kind":"foreign"');
    await drill.answerThenSellOn(/an approved transaction of .*7\.00/);
  });
});

describe('books that are gone', { timeout: LIMIT_MS }, () => {
  it('are begun anew, and the first sale waits until somebody has compared', async () => {
    const drill = await Drill.begin();
    expect((await drill.pay('8.00')).code).toBe(0);
    await drill.daemon.kill();
    for (const end of ['', '-wal', '-shm']) rmSync(`${drill.daemon.database}${end}`, { force: true });
    const doctor = await drill.offline('doctor');
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringContaining('is gone: there were books here before'),
    ]);
    await drill.startAgain();
    await drill.answerThenSellOn(/an approved transaction of .*8\.00/);
    expect(drill.charged).toEqual([800, 9900]);
  });
});

describe('a backup while the shop sells', { timeout: LIMIT_MS }, () => {
  it('disturbs no payment, and holds each as a whole or not at all', async () => {
    const drill = await Drill.begin();
    const sales = [drill.pay('1.00'), drill.offline('backup', drill.backup), drill.pay('2.00')];
    expect((await Promise.all(sales)).map(({ code }) => code)).toEqual([0, 0, 0]);
    expect([...drill.charged].sort()).toEqual([100, 200]);
    const check = await drill.offline('doctor', '--full');
    expect([check.code, check.stdout]).toEqual([
      0,
      expect.stringContaining('rows of the journal fit their chain'),
    ]);
  });
});
