import type { Health, Status } from '../api/contract/status.ts';
import type { Clock } from '../base/clock.ts';
import type { Heartbeat } from '../base/heartbeat.ts';
import type { Log } from '../base/log.ts';
import { EventLoopHeartbeat } from '../runtime/event-loop-heartbeat.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { ServiceManager } from '../runtime/service-manager.ts';
import { Watchdog } from '../runtime/watchdog.ts';
import type { Database } from '../store/database.ts';
import { journalSign } from '../store/journal/journal-sign.ts';

export interface WatchDeps {
  readonly manager: ServiceManager;
  readonly database: Database;
  readonly queues: { signs(): readonly Heartbeat[] };
  readonly health: () => Health;
  readonly upgrade: () => Status['upgrade'];
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** Reports to the service manager that tilld is ready, and from then on the heartbeats of journal, event loop and every terminal's supervisor. */
export function showHeartbeats({
  manager,
  database,
  queues,
  health,
  upgrade,
  clock,
  log,
  lifecycle,
}: WatchDeps): void {
  const status = () => `STATUS=${inWords(health(), upgrade())}` as const;
  void manager.notify('READY=1', status());
  if (manager.timeLimitMs === null) return;
  const loop = new EventLoopHeartbeat(clock);
  const watchdog = new Watchdog({
    timeLimitMs: manager.timeLimitMs,
    parts: [journalSign(database, clock), loop, ...queues.signs()],
    feed: () => void manager.notify('WATCHDOG=1', status()),
    clock,
    log,
  });
  loop.start();
  watchdog.start();
  lifecycle.started('watchdog', () => {
    watchdog.stop();
    loop.stop();
  });
}

/** The text that `systemctl status` shows. */
function inWords({ can_sell, can_report, reasons }: Health, upgrade: Status['upgrade']): string {
  const indicators = `${can_sell ? 'can sell' : 'cannot sell'}, ${can_report ? 'can report' : 'cannot report'}`;
  const words = upgrade
    ? `${indicators}, upgrade of ${upgrade.done}/${upgrade.total} older payments`
    : indicators;
  const [first] = reasons;
  return first ? `${words}: ${first.message}` : words;
}
