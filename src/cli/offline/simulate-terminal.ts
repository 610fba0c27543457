import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ReadStream } from 'node:tty';
import { AppError, messageOf } from '../../base/errors.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import type { Memory } from '../../sandbox/controllable-terminal.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../sandbox/terminal/start-virtual-terminal.ts';
import { writeFileDurably } from '../../store/disk/durable-file.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { inputLines } from './input-lines.ts';
import { KEY_HELP, Keyboard } from './simulate-terminal/keyboard.ts';
import { carryOut, orderOf } from './simulate-terminal/orders.ts';
import { openRelay, type Relay } from './simulate-terminal/relay.ts';
import { type Options, optionsOf, type TypedSettings, usage } from './simulate-terminal/settings.ts';
import { watch } from './simulate-terminal/watch.ts';

export interface SimulateTerminalOptions extends GlobalOptions, TypedSettings {
  /** File that keeps the charged transactions. */
  readonly ledger?: string;
  /** False: the input is not read. */
  readonly keys?: boolean;
  readonly endWithInput?: boolean;
}

/** Characters of the longest command line. */
const LONGEST_LINE = 200;

/**
 * `tillctl simulate-terminal`: a virtual terminal that speaks real bytes, and its keys. Ends at SIGINT, SIGTERM or `quit`; the end of
 * its input ends it only when the options ask for that, so that it continues in the background of a script.
 */
export async function simulateTerminal(options: SimulateTerminalOptions, io: Io): Promise<ExitCode> {
  const keys = options.keys === false ? 'none' : keysOf(io);
  const choice = optionsOf(options, keys === 'keyboard');
  const say = (text: string): void => (options.json ? io.err : io.out)(`${text}\n`);
  const memory =
    options.ledger === undefined ? forgetful() : fileMemory(resolve(io.cwd, options.ledger), say);
  const terminal = await switchOn(choice, memory, logFor(say), io);
  const relay = await relayFor(choice, terminal).catch(async (error: unknown) => {
    await terminal.stop();
    throw error;
  });
  const over = Promise.withResolvers<void>();
  const forget = io.onInterrupt(() => over.resolve());
  announce(choice, addressOf(choice, terminal, relay), options, io);
  const unwatch = watch(terminal, say);
  const attend = { terminal, choice, say, over, io, endWithInput: options.endWithInput === true };
  const unkey =
    keys === 'keyboard' ? readKeyboard(attend) : keys === 'lines' ? readLines(attend) : () => undefined;
  try {
    await over.promise;
  } finally {
    unkey();
    forget();
    unwatch();
    relay?.close();
    await terminal.stop();
  }
  return EXIT.done;
}

interface Attended {
  readonly terminal: RunningVirtualTerminal;
  readonly choice: Options;
  readonly say: (text: string) => void;
  readonly over: { resolve(): void };
  readonly io: Io;
  readonly endWithInput: boolean;
}

/** Keys of a person, lines of a pipe, or none: a terminal device that belongs to another process must not be read. */
function keysOf(io: Io): 'keyboard' | 'lines' | 'none' {
  if (!(io.input instanceof ReadStream)) return 'lines';
  return inForeground() ? 'keyboard' : 'none';
}

/** Whether this process may read its terminal device; the kernel stops a background process that tries. */
function inForeground(): boolean {
  const stat = '/proc/self/stat';
  if (!existsSync(stat)) return true;
  const fields = readFileSync(stat, 'utf8').replace(/^.*\)/, '').trim().split(' ');
  const [group, foreground] = [fields[2], fields[5]];
  return group === foreground;
}

async function switchOn(choice: Options, memory: Memory, log: Log, io: Io): Promise<RunningVirtualTerminal> {
  const dialect = await choice.family.load(choice.changes);
  const { endpoint } = choice;
  const ptyPath =
    endpoint.over === 'pty' && endpoint.path !== undefined ? resolve(io.cwd, endpoint.path) : undefined;
  try {
    return await startVirtualTerminal(choice.settings, dialect, {
      clock: systemClock,
      log,
      memory,
      ...(ptyPath === undefined ? {} : { ptyPath }),
    });
  } catch (error) {
    if (error instanceof AppError) throw usage(error.message);
    throw usage(`the virtual terminal cannot be reached there: ${messageOf(error)}`);
  }
}

async function relayFor({ endpoint }: Options, terminal: RunningVirtualTerminal): Promise<Relay | undefined> {
  if (endpoint.over !== 'tcp' || endpoint.host === undefined) return undefined;
  return openRelay(endpoint.host, endpoint.port, Number(new URL(terminal.address).port));
}

function addressOf(
  { endpoint }: Options,
  terminal: RunningVirtualTerminal,
  relay: Relay | undefined,
): string {
  if (!relay || endpoint.over !== 'tcp' || endpoint.host === undefined) return terminal.address;
  const host = endpoint.host.includes(':') ? `[${endpoint.host.replace(/^\[|\]$/g, '')}]` : endpoint.host;
  return `tcp://${host}:${relay.port}`;
}

/** With `--json` the one document of standard output; else what a person needs to start. */
function announce(
  { settings, family }: Options,
  address: string,
  options: SimulateTerminalOptions,
  io: Io,
): void {
  const { over, currency, serial, terminalId, autopilot, missingAcknowledgement } = settings;
  const port = over === 'tcp' ? { port: Number(new URL(address).port) } : {};
  if (options.json) {
    const more = { autopilot, missing_acknowledgement: missingAcknowledgement };
    const data = {
      protocol: family.protocol,
      address,
      over,
      ...port,
      currency,
      serial,
      terminal_id: terminalId,
    };
    printDocument(io, { data: { ...data, ...more } });
    return;
  }
  const customer = autopilot === 'off' ? 'waits for a key' : `does "${autopilot}" by itself`;
  io.out(
    `virtual ${family.protocol} terminal at ${plain(address)} (${currency}; the customer ${customer})\n`,
  );
}

/** Reads single keys; returns a function that restores the keyboard. */
function readKeyboard(attended: Attended): () => void {
  const { io, say, over } = attended;
  const { input } = io;
  if (!(input instanceof ReadStream)) return () => undefined;
  const keyboard = new Keyboard();
  say(KEY_HELP);
  input.setRawMode(true);
  const onData = (chunk: Buffer): void => {
    for (const stroke of keyboard.strokes(chunk.toString('utf8'))) {
      if (stroke.kind === 'echo') io.err(stroke.text);
      else if (stroke.kind === 'help') say(KEY_HELP);
      else obey(stroke.text, attended);
    }
  };
  input.on('data', onData).once('close', over.resolve);
  return () => {
    input.off('data', onData).off('close', over.resolve).setRawMode(false);
    input.pause();
  };
}

/** Reads commands line by line until the input or the terminal ends. */
function readLines(attended: Attended): () => void {
  const { io, say, over, endWithInput } = attended;
  let isOver = false;
  const read = async (): Promise<void> => {
    for await (const line of inputLines(io.input, LONGEST_LINE)) {
      if (isOver) return;
      if (line.kind === 'line') obey(line.text, attended);
      else say('tillctl: that line is too long');
    }
    if (endWithInput) over.resolve();
  };
  void read().catch((error: unknown) => {
    if (!isOver) say(`tillctl: the input cannot be read: ${messageOf(error)}`);
  });
  return () => {
    isOver = true;
    if ('destroy' in io.input && typeof io.input.destroy === 'function') io.input.destroy();
  };
}

/** Runs one command line; an error is printed, and the terminal continues. */
function obey(line: string, { terminal, choice, say, over }: Attended): void {
  try {
    const order = orderOf(line, choice.settings.currency);
    if (order?.kind === 'quit') over.resolve();
    else if (order) say(carryOut(order, terminal));
  } catch (error) {
    say(`tillctl: ${messageOf(error)}`);
  }
}

/** Memory without a file: it survives a simulated power loss, not the end of the process. */
function forgetful(): Memory {
  let text: string | null = null;
  return {
    load: () => text,
    save: (next) => {
      text = next;
    },
  };
}

/** @throws USAGE when the file cannot be read; a failed write is printed, and the terminal continues. */
function fileMemory(path: string, say: (text: string) => void): Memory {
  return {
    load: () => {
      try {
        return existsSync(path) ? readFileSync(path, 'utf8') : null;
      } catch (error) {
        throw usage(`--ledger: ${messageOf(error)}`);
      }
    },
    save: (text) => {
      try {
        writeFileDurably(path, text);
      } catch (error) {
        say(`tillctl: the ledger cannot be written: ${messageOf(error)}`);
      }
    },
  };
}

/** The messages of the terminal's log that a person at the keys needs. */
function logFor(say: (text: string) => void): Log {
  const log: Log = {
    ...silentLog,
    info: (fields, message) => say(`terminal: ${message}${factsOf(fields)}`),
    warn: (fields, message) => say(`terminal: ${message}${factsOf(fields)}`),
    error: (fields, message) => say(`terminal: ${message}${factsOf(fields)}`),
    child: () => log,
  };
  return log;
}

function factsOf(fields: Readonly<Record<string, unknown>>): string {
  const facts = Object.entries(fields).map(([name, value]) => `${name} ${plain(String(value))}`);
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}
