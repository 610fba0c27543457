import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { configChanges } from '../config/changes.ts';
import { settable } from '../config/fleet-settings.ts';
import { loadSellingConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { ConfigurationKeeper, type ShopNow } from '../fleet/agent/configuration-keeper.ts';
import { systemClock as clock } from '../runtime/system-clock.ts';
import { isWithin } from '../runtime/timetable.ts';
import { checkConfig } from './check-config.ts';
import type { Agent } from './create-agent.ts';
import type { OpenedDaemon } from './open-daemon.ts';
import { configurationPlace } from './starting-config.ts';
import type { StatusReport } from './status-report.ts';

/** Wires what keeps the configuration of the fleet; nothing is judged before `start()`. */
export function keepConfiguration(
  { own, fleet, command, daemon, folder, config, judging }: OpenedDaemon,
  agent: Pick<Agent, 'queues' | 'drain'>,
  status: Pick<StatusReport, 'health'>,
): ConfigurationKeeper {
  const file = resolve(command.config);
  const ownNow = () => loadSellingConfig(file).config;
  const log = daemon.log.child({ part: 'fleet' });
  if (fleet !== null)
    log.info(
      { revision: fleet.revision, keys: Object.keys(fleet.settings) },
      'settings of the fleet stand over the files of this shop',
    );
  const keeper = new ConfigurationKeeper({
    place: configurationPlace(folder.credentials),
    running: fleet?.revision ?? null,
    check: async (settings) => {
      await checkConfig(file, command.driverPackages, settings);
    },
    ownDigest: () => digestOf(settable(ownNow())),
    editedKeys: () => configChanges(own, ownNow()).needRestart,
    shop: () => shopNow(agent, status),
    drain: agent.drain,
    mayChange: mayChange(config),
    restart: daemon.restart,
    judging,
    clock,
    log,
  });
  daemon.lifecycle.started('configuration of the fleet', () => keeper.stop());
  return keeper;
}

function shopNow(
  { queues, drain }: Pick<Agent, 'queues' | 'drain'>,
  status: Pick<StatusReport, 'health'>,
): ShopNow {
  const devices = queues.list();
  const idOf = ({ device }: (typeof devices)[number]) => device.id;
  return {
    canSell: drain.isHeld || status.health().can_sell,
    answering: devices
      .filter((view) => view.isConnected && ['ready', 'busy', 'recovering'].includes(view.status))
      .map(idOf),
    inDoubt: devices.filter(({ inDoubtAttemptId }) => inDoubtAttemptId !== null).map(idOf),
    isBusy: drain.view().busy.length > 0,
  };
}

function mayChange({ fleet: { window, time_zone: timeZone } }: Config): (at: number) => boolean {
  return (at) => window === undefined || isWithin(window, at, timeZone);
}

/** Letters alone: words that leave the shop lose what mixes them with digits. */
function digestOf(value: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
  return [...hex].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('');
}
