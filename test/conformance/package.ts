/**
 * `@tilld/driver-kit/conformance`: the conformance suite for drivers that live outside of this repository, and what a virtual terminal is made of.
 * @module
 */
import { parseArgs } from 'node:util';
import { silentLog } from '../../src/base/log.ts';
import { inGuide } from '../../src/driver-packages/guide.ts';
import { readPackageJson } from '../../src/driver-packages/package-json.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import type { VirtualDialect } from '../../src/sandbox/terminal/dialect.ts';
import { startVirtualTerminal } from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import { differenceOf } from './package-check.ts';
import { playAll } from './play-all.ts';
import type { Subject } from './subject.ts';
import { suiteOf } from './suite.ts';

export { type Clock, sleep, withDeadline } from '../../src/base/clock.ts';
export { AppError } from '../../src/base/errors.ts';
export { type Currency, isCurrency, numericCodeOf } from '../../src/base/money.ts';
export type { Key, LedgerEntry, TypedTransaction } from '../../src/sandbox/controllable-terminal.ts';
export { cardById, cardOfCustomer } from '../../src/sandbox/terminal/cards.ts';
export type { Firmware, VirtualDevice, VirtualDialect } from '../../src/sandbox/terminal/dialect.ts';
export { entryOf, type TransactionRecord } from '../../src/sandbox/terminal/ledger.ts';
export type { Wire } from '../../src/sandbox/terminal/wire.ts';
export type { ForeignTerminal, Habits, Subject } from './subject.ts';
export type { Reader, TerminalPacket, TerminalWord, TillPacket, TillWord } from './words.ts';

const DONE = 0;
const BROKEN = 1;
const WRONG_CALL = 2;

/**
 * Checks the package's `package.json`, plays the whole suite with every subject, and prints the matrix: every exemption with its reason, every
 * broken row with its step and its page of the guide. `--scenario TEXT` plays some of it. Sets the exit code: 1 broken, 2 a wrong call.
 */
export async function conformance(subjects: readonly Subject[], packageJson: unknown): Promise<void> {
  const wanted = scenarioOf(process.argv.slice(2));
  const scenarios = suiteOf().filter(({ id }) => wanted !== null && id.includes(wanted));
  if (scenarios.length === 0) {
    process.stderr.write(
      `${inGuide('testing', 'usage: npm test -- [--scenario TEXT], like opening/ or cut/sale')}\n`,
    );
    process.exitCode = WRONG_CALL;
    return;
  }
  const problem = problemOf(packageJson, subjects);
  if (problem !== null) process.stderr.write(`${inGuide('package', problem)}\n`);
  const failed = await playAll(subjects, scenarios, (text) => process.stdout.write(text));
  process.exitCode = failed === 0 && problem === null ? DONE : BROKEN;
}

/** Switches a virtual terminal on at tcp:127.0.0.1:PORT, whose customer pays after a second; it runs until the process ends. */
export async function runTerminal(dialect: VirtualDialect, port: number): Promise<void> {
  const settings = {
    name: dialect.protocol,
    protocol: dialect.protocol,
    over: 'tcp',
    port,
    currency: 'EUR',
    serial: '17F00001',
    terminalId: '52500038',
    autopilot: 'approve',
    autopilotMs: 1000,
    missingAcknowledgement: 'keep',
    faults: [],
  } as const;
  const memory = { load: () => null, save: () => undefined };
  const { address } = await startVirtualTerminal(settings, dialect, {
    clock: systemClock,
    log: silentLog,
    memory,
  });
  process.stdout.write(`a virtual terminal listens on ${address}; its customer pays after a second\n`);
}

function scenarioOf(args: string[]): string | null {
  try {
    return parseArgs({ args, options: { scenario: { type: 'string', default: '' } } }).values.scenario;
  } catch {
    return null;
  }
}

function problemOf(packageJson: unknown, subjects: readonly Subject[]): string | null {
  try {
    const { tilld } = readPackageJson(packageJson);
    return (
      subjects.map(({ manifest }) => differenceOf(tilld, manifest)).find((words) => words !== null) ?? null
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
