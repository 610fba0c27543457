import { dataOf } from '../../../api/contract/primitives.ts';
import { Status } from '../../../api/contract/status.ts';
import { messageOf } from '../../../base/errors.ts';
import { DaemonClient } from '../../client.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';
import { clockFinding } from './service-answer.ts';
import { terminalFindings } from './terminals.ts';

/** The running daemon's own status; nothing when none is running or with `--offline`. */
export async function askDaemon({
  options,
  holder,
  files,
  configuration,
}: DiagnosticContext): Promise<readonly CheckResult[]> {
  if (options.offline || holder().kind !== 'alive') return [];
  try {
    const client = new DaemonClient(options.socket ?? files.socket);
    const { value } = await client.call({ path: '/v2/status' }, dataOf(Status));
    return [
      ok('daemon', `tilld ${value.data.version} answers`),
      ...indicatorResults(value.data, configuration.config?.service?.url),
    ];
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

function indicatorResults(status: Status, url: string | undefined): readonly CheckResult[] {
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
    ...(url === undefined ? clockFinding(status.link.clock_skew_ms) : []),
    ...ownClockFinding(status),
    ...terminalFindings(status.terminals),
    ...freshFinding(status, reasons),
  ];
}

/** Another check reports a clock that contradicts the service's. */
function ownClockFinding({ reasons, link }: Status): readonly CheckResult[] {
  const wrong = reasons.find(({ code }) => code === 'clock_wrong');
  if (!wrong || link.clock_skew_ms !== null) return [];
  return [
    warn('clock', {
      what: wrong.message.replace(/\. .*$/s, ''),
      why: 'times in lists, receipts and reports may be wrong; guards against a second charge do not go by it',
      fix: 'look at the time of this machine, then let it be set: timedatectl set-ntp true',
    }),
  ];
}

function freshFinding({ is_fresh: isFresh }: Status, reasons: string): readonly CheckResult[] {
  if (isFresh) return [ok('is-fresh', 'what it mirrors is fresh')];
  return [
    warn('is-fresh', {
      what: `what it mirrors is not fresh: ${reasons}`,
      why: 'what the service and this shop know of their sources grows old; payments do not need it',
      fix: 'tillctl integrations',
    }),
  ];
}
