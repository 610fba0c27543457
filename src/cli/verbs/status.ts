import { dataOf } from '../../api/contract/primitives.ts';
import { Status } from '../../api/contract/status.ts';
import { counted } from '../../base/counted.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { moment } from '../show/moment.ts';
import { facts } from '../show/table.ts';
import { deviceTable } from './devices.ts';

/** `tillctl status` */
export async function status(options: GlobalOptions, io: Io): Promise<ExitCode> {
  const { body, value } = await connect(options, io).call({ path: '/v2/status' }, dataOf(Status));
  if (options.json) printDocument(io, body);
  else io.out(statusText(value.data));
  return EXIT.done;
}

function statusText(now: Status): string {
  const oldest = now.outbox.oldest_at === null ? '' : `, the oldest of ${moment(now.outbox.oldest_at)}`;
  const summary = facts([
    ['version', `${now.version}, ${now.environment}`],
    ['can sell', yesNo(now.can_sell)],
    ['can report', yesNo(now.can_report)],
    ['is fresh', yesNo(now.is_fresh)],
    ['interface', now.urls.local],
    ['in the network', now.urls.lan],
    ['sandbox', now.urls.sandbox],
    ['socket', now.urls.socket],
    ['service', serviceText(now.link)],
    ['to report', `${now.outbox.pending} pending${oldest}, ${now.outbox.parked} parked`],
    ['upgrade', upgradeText(now.upgrade)],
    ...now.reasons.map((reason) => ['because', `${reason.message} (${reason.code})`] as const),
  ]);
  return now.terminals.length === 0 ? summary : `${summary}\n${deviceTable(now.terminals)}`;
}

function serviceText({ state, reason, environment, clock_skew_ms: skew }: Status['link']): string {
  const where = environment === null ? state : `${state} (${environment})`;
  const clock =
    skew !== null && Math.abs(skew) > 30_000 ? `; its clock is ${Math.round(skew / 1000)} s from ours` : '';
  return `${where}${reason === null ? '' : `: ${reason}`}${clock}`;
}

function upgradeText(upgrade: Status['upgrade']): string | null {
  if (upgrade === null) return null;
  return `${upgrade.done} of ${counted(upgrade.total, 'older payment', 'older payments')}; the shop sells meanwhile`;
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'NO';
}
