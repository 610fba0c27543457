import { setTimeout as pause } from 'node:timers/promises';
import { Drain } from '../../api/contract/drain.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { moment } from '../show/moment.ts';
import { plain } from '../show/plain.ts';

/** Pause between two looks at the terminals. */
const LOOK_MS = 500;

export interface DrainOptions extends GlobalOptions {
  readonly wait?: boolean;
  readonly end?: boolean;
  /** Seconds that the lease is held from its last renewal on. */
  readonly for: number;
  /** Seconds. */
  readonly within: number;
}

/**
 * `tillctl drain [--wait]`, `tillctl drain --end`. With `--wait` the lease is renewed until every terminal is idle: when this command is killed it
 * ends soon. Not idle in time: the lease is given back.
 */
export async function drain(options: DrainOptions, io: Io): Promise<ExitCode> {
  if (options.wait && options.end) throw new AppError('USAGE', 'use --wait or --end, not both');
  const client = connect(options, io);
  const call = { method: options.end ? 'DELETE' : 'PUT', path: '/v2/drain' } as const;
  const body = options.end ? {} : { body: { seconds: options.for } };
  const until = performance.now() + options.within * 1000;
  for (;;) {
    const answer = await client.call({ ...call, ...body }, dataOf(Drain));
    const { idle } = answer.value.data;
    if (options.wait && !idle && performance.now() < until) {
      await pause(LOOK_MS);
      continue;
    }
    const inTime = !options.wait || idle;
    const last = inTime ? answer : await client.call({ method: 'DELETE', path: '/v2/drain' }, dataOf(Drain));
    if (options.json) printDocument(io, last.body);
    else io.out(words(last.value.data, inTime, options));
    return inTime ? EXIT.done : EXIT.notIdle;
  }
}

function words({ ends_at, idle, busy }: Drain, inTime: boolean, { within }: DrainOptions): string {
  const names = busy.map(({ name }) => plain(name)).join(', ');
  if (!inTime)
    return `${names}: not idle within ${within} s. The drain is ended, and payments are taken again.\n`;
  const state = idle ? 'every terminal is idle' : `not idle yet: ${names}`;
  return ends_at === null
    ? `Payments are taken; ${state}.\n`
    : `Nothing new begins until ${moment(ends_at)}; ${state}.\n`;
}
