import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Answer, Ask } from '../ask.ts';
import { hold } from '../breach.ts';
import { type Expected, meets, shapeOf } from '../expect.ts';
import { OPERATIONS, type Operation } from '../interface.ts';
import { ask, type Group, type Row } from '../row.ts';
import { listOf } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { aimed, nameOf, operationOf } from '../subjects.ts';
import { DELIVERIES, ENDPOINTS, registered } from './hooks.ts';
import { PAYMENTS, saleOf } from './sales.ts';

const SECTION = 'Endpoints: Conventions';
const FLAT = 'Errors: Responses outside the envelope';
const HEADER = 'Idempotency-Key';
const HOUR_MS = 3_600_000;
const writes: readonly Operation[] = OPERATIONS.filter(({ method }) => method !== 'GET');
const covers = [`header:${HEADER}`, 'limit:Idempotency key lifetime'];

export const idempotencyGroups: readonly Group[] = [
  { name: 'idempotency: the same request again', rows: writes.map(replayRow) },
  {
    name: 'idempotency: keys',
    rows: [
      mismatchRow('body', (sale) => ({ ...sale, body: { ...Object(sale.body), amount_minor: 1 } })),
      mismatchRow('body-invalid', (sale) => ({ ...sale, body: { surprise: true } })),
      mismatchRow('path', (sale) => ({ ...sale, path: ENDPOINTS })),
      mismatchRow('method', (sale, endpointId) => ({
        ...sale,
        method: 'PATCH',
        path: `${ENDPOINTS}/${endpointId}`,
        body: { status: 'disabled' },
      })),
      inProgressRow(),
      atOnceRow(),
      ...['', 'k'.repeat(256), 'schlüssel', 'tab\there'].map(malformedRow),
      longestRow(),
      freedRow(),
      elsewhereRow(),
      restartRow(),
    ],
  },
  {
    name: 'idempotency: 24 hours',
    rows: [
      ...['POST /v2/terminal-payments', 'POST /v2/webhook-endpoints'].map(withinRow),
      afterRow('POST /v2/terminal-payments', {
        local:
          'kept as long as the payment, so that a repetition after a day never charges twice: “a duplicate within that time returns the original response”',
      }),
      afterRow('POST /v2/webhook-endpoints'),
    ],
  },
];

function row(id: string, what: string, run: Row['run'], more: Partial<Row> = {}): Row {
  return { id: `idempotency/${id}`, section: SECTION, what, covers, run, ...more };
}

function replayRow(operation: Operation): Row {
  const name = nameOf(operation);
  return row(
    name,
    `${name} again under its key gives the first answer, byte for byte, and does nothing`,
    async (side) => {
      const asked = await aimed(side, operation);
      const key = randomUUID();
      const first = await keyed(side, key, asked, { status: operation.status });
      const before = await everything(side);
      await isReplay(side, key, asked, first);
      hold((await everything(side)) === before, () => 'the second request did something');
    },
  );
}

function mismatchRow(what: string, change: (sale: Ask, endpointId: string) => Ask): Row {
  return row(
    `mismatch-${what}`,
    `a key that was used with another ${what} is 422, flat, and names the first request`,
    async (side) => {
      const key = randomUUID();
      const sale: Ask = { method: 'POST', path: PAYMENTS, body: saleOf(side) };
      const { id } = await registered(side);
      await keyed(side, key, sale, { status: 201 });
      const before = await everything(side);
      const other = await keyed(side, key, change(sale, id), mismatch);
      const again = await keyed(side, key, change(sale, id), mismatch);
      const named = originalOf(other);
      hold(
        named === originalOf(again) && named.length > 3,
        () => `originalRequestId is ${named}, then ${originalOf(again)}`,
      );
      hold((await everything(side)) === before, () => 'the refused request did something');
    },
    { section: FLAT, covers: ['flat:IDEMPOTENCY_KEY_MISMATCH', 'status:422', 'field:originalRequestId'] },
  );
}

const mismatch: Expected = { status: 422, flat: 'IDEMPOTENCY_KEY_MISMATCH' };

function inProgressRow(): Row {
  return row(
    'in-progress',
    'a key whose request still runs is 409, flat; once that has ended it gives its answer',
    async (side) => {
      const key = randomUUID();
      const sale: Ask = { method: 'POST', path: PAYMENTS, body: saleOf(side) };
      const delayed = side.holdNext();
      const running = keyed(side, key, sale, { status: 201 });
      running.catch(() => undefined);
      await delayed.begun();
      const other = await keyed(side, key, sale, { status: 409, flat: 'IDEMPOTENCY_KEY_IN_PROGRESS' });
      hold(originalOf(other).length > 3, () => `originalRequestId is ${originalOf(other)}`);
      await delayed.release();
      await isReplay(side, key, sale, await running);
    },
    {
      section: FLAT,
      covers: ['flat:IDEMPOTENCY_KEY_IN_PROGRESS', 'status:409'],
      exempt: {
        local:
          'a request and its stored answer are one transaction, and no second one comes in between: “retry same key after brief backoff”',
      },
    },
  );
}

function atOnceRow(): Row {
  return row(
    'at-once',
    'eight at once under one key make one payment, and every 201 is the same',
    async (side) => {
      const key = randomUUID();
      const device_id = side.freshDevice();
      const sale: Ask = { method: 'POST', path: PAYMENTS, body: saleOf(side, { device_id }) };
      const answers = await Promise.all(Array.from({ length: 8 }, () => keyedAnswer(side, key, sale)));
      for (const answer of answers.filter(({ status }) => status !== 201))
        meets(answer, { status: 409, flat: 'IDEMPOTENCY_KEY_IN_PROGRESS' });
      const made = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
      hold(made.size === 1, () => `there are ${made.size} different answers`);
      const { text } = await ask(
        side,
        { path: `${PAYMENTS}?limit=100&device_id=${device_id}` },
        { status: 200 },
      );
      hold(text.split(`"device_id":"${device_id}"`).length === 2, () => 'there is not one payment');
    },
  );
}

function malformedRow(key: string, index: number): Row {
  return row(
    `malformed-${index + 1}`,
    `a key ${['that is empty', 'of 256 characters', 'beyond ASCII', 'with a tab'][index]} is 400, flat, and does nothing`,
    async (side) => {
      const before = await everything(side);
      const sale: Ask = { method: 'POST', path: PAYMENTS, body: saleOf(side) };
      await keyed(side, Buffer.from(key).toString('latin1'), sale, {
        status: 400,
        flat: 'IDEMPOTENCY_KEY_INVALID',
      });
      hold((await everything(side)) === before, () => 'the refused request did something');
    },
    { section: FLAT, covers: ['flat:400', `header:${HEADER}`] },
  );
}

function longestRow(): Row {
  return row('longest', 'a key of 255 characters is a key', async (side) => {
    const sale: Ask = { method: 'POST', path: PAYMENTS, body: saleOf(side) };
    const key = randomUUID().padEnd(255, 'k');
    await isReplay(side, key, sale, await keyed(side, key, sale, { status: 201 }));
  });
}

/** Decided where the interface is silent: what was refused has no answer to give again. */
function freedRow(): Row {
  return row('freed', 'a refusal frees its key for the corrected request', async (side) => {
    const key = randomUUID();
    const sale: Ask = { method: 'POST', path: PAYMENTS, body: saleOf(side) };
    await keyed(side, key, { ...sale, body: { ...Object(sale.body), amount_minor: 0 } }, { status: 400 });
    await keyed(side, key, sale, { status: 201 });
  });
}

function elsewhereRow(): Row {
  return row('get', 'a read heeds no key', async (side) => {
    const key = randomUUID();
    await keyed(side, key, { method: 'POST', path: PAYMENTS, body: saleOf(side) }, { status: 201 });
    await keyed(side, key, { path: `${PAYMENTS}?limit=1` }, { status: 200 });
  });
}

function restartRow(): Row {
  return row(
    'restart',
    'a key gives its first answer also after a restart, and after what has happened since',
    async (side) => {
      const asked = await Promise.all(
        ['POST /v2/terminal-payments', 'POST /v2/webhook-endpoints'].map((name) =>
          aimed(side, operationOf(name)),
        ),
      );
      const keys = asked.map(() => randomUUID());
      const firsts = [];
      for (const [index, one] of asked.entries())
        firsts.push(await keyed(side, keys[index] ?? '', one, { status: 201 }));
      await side.restart();
      for (const [index, one] of asked.entries()) {
        const first = firsts[index];
        if (first) await isReplay(side, keys[index] ?? '', one, first);
      }
    },
  );
}

function withinRow(name: string): Row {
  const operation = operationOf(name);
  return row(
    `within-a-day/${name}`,
    `a key of ${name} still gives its first answer a minute before 24 hours are over`,
    async (side) => {
      const asked = await aimed(side, operation);
      const key = randomUUID();
      const first = await keyed(side, key, asked, { status: operation.status });
      side.jump(24 * HOUR_MS - 60_000);
      await isReplay(side, key, asked, first);
    },
  );
}

function afterRow(name: string, exempt: Row['exempt'] = {}): Row {
  const operation = operationOf(name);
  return row(
    `after-a-day/${name}`,
    `a key of ${name} is free again after 24 hours`,
    async (side) => {
      const asked = await aimed(side, operation);
      const key = randomUUID();
      const first = await keyed(side, key, asked, { status: operation.status });
      side.jump(24 * HOUR_MS + 1000);
      const second = await keyed(side, key, asked, { status: operation.status });
      hold(second.text !== first.text, () => 'after 24 hours it still gives the first answer');
    },
    { exempt },
  );
}

async function isReplay(side: Side, key: string, asked: Ask, first: Answer): Promise<void> {
  const again = await keyed(side, key, asked, { status: first.status });
  hold(
    again.text === first.text,
    () => `the answer is another one: ${again.text.slice(0, 200)} for ${first.text.slice(0, 200)}`,
  );
}

async function keyed(side: Side, key: string, asked: Ask, expected: Expected): Promise<Answer> {
  const answer = await keyedAnswer(side, key, asked);
  meets(answer, expected);
  return answer;
}

function keyedAnswer(side: Side, key: string, asked: Ask): Promise<Answer> {
  return side.send({
    ...asked,
    headers: { 'x-api-key': side.keyOf('full'), [HEADER]: key, ...asked.headers },
  });
}

function originalOf({ json }: Answer): string {
  return shapeOf('the refusal', z.looseObject({ originalRequestId: z.string() }), json).originalRequestId;
}

const Ids = listOf(z.looseObject({ id: z.string() }));

/** The ids of all that there is, so that whatever a request made is seen. */
async function everything(side: Side): Promise<string> {
  const lists = [PAYMENTS, ENDPOINTS, DELIVERIES, '/v2/events'];
  const ids = await Promise.all(
    lists.map(async (path) => {
      const { json } = await ask(side, { path: `${path}?limit=100` }, { status: 200 });
      return shapeOf(path, Ids, json).data.map(({ id }) => id);
    }),
  );
  return ids.join(';');
}
