import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { AddPerson, Person } from '../../../api/contract/person.ts';
import { dataOf, listOf } from '../../../api/contract/primitives.ts';
import { SignInCode } from '../../../api/contract/session.ts';
import { Status } from '../../../api/contract/status.ts';
import { AppError } from '../../../base/errors.ts';
import { DaemonClient } from '../../client.ts';
import { EXIT } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import { plain } from '../../show/plain.ts';
import { pay } from '../../verbs/pay.ts';
import type { Questions } from './questions.ts';

const SOCKET = '/run/tilld/tilld.sock';
const READY_MS = 60_000;
const TERMINAL_MS = 30_000;
const LOOK_MS = 500;
const PAYMENT_S = 180;

interface Asking {
  readonly questions: Questions;
  readonly io: Io;
}

interface FirstSaleOptions {
  readonly person?: string;
  readonly testAmount?: string;
}

/** Starts the service with its new configuration, adds the first person, and takes a first payment. @throws SETUP_FAILED */
export async function firstSale(
  device: { readonly name: string; readonly currency: string },
  options: FirstSaleOptions,
  { questions, io }: Asking,
): Promise<void> {
  const { status, stderr } = spawnSync('systemctl', ['restart', 'tilld'], { encoding: 'utf8' });
  if (status !== 0)
    throw new AppError(
      'SETUP_FAILED',
      `tilld does not start: ${plain(stderr).trim()}. journalctl -u tilld says why`,
    );
  const client = new DaemonClient(SOCKET);
  await until(
    READY_MS,
    async () => (await statusOf(client)) !== null,
    'tilld is not ready after a minute: journalctl -u tilld',
  );
  await firstPerson(client, options, { questions, io });
  const isReady = await until(TERMINAL_MS, async () => (await statusOf(client))?.can_sell === true, null);
  if (!isReady) {
    io.err(
      `${plain(device.name)} is not ready yet: no first payment is taken. tillctl devices says what it waits for.\n`,
    );
    return;
  }
  const amount = await questions.ask({
    words: `Amount of a first payment in ${device.currency}, like 0.10; none: no payment`,
    otherwise: '',
    given: options.testAmount,
    read: (answer) => {
      if (answer === '' || /^\d{1,6}(\.\d{1,3})?$/.test(answer)) return answer;
      throw new AppError('USAGE', 'the amount must be like 0.10');
    },
  });
  if (amount === '') return;
  io.err('Present a card at the terminal.\n');
  const exit = await pay(
    { socket: SOCKET, device: device.name, amount, reference: 'setup', wait: true, timeout: PAYMENT_S },
    io,
  );
  if (exit === EXIT.done) io.err('To give it back, with the id of that payment: tillctl refund ID\n');
}

/** Only where there is none yet: later ones are added by `tillctl people add`. */
async function firstPerson(
  client: DaemonClient,
  options: FirstSaleOptions,
  { questions, io }: Asking,
): Promise<void> {
  const { value } = await client.call({ path: '/v2/people' }, listOf(Person));
  if (value.data.length > 0) return;
  // As `tillctl` names its caller: without sudo it is root who sets up.
  const user = io.env['SUDO_USER'] || 'root';
  const name = await questions.ask({
    words: 'Your name, as the books shall show it; none: decisions carry no checked name',
    otherwise: '',
    given: options.person,
    read: (answer) => {
      const [issue] = answer === '' ? [] : (AddPerson.shape.name.safeParse(answer).error?.issues ?? []);
      if (issue) throw new AppError('USAGE', `the name ${issue.message}`);
      return answer;
    },
  });
  if (name === '') return;
  const body = { name, role: 'ops', system_user: user };
  await client.call({ method: 'POST', path: '/v2/people', body }, dataOf(Person));
  const asked = { method: 'POST', path: '/v2/sign-in-codes', body: { person: name } } as const;
  const { code, url } = (await client.call(asked, dataOf(SignInCode))).value.data;
  io.err(
    `${plain(name)} signs in at ${url.replace('127.0.0.1', 'localhost')} with the code ${code.slice(0, 4)} ${code.slice(4)}, within five minutes. Another one: tillctl sign-in --person "${plain(name)}"\n`,
  );
}

async function statusOf(client: DaemonClient): Promise<Status | null> {
  try {
    return (await client.call({ path: '/v2/status' }, dataOf(Status))).value.data;
  } catch {
    return null;
  }
}

/** @returns whether it came true in time. @throws SETUP_FAILED with `failure`, where there is one */
async function until(ms: number, holds: () => Promise<boolean>, failure: string | null): Promise<boolean> {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt) {
    if (await holds()) return true;
    await sleep(LOOK_MS);
  }
  if (failure !== null) throw new AppError('SETUP_FAILED', failure);
  return false;
}
