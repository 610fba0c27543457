import { z } from 'zod';
import { type VirtualFamily, virtualTerminals } from '../../../../drivers/virtual.ts';
import { AppError } from '../../../base/errors.ts';
import { isLoopback } from '../../../base/loopback.ts';
import { type Currency, isCurrency } from '../../../base/money.ts';
import {
  FAULT_KINDS,
  FAULT_POINTS,
  type Fault,
  KEYS,
  type VirtualTerminalSettings,
} from '../../../sandbox/controllable-terminal.ts';

/** The options of the command line as typed. */
export interface TypedSettings {
  readonly protocol: string;
  readonly listen: string;
  readonly currency?: string;
  readonly serial?: string;
  readonly terminalId?: string;
  readonly autopilot?: string;
  readonly autopilotMs?: number;
  readonly tipPercent?: number;
  readonly missingAcknowledgement?: string;
  readonly fault?: readonly string[];
  readonly option?: readonly string[];
  readonly beyondLoopback?: boolean;
}

/** The listening address of a terminal. `host`: set only when other machines may connect, too. */
export type Endpoint =
  | { readonly over: 'tcp'; readonly port: number; readonly host?: string }
  | { readonly over: 'pty'; readonly path?: string };

/** The validated options. */
export interface Options {
  readonly endpoint: Endpoint;
  readonly family: VirtualFamily;
  /** Changes of the family's own options. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly settings: VirtualTerminalSettings & { readonly currency: Currency };
}

const AUTOPILOTS = [...KEYS, 'off'] as const;
const LOSSES = ['reverse', 'decline', 'keep'] as const;
const CUSTOMER_MS = 1000;
const TIP_PERCENT = 10;

/**
 * Parses the typed options.
 * @throws USAGE that says what is wrong and what is allowed.
 */
export function optionsOf(typed: TypedSettings, atKeys: boolean): Options {
  const family = familyOf(typed.protocol);
  const endpoint = endpointOf(typed.listen, typed.beyondLoopback === true);
  const currency = typed.currency ?? 'EUR';
  if (!isCurrency(currency)) throw usage(`--currency ${quoted(currency)} is no currency like EUR`);
  return {
    endpoint,
    family,
    changes: changesOf(family, typed.option ?? []),
    settings: {
      name: 'virtual',
      protocol: family.protocol,
      over: endpoint.over,
      // Behind a relay for other machines the terminal itself uses any port of this one.
      port: endpoint.over === 'tcp' && endpoint.host === undefined ? endpoint.port : 0,
      currency,
      serial: matching('--serial', typed.serial ?? '17F00001', /^[0-9A-F]{8}$/, '8 hex digits, capitals'),
      terminalId: matching('--terminal-id', typed.terminalId ?? '52500038', /^\d{8}$/, '8 digits'),
      autopilot: word('--autopilot', typed.autopilot ?? (atKeys ? 'off' : 'approve'), AUTOPILOTS),
      autopilotMs: typed.autopilotMs ?? CUSTOMER_MS,
      tipPercent: typed.tipPercent ?? TIP_PERCENT,
      missingAcknowledgement: word(
        '--missing-acknowledgement',
        typed.missingAcknowledgement ?? 'keep',
        LOSSES,
      ),
      faults: (typed.fault ?? []).map(faultOf),
    },
  };
}

/**
 * `WHEN:DO[:MS]`, like `result:cut` or `customer:silence:5000`.
 * @throws USAGE
 */
export function faultOf(text: string): Fault {
  const [when = '', strikes = '', ms, ...more] = text.split(':');
  if (more.length > 0 || strikes === '') throw usage(`a fault is WHEN:DO or WHEN:DO:MS, not ${quoted(text)}`);
  const length = ms === undefined ? {} : { ms: wholeMs(ms, text) };
  return {
    when: word('WHEN of a fault', when, FAULT_POINTS),
    do: word('DO of a fault', strikes, FAULT_KINDS),
    ...length,
  };
}

/** One of `words`. @throws USAGE that names them */
export function word<const Word extends string>(what: string, text: string, words: readonly Word[]): Word {
  const found = words.find((candidate) => candidate === text);
  if (found === undefined) throw usage(`${what} must be one of ${words.join(', ')}, not ${quoted(text)}`);
  return found;
}

export function usage(message: string): AppError {
  return new AppError('USAGE', message);
}

export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

function familyOf(protocol: string): VirtualFamily {
  const family = virtualTerminals.find((candidate) => candidate.protocol === protocol.toLowerCase());
  if (family) return family;
  const known = virtualTerminals.map((candidate) => candidate.protocol).join(', ');
  throw usage(`--protocol must be one of ${known}: no other driver brings a virtual terminal`);
}

/** `tcp:PORT`, `tcp:HOST:PORT`, `pty`, `pty:PATH`. */
function endpointOf(text: string, beyondLoopback: boolean): Endpoint {
  if (text === 'pty') return { over: 'pty' };
  if (text.startsWith('pty:') && text.length > 4) return { over: 'pty', path: text.slice(4) };
  const found = /^tcp:(?:(?<host>.+):)?(?<port>\d{1,5})$/.exec(text)?.groups;
  const port = Number(found?.['port']);
  if (!found || port > 65_535)
    throw usage(`--listen must be tcp:PORT, tcp:HOST:PORT, pty or pty:PATH, not ${quoted(text)}`);
  const host = found['host'] ?? '127.0.0.1';
  if (host === '127.0.0.1' || host === 'localhost') return { over: 'tcp', port };
  if (isLoopback(host)) throw usage(`--listen: on this machine it listens on 127.0.0.1 only, not on ${host}`);
  if (beyondLoopback) return { over: 'tcp', port, host };
  throw usage(
    `--listen ${host}: every program that reaches a virtual terminal can use it, so it listens on this machine only (tcp:PORT). ` +
      'If that is what you want, say --beyond-loopback.',
  );
}

/** `customer_timeout_ms=5000`: the family's own options, in the words that its table has. */
function changesOf(family: VirtualFamily, typed: readonly string[]): Readonly<Record<string, unknown>> {
  const changes = Object.fromEntries(typed.map(verdictOf));
  const parsed = family.options.safeParse(changes);
  if (parsed.success) return changes;
  const known = Object.keys(family.options.shape).map(snakeCase).join(', ');
  const problem = z.flattenError(parsed.error);
  const words = [
    ...problem.formErrors,
    ...Object.entries(problem.fieldErrors).map(
      ([name, messages]) => `${snakeCase(name)}: ${String(messages)}`,
    ),
  ];
  throw usage(`--option: ${words.join('; ')}. A virtual ${family.protocol} terminal has ${known}`);
}

function verdictOf(text: string): readonly [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw usage(`--option must be NAME=VALUE, not ${quoted(text)}`);
  const name = text.slice(0, at).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [name, optionValue(text.slice(at + 1))];
}

function optionValue(text: string): unknown {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function matching(what: string, text: string, rule: RegExp, words: string): string {
  if (!rule.test(text)) throw usage(`${what} must be ${words}, not ${quoted(text)}`);
  return text;
}

function wholeMs(ms: string, fault: string): number {
  if (!/^\d{1,8}$/.test(ms)) throw usage(`MS of the fault ${quoted(fault)} must be a whole number`);
  return Number(ms);
}
