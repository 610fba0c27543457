import { closeSync, constants, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createTarGzip } from 'nanotar';
import { maskCardNumbers } from '../../base/card-number.ts';
import { maskCredentials } from '../../base/credential.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { examine } from './doctor.ts';
import { type FoundConfig, findConfig, type StateOptions, stateFilesOf } from './state-files.ts';
import { aboutMachine } from './support/about.ts';
import { aboutBooks } from './support/books.ts';
import { aboutConfig } from './support/configuration.ts';
import { aboutDaemon } from './support/daemon.ts';
import { aboutFiles } from './support/files.ts';
import { aboutFindings } from './support/findings.ts';
import { logLines } from './support/log.ts';

export interface SupportBundleOptions extends GlobalOptions, StateOptions {
  readonly file: string;
  readonly log?: string;
}

/** One file of the bundle. */
interface Part {
  readonly name: string;
  readonly text: string;
}

const README = `What tilld reports of itself, for support. Made by tillctl support-bundle.

Each file is made of fields that are named one by one in the program: there are no card numbers, no receipts, no names, no references,
no keys, secrets or passwords, and no free text that a person has written. Look through it before you give it away.
`;

/**
 * `tillctl support-bundle FILE`: the facts that support needs, and nothing else; also without a daemon. Redacted by construction: `support/`
 * lists every included field, and included values pass the log's redaction as well.
 */
export async function supportBundle(options: SupportBundleOptions, io: Io): Promise<ExitCode> {
  const target = resolve(io.cwd, options.file);
  const parts = (await partsOf(options, io)).map(({ name, text }) => ({
    name,
    text: maskCredentials(maskCardNumbers(text)),
  }));
  const bytes = await createTarGzip(
    parts.map(({ name, text }) => ({ name: `tilld-support/${name}`, data: text })),
    { attrs: { mode: '600', user: 'tilld', group: 'tilld' } },
  );
  write(target, bytes);
  const names = parts.map(({ name }) => name);
  if (options.json) printDocument(io, { data: { file: target, bytes: bytes.length, files: names } });
  else io.out(`${plain(target)} holds ${names.join(', ')}: no keys, no card data, no free text.\n`);
  return EXIT.done;
}

/** A part that fails becomes a file with its error: it must not prevent the others. */
async function partsOf(options: SupportBundleOptions, io: Io): Promise<readonly Part[]> {
  const configuration = findConfig(options, io);
  const files = stateFilesOf(options, configuration, io);
  const socket = options.socket ?? files?.socket ?? null;
  const { json: _json, ...shared } = options;
  return [
    { name: 'README', text: README },
    await part('about.json', () => aboutMachine()),
    await part('configuration.json', () => aboutConfig(configuration)),
    await part('doctor.json', async () => aboutFindings(await examine(shared, io, Date.now()))),
    ...(files ? [await part('files.json', () => aboutFiles(files, configuration.config))] : []),
    ...(files ? [await part('books.json', () => aboutBooks(files.database))] : []),
    ...(socket === null ? [] : [await part('daemon.json', () => aboutDaemon(socket))]),
    await part('log.json', () => logLines(logOf(options, configuration, io))),
  ];
}

/** The given file, or else the daemon's log file; null: the system's journal. */
function logOf({ log }: SupportBundleOptions, { config }: FoundConfig, io: Pick<Io, 'cwd'>): string | null {
  const file = log ?? config?.log.file?.path;
  return file === undefined ? null : resolve(io.cwd, file);
}

async function part(name: string, make: () => unknown): Promise<Part> {
  try {
    return { name, text: `${JSON.stringify(await make(), null, 1)}\n` };
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'FAILED';
    return { name, text: `${JSON.stringify({ missing: code })}\n` };
  }
}

/** A new file that only its owner can read. @throws SUPPORT_BUNDLE_FAILED */
function write(target: string, bytes: Uint8Array): void {
  let file: number;
  try {
    file = openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (cause) {
    const isThere = statSync(target, { throwIfNoEntry: false }) !== undefined;
    const words = isThere
      ? `there is a file ${target} already: name another`
      : `${dirname(target)} cannot be written (${messageOf(cause)})`;
    throw new AppError('SUPPORT_BUNDLE_FAILED', words, { cause });
  }
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  } catch (cause) {
    rmSync(target, { force: true });
    throw new AppError('SUPPORT_BUNDLE_FAILED', `${target} cannot be written (${messageOf(cause)})`, {
      cause,
    });
  } finally {
    closeSync(file);
  }
}
