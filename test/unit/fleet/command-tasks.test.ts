import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { SignedInPerson } from '../../../src/api/people/signed-in-person.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { type CommandRecord, outcomeOf } from '../../../src/fleet/agent/command-records.ts';
import type { DoCommand } from '../../../src/fleet/agent/commands.ts';
import type { BooksCommand } from '../../../src/fleet/contract/command.ts';
import { makeOperatorKey, signCommand } from '../../../src/hub/commands/sign.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { commandsOf } from './commands-of.ts';

/** `npm run fleet:test -- hostile-commands` sends 10,000. */
const HOSTILE = Number(process.env['FLEET_HOSTILE_COMMANDS'] ?? 1_000);
const AGENT = randomUUID();
const SIGNAL = new AbortController().signal;
const HOUR_MS = 3_600_000;

const never: DoCommand = async () => {
  throw new Error('the agent does nothing of class M');
};

/** A shop whose clock a test moves. */
function aShop(kept: readonly CommandRecord[] = []) {
  const time = { ahead: 0 };
  const clock: Clock = { ...systemClock, now: () => Date.now() + time.ahead };
  return { ...commandsOf({ run: never, kept, clock }), time };
}

describe('a command of class M at the shop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-operator-'));
  const keyFile = join(folder, 'operator.key');
  const anna = { name: 'Anna', key: '' };
  beforeAll(() => {
    anna.key = makeOperatorKey(keyFile);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const signed = async (command: BooksCommand, key = keyFile) => {
    const asked = { agentId: AGENT, operator: 'Anna', seconds: HOUR_MS / 1_000, command };
    const envelope = await signCommand(key, asked, Date.now());
    const { jti } = JSON.parse(Buffer.from(envelope.split('.')[1] ?? '', 'base64url').toString());
    return { id: String(jti), envelope };
  };
  const take = (shop: ReturnType<typeof aShop>, ...commands: Awaited<ReturnType<typeof signed>>[]) =>
    shop.commands.take(commands, AGENT, [anna], SIGNAL);
  const adopt = (): BooksCommand => ({ kind: 'adopt', device_id: randomUUID() });

  it('is one task, with who asks and why, however often it is handed over, and after a restart', async () => {
    const shop = aShop();
    const asked = { ...adopt(), reason: 'the terminal was exchanged' };
    const command = await signed(asked);
    for (let times = 0; times < 3; times += 1) await take(shop, command);
    const again = aShop(shop.file.records);
    await take(again, command);
    expect(again.tasks.list()).toMatchObject([
      { id: command.id, operator: 'Anna', task: { command: asked, begun: null, end: null } },
    ]);
    expect(again.commands.outcomes()).toEqual([{ id: command.id, state: 'needs_person', details: null }]);
  });

  it('is acknowledged only once it is on disk', async () => {
    const shop = aShop();
    const command = await signed(adopt());
    shop.file.isFull = true;
    await expect(take(shop, command)).rejects.toThrow('the disk is full');
    expect([shop.tasks.list(), shop.commands.outcomes()]).toEqual([[], []]);
    shop.file.isFull = false;
    await take(shop, command);
    expect(shop.tasks.list()).toHaveLength(1);
  });

  it('is done by the person who did it, and the hub gets the end behind the task, once', async () => {
    const shop = aShop();
    const command = await signed({ kind: 'retry_report', report_id: randomUUID() });
    await take(shop, command);
    const before = shop.commands.outcomes();
    await shop.tasks.perform(command.id, 'Maria', async (what) => {
      expect(what.kind).toBe('retry_report');
      return { settlementId: null, words: 'the report is sent again' };
    });
    // The answer to the exchange with the earlier outcome comes now.
    shop.commands.reported(before);
    const [outcome] = shop.commands.outcomes();
    expect(outcome).toMatchObject({ id: command.id, state: 'done', by: 'Maria' });
    shop.commands.reported(shop.commands.outcomes());
    expect(shop.commands.outcomes()).toEqual([]);
    expect(shop.ended).toEqual(['ended']);
    const twice = shop.tasks.perform(command.id, 'Maria', async () => ({ settlementId: null, words: '' }));
    await expect(twice).rejects.toMatchObject({ code: 'TASK_DONE' });
    expect(aShop(shop.file.records).tasks.list()[0]?.task.end).toMatchObject({ state: 'done', by: 'Maria' });
  });

  it('stays open where the shop refuses what the person does, and while another one is at it', async () => {
    const shop = aShop();
    const command = await signed(adopt());
    await take(shop, command);
    const refused = shop.tasks.perform(command.id, 'Maria', async () => {
      throw new AppError('ADOPT_BLOCKED', 'a payment is not finished');
    });
    await expect(refused).rejects.toMatchObject({ code: 'ADOPT_BLOCKED' });
    let done = () => {};
    const running = new Promise<void>((resolve) => {
      done = resolve;
    });
    const first = shop.tasks.perform(command.id, 'Maria', async () => {
      await running;
      return { settlementId: null, words: 'adopted' };
    });
    // The books say so already; the name follows.
    shop.books.standOf = () => ({ kind: 'over', by: null, words: 'it is the known one' });
    shop.tasks.refresh();
    expect(() => shop.tasks.decline(command.id, 'Bob', 'no')).toThrow(/right now/);
    done();
    await first;
    expect(shop.tasks.list()[0]?.task.end).toMatchObject({ state: 'done', by: 'Maria' });
  });

  it('that closes a day is done when the close has succeeded, and open again when it has not', async () => {
    const shop = aShop();
    const command = await signed({ kind: 'end_of_day', device_id: randomUUID() });
    await take(shop, command);
    const begin = () =>
      shop.tasks.perform(command.id, 'Maria', async () => {
        shop.books.standOf = () => ({ kind: 'open', isRunning: true });
        return { settlementId: randomUUID(), words: 'begun' };
      });
    await begin();
    expect(shop.tasks.list()[0]?.task).toMatchObject({ begun: { by: 'Maria' }, end: null });
    await expect(begin()).rejects.toMatchObject({ code: 'TASK_DONE' });
    shop.books.standOf = () => ({ kind: 'open', isRunning: false });
    await begin();
    shop.books.standOf = () => ({ kind: 'over', by: null, isAsBegun: true, words: 'the day is closed' });
    expect(shop.tasks.list()[0]?.task.end).toMatchObject({ state: 'done', by: 'Maria' });
  });

  it('is declined with a reason, of which no secret leaves the shop', async () => {
    const shop = aShop();
    const command = await signed(adopt());
    await take(shop, command);
    shop.tasks.decline(command.id, 'Maria', 'the card 4111 1111 1111 1111 is on the old one');
    expect(shop.commands.outcomes()).toMatchObject([
      { state: 'declined', by: 'Maria', details: expect.not.stringContaining('1111 1111') },
    ]);
  });

  it('expires by the clock of the shop, and stays so', async () => {
    const shop = aShop();
    const command = await signed(adopt());
    await take(shop, command);
    shop.time.ahead = HOUR_MS - 60_000;
    expect(shop.tasks.list()[0]?.task.end).toBeNull();
    shop.time.ahead = HOUR_MS + 60_000;
    expect(shop.tasks.list()[0]?.task.end).toMatchObject({ state: 'expired', by: null });
    shop.time.ahead = 0;
    expect(() => shop.tasks.decline(command.id, 'Maria', 'no')).toThrow(/ended/);
    expect(shop.commands.outcomes()).toMatchObject([{ state: 'expired' }]);
  });

  it('ends by itself when the books say that nothing is left to do, with the name where they have one', async () => {
    const shop = aShop();
    const [first, second] = [await signed(adopt()), await signed(adopt())];
    await take(shop, first, second);
    shop.books.standOf = () => ({ kind: 'over', by: null, words: 'the known one is back' });
    expect(shop.commands.outcomes()).toMatchObject([
      { state: 'not_needed', by: null, details: 'the known one is back' },
      { state: 'not_needed', by: null },
    ]);
    const other = aShop();
    await take(other, first);
    other.books.standOf = () => ({ kind: 'over', by: 'Maria', words: 'its outcome is known' });
    expect(other.commands.outcomes()).toMatchObject([{ state: 'done', by: 'Maria' }]);
  });

  it('is no task where the shop has nothing of this id, or nothing is left to do', async () => {
    const shop = aShop();
    shop.books.standOf = () => ({ kind: 'unknown', words: 'this shop has no device of this id' });
    await take(shop, await signed(adopt()));
    shop.books.standOf = () => ({ kind: 'over', by: 'Maria', words: 'the report is dropped' });
    await take(shop, await signed({ kind: 'drop_report', report_id: randomUUID() }));
    expect(shop.commands.outcomes()).toMatchObject([{ state: 'failed' }, { state: 'not_needed', by: null }]);
    expect(shop.tasks.list().filter(({ task }) => task.end === null)).toEqual([]);
  });

  it('is refused in words beyond twenty that wait, and where the same is asked for already', async () => {
    const shop = aShop();
    const same = adopt();
    await take(shop, await signed(same), await signed({ ...same, reason: 'please' }));
    expect(shop.commands.outcomes()[1]).toMatchObject({
      state: 'refused',
      details: expect.stringMatching(/Anna has asked for it already/),
    });
    shop.commands.reported(shop.commands.outcomes());
    for (let number = 0; number < 30; number += 1) await take(shop, await signed(adopt()));
    const open = shop.tasks.list().filter(({ task }) => task.end === null);
    expect(open).toHaveLength(20);
    expect(shop.file.records.at(-1)).toMatchObject({
      state: 'refused',
      details: '20 tasks of operators wait for a person at this shop already',
    });
    shop.tasks.decline(open[0]?.id ?? '', 'Maria', 'no');
    await take(shop, await signed(adopt()));
    expect(shop.file.records.at(-1)?.state).toBe('needs_person');
  });

  it('makes no task and runs nothing when another key has signed it', async () => {
    const stranger = join(folder, 'stranger.key');
    makeOperatorKey(stranger);
    const shop = aShop();
    const kinds = [
      (id: string): BooksCommand => ({ kind: 'end_of_day', device_id: id }),
      (id: string): BooksCommand => ({ kind: 'resolve', payment_id: id }),
      (id: string): BooksCommand => ({ kind: 'retry_report', report_id: id }),
      (id: string): BooksCommand => ({ kind: 'drop_report', report_id: id }),
      (id: string): BooksCommand => ({ kind: 'adopt', device_id: id }),
    ];
    for (let number = 0; number < HOSTILE; number += 1) {
      const kind = kinds[number % kinds.length];
      if (kind) await take(shop, await signed(kind(randomUUID()), stranger));
      shop.commands.reported(shop.commands.outcomes());
    }
    expect(shop.tasks.list()).toEqual([]);
    expect(shop.file.records.every(({ state }) => state === 'refused')).toBe(true);
  }, 120_000);

  it('leaves a task open while its end cannot be written', async () => {
    const shop = aShop();
    const command = await signed(adopt());
    await take(shop, command);
    shop.books.standOf = () => ({ kind: 'over', by: null, words: 'over' });
    shop.file.isFull = true;
    expect(shop.tasks.list()[0]?.task.end).toBeNull();
    shop.file.isFull = false;
    expect(shop.tasks.list()[0]?.task.end).not.toBeNull();
  });

  it('is read by an earlier release as one that needs a person', async () => {
    const shop = aShop();
    await take(shop, await signed(adopt()));
    shop.tasks.decline(shop.tasks.list()[0]?.id ?? '', 'Maria', 'no');
    const [{ task: _, ...known }] = shop.file.records as [CommandRecord];
    expect(known.state).toBe('needs_person');
    expect(outcomeOf(aShop([known]).commands.records[0] as CommandRecord).state).toBe('needs_person');
    expect(aShop([known]).tasks.list()).toEqual([]);
  });

  it('cannot be given to what the agent runs by itself, nor be done for a mere name', () => {
    expectTypeOf<BooksCommand>().not.toExtend<Parameters<DoCommand>[0]>();
    expectTypeOf<{ name: string }>().not.toExtend<SignedInPerson>();
    // @ts-expect-error A request of theirs is the only way to a person.
    expect(() => new SignedInPerson('Maria')).toBeTypeOf('function');
  });
});
