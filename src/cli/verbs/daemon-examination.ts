import { setTimeout as pause } from 'node:timers/promises';
import { Examination } from '../../api/contract/examination.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import type { GlobalOptions, Io } from '../io.ts';

const PATH = '/v2/doctor';
const LOOK_MS = 500;

/**
 * The findings of the daemon that `--socket` names: it examines its own folder and configuration, which only it knows. Waits until it is done.
 * @throws NO_DAEMON, REFUSED; EXAMINATION_FAILED where it could not be examined
 */
export async function daemonExamination(options: GlobalOptions, io: Io): Promise<Examination['findings']> {
  const client = connect(options, io);
  let { data } = (await client.call({ method: 'POST', path: PATH }, dataOf(Examination))).value;
  while (data.state === 'running') {
    await pause(LOOK_MS);
    ({ data } = (await client.call({ path: PATH }, dataOf(Examination))).value);
  }
  if (data.state === 'done') return data.findings;
  throw new AppError(
    'EXAMINATION_FAILED',
    `tilld could not examine itself: ${data.failure ?? 'it was restarted meanwhile'}. Next: as its user, on its machine: \`tillctl doctor --state-dir DIR --config FILE\``,
  );
}
