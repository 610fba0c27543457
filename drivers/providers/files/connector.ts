import {
  type BadRecord,
  badRecord,
  type Connector,
  type ConnectorContext,
  isSourceError,
  providerDriver,
  readId,
  type SourceFile,
  type SourcePage,
  type SourceRecord,
  type SyncWindow,
  sourceError,
} from '../../../src/driver-kit/provider.ts';
import { behind, filesOf, isUnchanged, type Place, positionOf, readPlace } from './file-order.ts';
import { readHeader } from './header.ts';
import { cutRecords } from './lines.ts';
import { type Row, readRows } from './rows.ts';
import { type FileResource, resourcesOf, type Settings, settingsSchema } from './settings.ts';

export const driver = providerDriver({
  settings: settingsSchema,
  resources: resourcesOf,
  connect: (settings, context) => new FilesConnector(settings, context),
});

/** Bytes of a file that are read at once: more than the longest record. */
const PIECE_BYTES = 131_072;
/** Bytes of one page: some hundred records, because a payment that arrives meanwhile waits until they are processed. */
const PAGE_BYTES = 32_768;

/**
 * Reads files in the order in which they were written, chunk by chunk. The source's clock is ours less `still_s`: so no window ends
 * behind a file that is still being written, and no file is skipped.
 */
class FilesConnector implements Connector {
  readonly resources;
  readonly #settings: Settings;
  readonly #context: ConnectorContext;

  constructor(settings: Settings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.resources = resourcesOf(settings);
  }

  async list(
    name: string,
    window: SyncWindow,
    token: string | null,
    signal: AbortSignal,
  ): Promise<SourcePage> {
    const format = this.#format(name);
    const place = readPlace(token);
    const sourceNow = this.#context.clock.now() - this.#settings.still_s * 1_000;
    const files = filesOf(await this.#context.files(), format, window, sourceNow);
    signal.throwIfAborted();
    const current = place && files.find((file) => isUnchanged(file, place));
    const waiting = place ? behind(files, place) : files;
    if (place && !current && waiting.length === 0)
      throw sourceError('SOURCE_REFUSED', `${place.name} went away or was written to while it was read`);
    const file = current ?? waiting[0];
    if (!file) return { records: [], bad: [], next: null, sourceNow };
    const after = current ? waiting[0] : waiting[1];
    return { ...(await this.#page(file, current ? place : null, format, after)), sourceNow };
  }

  async test(): Promise<{ readonly valid: boolean; readonly error: string }> {
    try {
      await this.#context.files();
      return { valid: true, error: '' };
    } catch (error) {
      if (isSourceError(error)) return { valid: false, error: error.message };
      throw error;
    }
  }

  async #page(file: SourceFile, place: Place | null, format: FileResource, after: SourceFile | undefined) {
    const { columns, end } = await readHeader(this.#context, file, format);
    const offset = Math.max(place?.offset ?? end, end);
    const piece =
      offset < file.bytes ? await this.#context.readFile(file.name, offset, PIECE_BYTES) : new Uint8Array();
    const reachesEnd = offset + piece.length >= file.bytes;
    if (piece.length === 0 && !reachesEnd) {
      throw sourceError('SOURCE_UNAVAILABLE', `${file.name} became shorter while it was read`);
    }
    const { records, consumed } = cutRecords(piece, format.delimiter.charCodeAt(0), reachesEnd, PAGE_BYTES);
    const isDone = offset + consumed >= file.bytes;
    const next = !isDone ? positionOf(file, offset + consumed) : after ? positionOf(after, 0) : null;
    return { ...mapped(readRows(records, format), columns, format, file), next };
  }

  #format(name: string): FileResource {
    const { resources } = this.#settings;
    const format = Object.hasOwn(resources, name) ? resources[name] : undefined;
    if (!format) throw sourceError('SOURCE_REFUSED', `the settings have no resource "${name}"`);
    return format;
  }
}

function mapped(rows: readonly Row[], columns: readonly string[], format: FileResource, file: SourceFile) {
  const records: SourceRecord[] = [];
  const bad: BadRecord[] = [];
  const read = recordReader(columns, format, file);
  for (const row of rows) {
    const result = row.kind === 'bad' ? row.bad : read(row.fields);
    if ('reason' in result) bad.push(result);
    else records.push(result);
  }
  return { records, bad };
}

/** Reads the rows of one file; its header is evaluated once. */
function recordReader(columns: readonly string[], format: FileResource, file: SourceFile) {
  const named = Object.entries(format.fields).map(([ours, column]) => ({
    ours,
    at: columns.indexOf(column),
  }));
  const taken = new Set(named.map(({ at }) => at));
  const kept = columns
    .map((column, at) => ({ ours: column, at }))
    .filter(({ ours, at }) => ours !== '' && !taken.has(at) && !Object.hasOwn(format.fields, ours));
  const idAt = columns.indexOf(format.id);
  const deletedAt = format.deleted ? columns.indexOf(format.deleted.column) : -1;
  const updatedAt = format.mode === 'changes' ? file.modifiedAt : null;

  return (cells: readonly string[]): SourceRecord | BadRecord => {
    const raw = () => cells.join(format.delimiter);
    if (cells.length !== columns.length) {
      return badRecord(
        null,
        `it has ${cells.length} columns, the header of ${file.name} has ${columns.length}`,
        raw(),
      );
    }
    const cell = (at: number) => (cells[at] ?? '').trim();
    const id = readId(cell(idAt));
    if ('problem' in id) return badRecord(null, id.problem, raw());
    const deleted = format.deleted !== undefined && cell(deletedAt) === format.deleted.is;
    const fields = Object.fromEntries([...named, ...kept].map(({ ours, at }) => [ours, cell(at)]));
    return { id: id.id, updatedAt, deleted, fields };
  };
}
