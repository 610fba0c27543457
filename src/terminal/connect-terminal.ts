import { type Clock, withDeadline } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { Connections, type Lifeline } from './connections.ts';
import type { Device } from './device.ts';
import { answeringContext, isSameTerminal, isStronger, nameOf, recognised } from './identity.ts';
import type { NetworkAddress, OpenLink, PortSearch, Way } from './link.ts';
import type { TerminalDriver, TerminalIdentity, TerminalSession, Transcript } from './ports.ts';
import type { TerminalRegistry } from './terminal-registry.ts';

/** Longest time for opening, registering and identifying together at one of several ports. */
const CONNECT_EACH_MS = 6000;

export interface ConnectDeps {
  readonly device: Device;
  readonly driver: TerminalDriver;
  readonly driverOptions: unknown;
  /** The one address of the terminal, or a search for its port. */
  readonly openLink: OpenLink | PortSearch;
  /** Of a terminal in the network. */
  readonly address?: NetworkAddress;
  /** Over TCP the terminal hangs up after each answer: the driver opens a connection for each exchange. */
  readonly connectsPerExchange?: boolean;
  readonly transcript: Transcript;
  readonly clock: Clock;
  readonly log: Log;
  /** The terminal that is known to serve this device; stored when it is first seen. */
  readonly identities: {
    get(): TerminalIdentity | null;
    remember(identity: TerminalIdentity): void;
    /** Why what answers there was set aside, in words; null: it was not. */
    setAside(): string | null;
  };
  /** Shared by all terminals of the shop. */
  readonly registry: TerminalRegistry;
}

/** A session with the terminal that serves the device. */
export interface ConnectedTerminal {
  readonly link: Lifeline;
  readonly session: TerminalSession;
  readonly identity: TerminalIdentity;
}

/**
 * Opens one port after the other until the terminal that serves this device answers; sends no money command.
 * When another terminal answers, the link is closed and nothing more is sent. `timeLimitMs`: time limit for one port.
 * @throws WRONG_TERMINAL when another terminal answered and ours did not, else the error of the likeliest port.
 */
export async function connectTerminal(
  deps: ConnectDeps,
  timeLimitMs: number,
  stopping: AbortSignal,
): Promise<ConnectedTerminal> {
  const { openLink, identities, log } = deps;
  const search = typeof openLink === 'function' ? null : openLink;
  const known = identities.get();
  const ways: readonly Way[] =
    typeof openLink === 'function'
      ? [{ where: 'its address', open: openLink }]
      : await openLink.ways(known !== null && known.grade !== 'port');
  const limitMs = ways.length > 1 ? Math.min(CONNECT_EACH_MS, timeLimitMs) : timeLimitMs;
  const failures: unknown[] = [];
  for (const way of ways) {
    stopping.throwIfAborted();
    try {
      const met = await withDeadline(deps.clock, limitMs, tooSlow, stopping, (signal) =>
        meetAt(way, ways.length === 1, deps, signal),
      );
      search?.learn(way, 'ours');
      return met;
    } catch (error) {
      if (hasCode(error, 'WRONG_TERMINAL')) search?.learn(way, 'stranger');
      log.debug({ where: way.where, error: messageOf(error) }, 'terminal not met there');
      failures.push(error);
    }
  }
  throw failures.find((error) => hasCode(error, 'WRONG_TERMINAL')) ?? failures[0];
}

async function meetAt(
  way: Way,
  isItsPlace: boolean,
  deps: ConnectDeps,
  signal: AbortSignal,
): Promise<ConnectedTerminal> {
  const { driver, clock, log, device, driverOptions, transcript } = deps;
  const first = await way.open(signal);
  const connections = new Connections(first, way.open);
  const link = deps.connectsPerExchange && first.kind === 'tcp' ? connections : first;
  if (link === first) void first.closed.then(() => connections.abandon());
  try {
    const context = {
      deviceId: device.id,
      currency: device.currency,
      clock,
      log,
      transcript,
      options: driverOptions,
      dial: (within: AbortSignal) => connections.dial(within),
      openBeside: (within: AbortSignal) => connections.openBeside(within),
      ...(deps.address ? { address: deps.address } : {}),
    };
    const session = await driver.open(first, context, signal);
    requireOwnTransaction(session);
    const identity = recognised(deps.identities.get(), await session.identify(signal), isItsPlace);
    check(identity, deps);
    return { link, session, identity };
  } catch (error) {
    await link.close();
    throw error;
  }
}

/** A driver that recovers by reference can be asked by one, and no other can. @throws DRIVER_FAULT */
function requireOwnTransaction({ capabilities: { recover }, ownTransaction }: TerminalSession): void {
  if ((recover === 'by_reference') === (ownTransaction !== undefined)) return;
  throw new AppError(
    'DRIVER_FAULT',
    ownTransaction
      ? `its session has ownTransaction, but says that it recovers "${recover}" and not "by_reference" (driver guide: recovery.md)`
      : 'its session says that it recovers "by_reference", but has no ownTransaction (driver guide: recovery.md)',
    { retry: 'never' },
  );
}

/** @throws WRONG_TERMINAL when another terminal answers than the one that is known to serve this device. */
function check(identity: TerminalIdentity, { identities, registry, device }: ConnectDeps): void {
  const known = identities.get();
  if (known !== null && !isSameTerminal(known, identity)) throw stranger(device, known, identity);
  const why = identities.setAside();
  if (why !== null) throw setAside(device, why, identity);
  registry.take(device.id, identity);
  if (known === null || isStronger(identity, known)) identities.remember(identity);
}

function stranger(device: Device, known: TerminalIdentity, identity: TerminalIdentity): AppError {
  return new AppError(
    'WRONG_TERMINAL',
    `${nameOf(identity)} answers at the place of ${device.name}, which is served by ${nameOf(known)}`,
    { context: { device: device.id, ...answeringContext(identity) } },
  );
}

/** It names itself like the known terminal, and has answered as that one cannot. */
function setAside(device: Device, why: string, identity: TerminalIdentity): AppError {
  return new AppError('WRONG_TERMINAL', `${nameOf(identity)} at ${device.name} is set aside: ${why}`, {
    context: { device: device.id, ...answeringContext(identity) },
  });
}

/**
 * The terminal did not answer within the time limit. Not TERMINAL_NO_ANSWER: on a serial line a driver treats that as an ordinary silence and
 * would write its frame once more on a line that is being closed.
 */
export function tooSlow(): AppError {
  return new AppError('TERMINAL_STOPPED', 'the terminal does not answer', { retry: 'safe' });
}
