import { isLoopback } from '../base/loopback.ts';
import type { Problem } from './problem.ts';
import type { Config } from './schema.ts';

type SerialLink = Extract<Config['devices'][number]['link'], { type: 'serial' }>;

/** Shortest settle time of any supported protocol; below it "not charged" would be a guess. */
const SHORTEST_SETTLE_MS = 20_000;

/** Rules across keys, which the schema cannot express: names that must exist, be unique or fit each other. */
export function crossProblems(config: Config): Problem[] {
  return [
    ...listenProblems(config),
    ...recoveryProblems(config),
    ...serviceProblems(config),
    ...integrationProblems(config),
    ...deviceProblems(config),
    ...linkProblems(config),
    ...sandboxProblems(config),
  ];
}

function listenProblems(config: Config): Problem[] {
  const { host, port, lan, webhooks } = config.listen;
  const problems: Problem[] = [];
  if (!isLoopback(host) && !config.tls) {
    const message = `${host} is beyond loopback: add "tls", or listen on 127.0.0.1`;
    problems.push({ path: ['listen', 'host'], message });
  }
  if (lan && lan.port !== 0 && lan.port === port)
    problems.push({ path: ['listen', 'lan', 'port'], message: 'is the port of the local interface' });
  if (webhooks && !isLoopback(webhooks.host) && !config.tls) {
    const message = `${webhooks.host} is beyond loopback: add "tls", or listen on 127.0.0.1`;
    problems.push({ path: ['listen', 'webhooks', 'host'], message });
  }
  if (webhooks && webhooks.port !== 0 && [port, lan?.port].includes(webhooks.port)) {
    const message = 'is the port of the local interface, which must not be exposed with it';
    problems.push({ path: ['listen', 'webhooks', 'port'], message });
  }
  return problems;
}

function recoveryProblems({ environment, lane, recovery }: Config): Problem[] {
  const problems: Problem[] = [];
  if (environment === 'live' && recovery.settle_ms !== undefined && recovery.settle_ms < SHORTEST_SETTLE_MS) {
    const message = `must be at least ${SHORTEST_SETTLE_MS} in "live": sooner, "not charged" would be a guess`;
    problems.push({ path: ['recovery', 'settle_ms'], message });
  }
  if (recovery.ask_person_after_ms > recovery.give_up_ms) {
    problems.push({
      path: ['recovery', 'ask_person_after_ms'],
      message: 'must not be later than give_up_ms',
    });
  }
  if (lane.wait_ms > lane.max_age_ms) {
    problems.push({ path: ['lane', 'wait_ms'], message: 'must not be longer than max_age_ms' });
  }
  return problems;
}

function serviceProblems(config: Config): Problem[] {
  const { service, sandbox } = config;
  if (!service) return [];
  if (service.url === undefined) {
    if (sandbox?.service) return environmentProblems(config, '');
    return [
      { path: ['service', 'url'], message: 'is missing, and there is no "sandbox.service" to talk to' },
    ];
  }
  const url = new URL(service.url);
  const problems: Problem[] = [];
  const path = ['service', 'url'];
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    problems.push({ path, message: 'must begin with https://: the API key travels with every request' });
  }
  if (url.username || url.password)
    problems.push({ path, message: 'must not hold a user name or a password' });
  if (url.search || url.hash) problems.push({ path, message: 'must not hold a query or a fragment' });
  if (/\/v\d+\/?$/.test(url.pathname))
    problems.push({ path, message: 'must not end with the version (/v2)' });
  return [...problems, ...environmentProblems(config, url.hostname)];
}

/** Real money goes to the live service only, and only from a live shop; a host name that names another environment counts. */
function environmentProblems({ environment, service }: Config, hostname: string): Problem[] {
  const theirs = service?.environment ?? environment;
  const path = ['service', service?.environment === undefined ? 'url' : 'environment'];
  if ((environment === 'live') !== (theirs === 'live')) {
    const message = `must ${environment === 'live' ? '' : 'not '}be "live", because "environment" is "${environment}"`;
    return [{ path, message }];
  }
  const named = ['sandbox', 'staging', 'mock'].find((word) => hostname.split(/[.-]/).includes(word));
  if (named === undefined || named === theirs) return [];
  return [{ path, message: `is "${theirs}", but the address names itself ${named}` }];
}

/** Checks of an integration that need no connector. */
function integrationProblems({ integrations, service }: Config): Problem[] {
  return Object.entries(integrations).flatMap(([name, integration]): Problem[] => {
    if (integration === undefined || service) return [];
    const at = (key: string, why: string) => ({ path: ['integrations', name, key], message: why });
    if (integration.connector === 'service')
      return [at('connector', 'is "service", but there is no "service" section')];
    if (integration.managed_by === 'service')
      return [at('managed_by', 'is "service", but there is no "service" section')];
    if (integration.sink === 'service' && integration.connector !== 'terminal')
      return [
        at('sink', 'is "service", but there is no "service" section: set "mirror", or add the service'),
      ];
    return [];
  });
}

function deviceProblems({ devices }: Config): Problem[] {
  const problems = [
    ...repeated(devices, 'devices', 'id', (device) => device.id),
    ...repeated(devices, 'devices', 'name', (device) => device.name),
    ...repeated(devices, 'devices', 'link', ({ link }) => {
      if (link.type === 'tcp') return `tcp ${link.host}:${link.port ?? ''}`;
      if (link.type === 'virtual') return `virtual ${link.terminal}`;
      return link.type === 'hid' ? usbName(link) : portName(link);
    }),
  ];
  devices.forEach((device, index) => {
    if (device.max_amount_minor !== undefined && device.max_amount_minor < device.min_amount_minor) {
      problems.push({
        path: ['devices', index, 'max_amount_minor'],
        message: 'must not be less than min_amount_minor',
      });
    }
  });
  return problems;
}

/** A port that only one device can have; several devices may search for their terminals among the same kind of ports. */
function portName({ path, usb }: SerialLink): string | undefined {
  if (usb) return usbName(usb);
  return path === 'auto' ? undefined : path;
}

/** Undefined: its ids alone do not name one device. */
function usbName({
  vendor,
  product,
  serial = '',
  port = '',
}: NonNullable<SerialLink['usb']>): string | undefined {
  return serial === '' && port === '' ? undefined : `usb ${vendor}:${product} ${serial} ${port}`;
}

function linkProblems({ devices, sandbox }: Config): Problem[] {
  return devices.flatMap(({ link, driver }, index): Problem[] => {
    if (link.type !== 'virtual') return [];
    const terminal = sandbox?.terminals.find((candidate) => candidate.name === link.terminal);
    if (!terminal) {
      const path = ['devices', index, 'link', 'terminal'];
      return [{ path, message: `names "${link.terminal}", which is not in "sandbox.terminals"` }];
    }
    if (terminal.protocol === driver) return [];
    const message = `is "${driver}", but the virtual terminal "${terminal.name}" speaks "${terminal.protocol}"`;
    return [{ path: ['devices', index, 'driver'], message }];
  });
}

function sandboxProviderProblems({ sandbox, listen, integrations }: Config): Problem[] {
  const problems: Problem[] = [];
  const { host, port } = sandbox?.provider?.listen ?? { host: '127.0.0.1', port: 0 };
  const path = ['sandbox', 'provider', 'listen'];
  if (!isLoopback(host)) problems.push({ path: [...path, 'host'], message: 'must be a loopback address' });
  const taken = [listen.port, sandbox?.service?.listen.port];
  if (port !== 0 && taken.includes(port))
    problems.push({
      path: [...path, 'port'],
      message: 'is the port of the local interface or of the service',
    });
  for (const [at, name] of (sandbox?.activated ?? []).entries()) {
    const place = ['sandbox', 'activated', at];
    const connector = integrations[name]?.connector;
    if (connector === undefined)
      problems.push({ path: place, message: `names ${name}, which has no connector` });
    if (connector === 'rest' && !sandbox?.provider)
      problems.push({ path: place, message: `names ${name}, and there is no "sandbox.provider" for it` });
  }
  return problems;
}

function sandboxProblems(config: Config): Problem[] {
  const { environment, sandbox, listen } = config;
  if (!sandbox) return [];
  const problems: Problem[] = [];
  if (environment !== 'sandbox') {
    problems.push({ path: ['sandbox'], message: 'is allowed only with "environment": "sandbox"' });
  }
  if (sandbox.service && !isLoopback(sandbox.service.listen.host)) {
    problems.push({ path: ['sandbox', 'service', 'listen', 'host'], message: 'must be a loopback address' });
  }
  if (sandbox.service && listen.port !== 0 && sandbox.service.listen.port === listen.port) {
    problems.push({
      path: ['sandbox', 'service', 'listen', 'port'],
      message: 'is the port of the local interface',
    });
  }
  problems.push(...sandboxProviderProblems(config));
  problems.push(...repeated(sandbox.terminals, 'sandbox.terminals', 'name', (terminal) => terminal.name));
  problems.push(...repeated(sandbox.terminals, 'sandbox.terminals', 'serial', (terminal) => terminal.serial));
  const fixed = (terminal: (typeof sandbox.terminals)[number]) =>
    terminal.over === 'tcp' && terminal.port !== 0 ? String(terminal.port) : undefined;
  problems.push(...repeated(sandbox.terminals, 'sandbox.terminals', 'port', fixed));
  return problems;
}

function repeated<T>(
  items: readonly T[],
  list: string,
  key: string,
  of: (item: T) => string | undefined,
): Problem[] {
  const first = new Map<string, number>();
  return items.flatMap((item, index): Problem[] => {
    const value = of(item)?.toLowerCase();
    if (value === undefined) return [];
    const earlier = first.get(value);
    if (earlier === undefined) {
      first.set(value, index);
      return [];
    }
    return [
      { path: [...list.split('.'), index, key], message: `is the same as that of ${list}[${earlier}]` },
    ];
  });
}
