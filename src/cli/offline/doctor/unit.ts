import { join } from 'node:path';
import { type CheckResult, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';
import { type Machine, namesIn, textOf } from './machine.ts';

const UNIT = 'tilld.service';
/** The sockets that systemd holds for tilld. */
export const SOCKET_UNIT = 'tilld.socket';
/** Without these an intruder in tilld gets further; the shipped unit has them all. */
const HARDENING = [
  ['NoNewPrivileges', /^(yes|true|1|on)$/i],
  ['ProtectSystem', /^strict$/i],
  ['ProtectHome', /^(yes|true|1|on|tmpfs)$/i],
  ['PrivateTmp', /^(yes|true|1|on|disconnected)$/i],
  ['CapabilityBoundingSet', /^$/],
  ['RestrictAddressFamilies', /AF_UNIX/],
  ['SystemCallFilter', /\S/],
] as const;
const RESTORE_UNIT =
  'apt-get install --reinstall tilld, then: systemctl daemon-reload && systemctl restart tilld';

/** The unit that starts tilld, with its drop-ins; no result where systemd does not run it. */
export function checkUnit({ machine, configuration, files }: DiagnosticContext): readonly CheckResult[] {
  const found = unitText(machine);
  if (found === null) return [ok('unit', 'systemd knows no tilld on this machine')];
  const unit = settingsIn(found);
  const last = (name: string) => unit.get(name)?.at(-1) ?? '';
  return [
    notifyFinding(last('Type'), last('WatchdogSec')),
    restartFinding(last('Restart')),
    socketFinding(machine),
    hardeningFinding(unit),
    userFinding(last('User'), last('DynamicUser')),
    enabledFinding(machine),
    devicesFinding(unit, configuration.config?.devices.map(({ link }) => link.type) ?? []),
    folderFinding(last('ExecStart'), last('StateDirectory'), files.folder),
  ];
}

/** The strongest unit file with its drop-ins in their order; null: there is none. */
function unitText({ units }: Machine): string | null {
  const base = units.map((folder) => textOf(join(folder, UNIT))).find((text) => text !== null);
  if (base === undefined) return null;
  const names = new Map<string, string>();
  for (const folder of units.toReversed())
    for (const name of namesIn(join(folder, `${UNIT}.d`)))
      if (name.endsWith('.conf')) names.set(name, join(folder, `${UNIT}.d`, name));
  const dropIns = [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => textOf(path) ?? '');
  return [base, ...dropIns].join('\n');
}

/** Every value of every setting, in their order; an empty one resets those before it (systemd.syntax(7)). */
function settingsIn(text: string): ReadonlyMap<string, readonly string[]> {
  const settings = new Map<string, string[]>();
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const [, name, value] = /^\s*([A-Z][A-Za-z]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    settings.set(name, value === '' ? [''] : [...(settings.get(name) ?? []), value]);
  }
  return settings;
}

function notifyFinding(type: string, watchdog: string): CheckResult {
  const id = 'unit-notify';
  const lacks = [
    ...(/^notify/.test(type) ? [] : ['Type=notify']),
    ...(watchdog === '' || watchdog === '0' ? ['WatchdogSec=30'] : []),
  ];
  if (lacks.length === 0) return ok(id, 'systemd learns when tilld is ready, and notices when it hangs');
  return warn(id, {
    what: `the unit of tilld has no ${lacks.join(' and no ')}`,
    why: 'systemd believes it ready before it is, or does not notice that it hangs',
    fix: RESTORE_UNIT,
  });
}

function restartFinding(restart: string): CheckResult {
  const id = 'unit-restart';
  if (/^(on-failure|always|on-abnormal)$/.test(restart))
    return ok(id, 'systemd starts tilld again after a crash');
  return warn(id, {
    what: `the unit of tilld says Restart=${restart === '' ? 'no' : restart}`,
    why: 'after a crash it stays down until a person comes',
    fix: 'systemctl edit tilld (Restart=always), then: systemctl daemon-reload',
  });
}

function hardeningFinding(unit: ReadonlyMap<string, readonly string[]>): CheckResult {
  const id = 'unit-hardening';
  const lacks = HARDENING.filter(
    ([name, wanted]) => !(unit.get(name) ?? ['(none)']).some((value) => wanted.test(value)),
  ).map(([name]) => name);
  if (lacks.length === 0) return ok(id, 'the unit keeps tilld from the rest of the machine');
  return warn(id, {
    what: `the unit of tilld lacks ${lacks.join(', ')}`,
    why: 'an intruder in tilld gets at the rest of this machine',
    fix: `systemd-analyze security tilld shows all of it; ${RESTORE_UNIT}`,
  });
}

function userFinding(user: string, dynamic: string): CheckResult {
  const id = 'unit-user';
  if ((user !== '' && user !== 'root' && user !== '0') || /^(yes|true|1|on)$/i.test(dynamic))
    return ok(id, `tilld runs as ${user === '' ? 'a user of its own' : user}`);
  return warn(id, {
    what: 'the unit runs tilld as root',
    why: 'tilld needs no right of root: a fault in it would be one of the whole machine',
    fix: 'systemctl edit tilld (User=tilld, Group=tilld), then: chown -R tilld:tilld /var/lib/tilld && systemctl restart tilld',
  });
}

function enabledFinding({ units }: Machine): CheckResult {
  const id = 'unit-enabled';
  if (isWanted(UNIT, units)) return ok(id, 'tilld starts with the machine');
  return warn(id, {
    what: 'the unit of tilld is not enabled',
    why: 'after a power cut the shop cannot sell until a person starts it',
    fix: 'systemctl enable --now tilld',
  });
}

/** Whether it starts with the machine. */
export function isWanted(unit: string, units: Machine['units']): boolean {
  return units.some((folder) =>
    namesIn(folder).some((name) => name.endsWith('.wants') && namesIn(join(folder, name)).includes(unit)),
  );
}

/** Without it the port is free while tilld is down: any program of this machine may take it, and get the keys of the tills. */
function socketFinding({ units }: Machine): CheckResult {
  const id = 'unit-socket';
  if (isWanted(SOCKET_UNIT, units))
    return ok(id, 'systemd holds the port and the socket while tilld is down');
  return warn(id, {
    what: `${SOCKET_UNIT} is not enabled`,
    why: 'while tilld is down another program of this machine can take its port, get the keys of the tills and answer "paid"',
    fix: `systemctl stop tilld && systemctl enable --now ${SOCKET_UNIT} && systemctl start tilld, while no payment runs`,
  });
}

function devicesFinding(
  unit: ReadonlyMap<string, readonly string[]>,
  links: readonly ('tcp' | 'serial' | 'hid' | 'virtual')[],
): CheckResult {
  const id = 'unit-devices';
  const groups = (unit.get('SupplementaryGroups') ?? []).join(' ').split(/\s+/);
  const isClosed =
    /^(closed|strict)$/.test(unit.get('DevicePolicy')?.at(-1) ?? '') ||
    /^(yes|true|1|on)$/i.test(unit.get('PrivateDevices')?.at(-1) ?? '');
  const isOpen = (name: RegExp) =>
    !isClosed || (unit.get('DeviceAllow') ?? []).some((value) => name.test(value));
  const [hasSerial, hasHid] = [links.includes('serial'), links.includes('hid')];
  const lacks = [
    ...(groups.includes('dialout') ? [] : ['SupplementaryGroups=dialout']),
    ...(hasSerial && !isOpen(/tty/) ? ['DeviceAllow=char-ttyACM rw'] : []),
    ...(hasHid && !isOpen(/hidraw/) ? ['DeviceAllow=char-hidraw rw'] : []),
  ];
  if ((!hasSerial && !hasHid) || lacks.length === 0)
    return ok(id, 'the unit lets tilld use the ports of its terminals');
  return warn(id, {
    what: `a terminal is connected by a cable, and the unit has no ${lacks.join(' and no ')}`,
    why: 'tilld may not open it: nothing can be sold through it',
    fix: `systemctl edit tilld (${lacks.join(', ')}), then: systemctl restart tilld`,
  });
}

/** Another folder than the checked one: two databases. */
function folderFinding(start: string, directory: string, folder: string): CheckResult {
  const id = 'unit-folder';
  const named =
    /--state-dir[= ](\S+)/.exec(start)?.[1] ??
    (directory === '' ? null : `/var/lib/${directory.split(/\s+/)[0]}`);
  if (named === null || named === folder) return ok(id, 'the unit uses this state folder');
  return warn(id, {
    what: `the unit keeps its books in ${named}, and this looked at ${folder}`,
    why: 'what is found here is not said of the tilld that systemd runs',
    fix: `tillctl doctor --state-dir ${named}`,
  });
}
