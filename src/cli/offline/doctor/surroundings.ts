import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';
import { textOf } from './machine.ts';

const FIRST_PLAUSIBLE = Date.UTC(2026, 0, 1);
const LAST_PLAUSIBLE = Date.UTC(2100, 0, 1);
const TOLERATED_MS = 60_000;
const FAILING_MS = 3_600_000;
const MEBIBYTE = 1_048_576;
const OLDEST_NODE = 24;
const ARCHITECTURES = ['x64', 'arm64'];
/** tilld takes about 115 MiB, a long sync up to 190; the check of a large database briefly takes more. */
const MEMORY = { least: 192 * MEBIBYTE, comfortable: 320 * MEBIBYTE } as const;
/** 256 connections at each of two listeners, the terminals, and the files. */
const FILES = { least: 256, comfortable: 1024 } as const;

/** A clock that lost its time makes fresh work look stale, and the reverse. */
export function checkClock({ now }: Pick<DiagnosticContext, 'now'>, newestRowAt: number | null): CheckResult {
  const id = 'clock';
  const trouble = {
    why: 'the age of work, and what was sold a moment ago, are judged by this clock',
    fix: 'set the clock, or let it be set: timedatectl set-ntp true',
  };
  const says = new Date(now).toISOString();
  if (now < FIRST_PLAUSIBLE)
    return fail(id, { what: `the clock says ${says}: it has lost the time`, ...trouble });
  if (now > LAST_PLAUSIBLE) return fail(id, { what: `the clock says ${says}: that is too late`, ...trouble });
  if (newestRowAt === null || newestRowAt - now <= TOLERATED_MS) return ok(id, `the clock says ${says}`);
  const newest = new Date(newestRowAt).toISOString();
  const what = `the clock says ${says}, but the newest entry of the journal was made at ${newest}`;
  return newestRowAt - now > FAILING_MS ? fail(id, { what, ...trouble }) : warn(id, { what, ...trouble });
}

/** Scheduled jobs run by local time, and receipts show it. */
export function checkTimeZone({ machine, io }: Pick<DiagnosticContext, 'machine' | 'io'>): CheckResult {
  const id = 'time-zone';
  const trouble = {
    why: 'the times on receipts and in the log of this shop are UTC, and scheduled jobs run by them',
    fix: 'timedatectl set-timezone Europe/Berlin (the zone of the shop), then: systemctl restart tilld',
  };
  const named = io.env['TZ'];
  if (named !== undefined && named !== '') {
    if (isZone(named.replace(/^:/, ''))) return ok(id, `the time zone is ${named}`);
    return warn(id, { what: `TZ is "${named}", which is no time zone`, ...trouble });
  }
  if (existsSync(join(machine.etc, 'localtime'))) return ok(id, 'this machine knows its time zone');
  return warn(id, { what: `this machine has no time zone (${join(machine.etc, 'localtime')})`, ...trouble });
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** The program that runs tilld, and its resource limits. */
export function checkRuntime(context: Pick<DiagnosticContext, 'machine' | 'holder'>): readonly CheckResult[] {
  return [nodeFinding(context), memoryFinding(context), filesFinding(context)];
}

function nodeFinding({ machine }: Pick<DiagnosticContext, 'machine'>): CheckResult {
  const id = 'node';
  const { nodeVersion, architecture } = machine;
  const fix = 'apt-get install --reinstall tilld (it brings its own), or from a checkout: npm ci';
  if (Number.parseInt(nodeVersion, 10) < OLDEST_NODE)
    return fail(id, {
      what: `this is Node ${nodeVersion}, tilld needs ${OLDEST_NODE} or later`,
      why: 'tilld does not start with it, or fails in the middle',
      fix,
    });
  if (ARCHITECTURES.includes(architecture)) return ok(id, `Node ${nodeVersion} on ${architecture}`);
  return warn(id, {
    what: `Node runs on ${architecture}; tilld is built and tested for ${ARCHITECTURES.join(' and ')}`,
    why: 'its database has no tested binary there',
    fix: `on a 64-bit machine with a 32-bit system, install the 64-bit one, then: ${fix}`,
  });
}

function memoryFinding({ machine }: Pick<DiagnosticContext, 'machine'>): CheckResult {
  const id = 'memory';
  const limit = limitOf(machine.cgroup);
  const bytes = Math.min(machine.memory, limit ?? Number.POSITIVE_INFINITY);
  const what = `tilld may use ${Math.floor(bytes / MEBIBYTE)} MiB of memory${limit !== null && limit < machine.memory ? ' (limit of its group)' : ''}`;
  const trouble = {
    what,
    why: 'the system ends what takes more, in the middle of a payment, too',
    fix: 'raise the limit: systemctl edit tilld (MemoryMax=512M), then: systemctl restart tilld',
  };
  if (bytes < MEMORY.least) return fail(id, trouble);
  return bytes < MEMORY.comfortable ? warn(id, trouble) : ok(id, what);
}

/** Bytes; null: no limit, or none that is visible. */
function limitOf(cgroup: string): number | null {
  const group = textOf(join(cgroup, 'system.slice/tilld.service/memory.max'));
  const bytes = Number(group?.trim() ?? Number.NaN);
  return Number.isFinite(bytes) ? bytes : null;
}

/** Of the running daemon; of this command where none runs. */
function filesFinding({ machine, holder }: Pick<DiagnosticContext, 'machine' | 'holder'>): CheckResult {
  const id = 'open-files';
  const found = holder();
  const pid = found.kind === 'alive' ? String(found.pid) : 'self';
  const row = /^Max open files\s+(\d+|unlimited)/m.exec(textOf(join(machine.proc, pid, 'limits')) ?? '')?.[1];
  if (row === undefined) return ok(id, 'the system does not show how many files may be open');
  const most = row === 'unlimited' ? Number.POSITIVE_INFINITY : Number(row);
  const what = `${row} files and connections may be open at once`;
  const trouble = {
    what,
    why: 'tills, terminals and the books share them: the next till would be refused',
    fix: 'systemctl edit tilld (LimitNOFILE=4096), then: systemctl restart tilld',
  };
  if (most < FILES.least) return fail(id, trouble);
  return most < FILES.comfortable ? warn(id, trouble) : ok(id, what);
}
