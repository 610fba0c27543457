import { dataOf } from '../../../api/contract/primitives.ts';
import { Status } from '../../../api/contract/status.ts';
import { messageOf } from '../../../base/errors.ts';
import { DaemonClient } from '../../client.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import type { Patient } from './patient.ts';

/** What the running daemon says of itself; nothing when none is running or `--offline` says not to ask. */
export async function askDaemon({ options, holder, files }: Patient): Promise<readonly Finding[]> {
  if (options.offline || holder().kind !== 'alive') return [];
  try {
    const client = new DaemonClient(options.socket ?? files.socket);
    const { value } = await client.call({ path: '/v2/status' }, dataOf(Status));
    return [ok('daemon', `tilld ${value.data.version} answers`), ...lights(value.data)];
  } catch (error) {
    const what = `tilld is running and does not answer: ${messageOf(error)}`;
    return [
      fail('daemon', {
        what,
        why: 'nothing can be sold through it',
        fix: 'wait for a payment that runs to end at its terminal, then: systemctl restart tilld',
      }),
    ];
  }
}

/** The service's clock decides how old its work is; ours, what is written down. */
function clockFinding({ clock_skew_ms: skew }: Status['link']): readonly Finding[] {
  if (skew === null) return [];
  const seconds = Math.round(skew / 1000);
  if (Math.abs(skew) <= 30_000)
    return [ok('service-clock', `the service and this machine agree about the time (${seconds} s)`)];
  return [
    warn('service-clock', {
      what: `the clock of the service is ${Math.abs(seconds)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`,
      why: 'one of them is wrong: times in reports and receipts do not fit each other',
      fix: 'set the clock, or let it be set: timedatectl set-ntp true',
    }),
  ];
}

function lights(status: Status): readonly Finding[] {
  const reasons = status.reasons.map(({ message }) => message).join('; ');
  const look = 'tillctl status, tillctl devices';
  const because = (what: string) => (reasons === '' ? what : `${what}: ${reasons}`);
  return [
    status.can_sell
      ? ok('can-sell', 'it can sell')
      : fail('can-sell', { what: because('it cannot sell'), why: 'no terminal is ready', fix: look }),
    status.can_report
      ? ok('can-report', 'it can report to the service')
      : warn('can-report', {
          what: because('it cannot report to the service'),
          why: 'outcomes wait here until it can; nothing is lost, and the shop sells on',
          fix: look,
        }),
    ...clockFinding(status.link),
  ];
}
