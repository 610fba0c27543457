import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a start loads of Node's own that is not in the snapshot; of each the compiled form is kept. */
const LOADED_BY_A_START = new Set([
  'http',
  '_http_agent',
  '_http_client',
  '_http_common',
  '_http_incoming',
  '_http_outgoing',
  '_http_server',
  'internal/http',
  'internal/freelist',
  'internal/crypto/webidl',
  'internal/util/parse_args/parse_args',
  'internal/util/parse_args/utils',
  'cluster',
  'internal/cluster/primary',
  'internal/cluster/round_robin_handle',
  'internal/cluster/shared_handle',
  'internal/cluster/utils',
  'internal/cluster/worker',
]);
/** Node has some 390 modules. */
const MOST_MODULES = 2_000;
const LONGEST_NAME = 200;
const COUNT_BYTES = 8;

/** One module's compiled form in a snapshot: its name and its code, each behind its length. */
interface Compiled {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Node keeps what was compiled of a snapshot's script only together with everything of its own modules, 4 MB that each start would keep
 * in memory; they stand at the end. A file that is not as this knows it stays as it is: larger, and nothing else.
 */
export function leanSnapshot(blob: Buffer, kept: ReadonlySet<string> = LOADED_BY_A_START): Buffer {
  const found = compiledModules(blob);
  if (!found) return blob;
  const modules = found.modules.filter(({ name }) => kept.has(name));
  const count = Buffer.alloc(COUNT_BYTES);
  count.writeBigUInt64LE(BigInt(modules.length));
  const pieces = modules.map(({ from, to }) => blob.subarray(from, to));
  return Buffer.concat([blob.subarray(0, found.from), count, ...pieces]);
}

/** The list that ends where the file ends, to the byte. */
function compiledModules(blob: Buffer) {
  for (let from = blob.length - COUNT_BYTES; from >= 0; from -= 1) {
    const count = lengthAt(blob, from);
    if (count === 0 || count > MOST_MODULES) continue;
    const modules = listAt(blob, from + COUNT_BYTES, count);
    if (modules) return { from, modules };
  }
  return null;
}

function listAt(blob: Buffer, first: number, count: number): readonly Compiled[] | null {
  const modules: Compiled[] = [];
  let at = first;
  while (modules.length < count) {
    const nameEnd = at + COUNT_BYTES + lengthAt(blob, at);
    const name = blob.toString('latin1', at + COUNT_BYTES, Math.min(nameEnd, at + LONGEST_NAME));
    if (!/^[a-z][\w/.-]+$/.test(name) && !/^_[a-z][\w/.-]+$/.test(name)) return null;
    const to = nameEnd + COUNT_BYTES + lengthAt(blob, nameEnd);
    if (!(to <= blob.length)) return null;
    modules.push({ name, from: at, to });
    at = to;
  }
  return at === blob.length ? modules : null;
}

/** A length of 64 bits; beyond the end of the file it is more than any. */
function lengthAt(blob: Buffer, at: number): number {
  if (!(at + COUNT_BYTES <= blob.length)) return Number.POSITIVE_INFINITY;
  return blob.readUInt32LE(at) + blob.readUInt32LE(at + 4) * 2 ** 32;
}

/** `lean-snapshot.js FILE`, as `make-snapshot` calls it. */
const [, program, file] = process.argv;
if (file !== undefined && program !== undefined && realpathSync(program) === fileURLToPath(import.meta.url)) {
  writeFileSync(file, leanSnapshot(readFileSync(file)));
}
