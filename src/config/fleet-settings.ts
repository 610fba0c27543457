import { isObject, merged } from './merge.ts';
import type { Problem } from './problem.ts';
import type { Config } from './schema.ts';

type Settings = Readonly<Record<string, unknown>>;

/** A configuration with the settings of a fleet over it. */
export interface WithSettings {
  readonly value: unknown;
  /** What the settings name and this shop has not. */
  readonly problems: readonly Problem[];
}

/**
 * Puts settings of a fleet over the value of the shop's own files. They change what is there: an integration, a device or a service that the shop has not is a
 * problem, never a new one. `devices` are named by their ids.
 */
export function withSettings(own: unknown, { devices = {}, ...settings }: Settings): WithSettings {
  if (!isObject(own) || (Object.keys(settings).length === 0 && Object.keys(Object(devices)).length === 0))
    return { value: own, problems: [] };
  const problems: Problem[] = [];
  if (settings['service'] !== undefined && !isObject(own['service']))
    problems.push({ path: ['service'], message: 'is set by the fleet, and this shop has no service' });
  const there = isObject(own['integrations']) ? own['integrations'] : {};
  for (const name of Object.keys(Object(settings['integrations'])))
    if (!isObject(there[name]))
      problems.push({
        path: ['integrations', name],
        message: 'is set by the fleet, and this shop has it not',
      });
  const list = Array.isArray(own['devices']) ? own['devices'] : [];
  const wanted = new Map(Object.entries(Object(devices)).map(([id, device]) => [id.toLowerCase(), device]));
  const changed = list.map((device: unknown) => {
    const id = isObject(device) ? String(device['id']).toLowerCase() : '';
    const over = wanted.get(id);
    wanted.delete(id);
    return over === undefined ? device : merged([device, over]);
  });
  for (const id of wanted.keys())
    problems.push({
      path: ['devices'],
      message: `${id} is set by the fleet, and this shop has no such device`,
    });
  return { value: { ...Object(merged([own, settings])), devices: changed }, problems };
}

/** What of a configuration a fleet may set, as it is: to see whether a person has changed it. */
export function settable(config: Config): unknown {
  const { language, log, retention, heartbeat_ms, service, integrations, mirror, devices } = config;
  const { poll_interval_ms, requests_per_minute, burst } = service ?? {};
  return {
    language,
    log: log.level,
    retention,
    heartbeat_ms,
    service: { poll_interval_ms, requests_per_minute, burst },
    integrations: Object.entries(integrations).map(([name, integration]) => {
      const { interval_s, quiet_hours, time_zone, schedules, sweep_interval_s, max_errors } =
        integration ?? {};
      return { name, interval_s, quiet_hours, time_zone, schedules, sweep_interval_s, max_errors };
    }),
    mirror,
    devices: devices.map(({ id, link }) => ({
      id,
      port: 'port' in link ? link.port : null,
      connect_timeout_ms: 'connect_timeout_ms' in link ? link.connect_timeout_ms : null,
      heartbeat_ms: 'heartbeat_ms' in link ? link.heartbeat_ms : null,
    })),
  };
}
