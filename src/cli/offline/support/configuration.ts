import { isLoopback } from '../../../base/loopback.ts';
import type { Config } from '../../../config/schema.ts';
import type { FoundConfig } from '../state-files.ts';

/**
 * The configuration without anything that people name: no device names, no options of drivers (some hold passwords), no settings of
 * connectors, no paths. Of credentials only their names, which the schema limits to a few small letters.
 */
export function aboutConfig({ config }: FoundConfig) {
  if (!config) return { usable: false };
  const { environment, listen, log, limits, lane, recovery, retention, heartbeat_ms, mirror } = config;
  return {
    usable: true,
    environment,
    listen: { loopback: isLoopback(listen.host), port: listen.port, tls: config.tls !== undefined },
    log: { level: log.level },
    limits,
    lane,
    recovery,
    retention,
    heartbeat_ms,
    service: serviceOf(config),
    devices: config.devices.map(deviceOf),
    integrations: Object.entries(config.integrations).map(([name, section]) => ({
      slot: name,
      ...integrationOf(section),
    })),
    mirror: { lists: mirror.lists, interval_s: mirror.interval_s },
    virtual_terminals: config.sandbox?.terminals.length ?? 0,
  };
}

function serviceOf({ service }: Config) {
  if (!service) return null;
  const { environment, poll_interval_ms, requests_per_minute, burst, create_local } = service;
  return {
    https: service.url?.startsWith('https:') ?? null,
    environment,
    poll_interval_ms,
    requests_per_minute,
    burst,
    create_local,
    has_webhooks: service.webhook_credential !== undefined,
    own_paths: Object.keys(service.paths ?? {}),
  };
}

function deviceOf({
  id,
  driver,
  currency,
  min_amount_minor,
  max_amount_minor,
  ask_above_minor,
  link,
  ...rest
}: Config['devices'][number]) {
  return {
    id,
    driver,
    currency,
    min_amount_minor,
    max_amount_minor: max_amount_minor ?? null,
    ask_above_minor: ask_above_minor ?? null,
    tip: rest.tip,
    late_approval: rest.late_approval,
    partial_approval: rest.partial_approval,
    options: Object.keys(rest.options).length,
    link: linkOf(link),
  };
}

function linkOf(link: Config['devices'][number]['link']) {
  switch (link.type) {
    case 'tcp':
      return { type: link.type, port: link.port ?? null, connect_timeout_ms: link.connect_timeout_ms };
    case 'serial':
      return {
        type: link.type,
        by: link.usb ? 'usb' : link.path === 'auto' ? 'auto' : 'path',
        baud_rate: link.baud_rate ?? null,
        data_bits: link.data_bits,
        stop_bits: link.stop_bits ?? null,
        parity: link.parity,
      };
    case 'hid':
      return { type: link.type, by: link.serial ? 'serial' : link.port ? 'port' : 'ids' };
    case 'virtual':
      return { type: link.type };
  }
}

function integrationOf(section: Config['integrations'][keyof Config['integrations']]) {
  if (!section) return { configured: false };
  const { connector, sink, managed_by, interval_s, sweep_interval_s, max_errors, allow_plain_http } = section;
  const { quiet_hours, time_zone, schedules } = section;
  return {
    configured: true,
    connector,
    sink,
    managed_by,
    interval_s,
    quiet_hours: quiet_hours ?? null,
    time_zone: time_zone ?? null,
    schedules,
    sweep_interval_s,
    max_errors,
    allow_plain_http,
  };
}
