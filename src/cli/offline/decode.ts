import { terminalDrivers } from '../../../drivers/index.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { DecodedPart, Decoder } from '../../driver-kit/define.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { bytesOfHex, LONGEST_HEX } from './hex.ts';
import { inputLines } from './input-lines.ts';

export interface DecodeOptions extends GlobalOptions {
  readonly protocol: string;
  readonly layer?: string;
  readonly context?: string;
  readonly hex: readonly string[];
}

const LAYERS = ['frame', 'apdu', 'message', 'stream'] as const;

/** `tillctl decode`: one document for each recording; an invalid one is `{error: {code, message, offset}}` and exit 1. */
export async function decode(options: DecodeOptions, io: Io): Promise<ExitCode> {
  const layer = layerOf(options.layer);
  const context = options.context === undefined ? undefined : contextOf(options.context);
  const decoder = await decoderOf(options.protocol);
  const one = (hex: string): boolean =>
    print(io, options.protocol, () => decoder(bytesOfHex(hex), layer, context));
  if (options.hex.length !== 1 || options.hex[0] !== '-')
    return one(options.hex.join(' ')) ? EXIT.done : EXIT.no;
  let refused = 0;
  for await (const line of inputLines(io.input, LONGEST_HEX)) {
    if (line.kind === 'line' && line.text.trim() === '') continue;
    const done = line.kind === 'line' ? one(line.text) : print(io, options.protocol, tooLong);
    if (!done) refused += 1;
  }
  return refused === 0 ? EXIT.done : EXIT.no;
}

function print(io: Io, protocol: string, decoded: () => DecodedPart): boolean {
  try {
    io.out(`${JSON.stringify(documentOf(protocol, decoded()), readable)}\n`);
    return true;
  } catch (error) {
    printDocument(io, { error: refusalOf(error) });
    return false;
  }
}

function documentOf(protocol: string, { layer, kind, name, fields, checksum, parts }: DecodedPart) {
  return { protocol, layer, kind, name, fields, checksum, parts };
}

/** `DECODE_TRAILING_BYTES` → `trailing_bytes`. */
function refusalOf(error: unknown): { code: string; message: string; offset: number | null } {
  if (!(error instanceof AppError))
    return { code: 'internal_error', message: messageOf(error), offset: null };
  const offset = error.context['offset'];
  const code = error.code.replace(/^DECODE_/, '').toLowerCase();
  return { code, message: error.message, offset: typeof offset === 'number' ? offset : null };
}

function readable(_key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').toUpperCase();
  return typeof value === 'bigint' ? value.toString() : value;
}

function tooLong(): never {
  throw new AppError('DECODE_MALFORMED', `the line has more than ${LONGEST_HEX} characters`, {
    context: { offset: 0 },
  });
}

function layerOf(word: string | undefined): DecodedPart['layer'] | undefined {
  const layer = LAYERS.find((candidate) => candidate === word);
  if (word !== undefined && layer === undefined)
    throw new AppError('USAGE', `--layer must be one of ${LAYERS.join(', ')}`);
  return layer;
}

function contextOf(hex: string): Uint8Array {
  try {
    return bytesOfHex(hex);
  } catch (error) {
    throw new AppError('USAGE', `--context: ${messageOf(error)}`, { cause: error });
  }
}

async function decoderOf(protocol: string): Promise<Decoder> {
  const driver = terminalDrivers.find((candidate) => candidate.id === protocol.toLowerCase());
  if (driver?.loadDecoder) return driver.loadDecoder();
  const known = terminalDrivers.map((candidate) => candidate.id).join(', ');
  throw new AppError('USAGE', `--protocol must be one of ${known}`);
}
