import type { Traced } from '../../../src/base/trace.ts';
import type { FeedPlace, OutboxRow, OutboxStore } from '../../../src/outbox/ports.ts';

/** The outbox in memory, with the rules that the port states; notes the order of its writes. */
export class MemoryOutboxStore implements OutboxStore, FeedPlace {
  readonly rows: OutboxRow[] = [];
  readonly writes: string[] = [];
  readonly aliases = new Map<string, string>();
  /** By attempt. */
  readonly tasks = new Map<string, string>();
  cursor: string | null = null;
  /** What was done last may not be on disk yet. */
  isUnsynced = false;

  add(row: Pick<OutboxRow, 'id' | 'attemptId' | 'kind' | 'body'> & Partial<OutboxRow>): OutboxRow {
    const full: OutboxRow = {
      operation: 'sale',
      parentId: null,
      key: `key-${row.id}`,
      createdAt: 0,
      state: 'pending',
      tries: 0,
      firstUsedAt: null,
      unanswered: false,
      lastError: null,
      ...row,
    };
    this.rows.push(full);
    return full;
  }

  row(id: string): OutboxRow {
    const found = this.rows.find((row) => row.id === id);
    if (!found) throw new Error(`no row ${id}`);
    return found;
  }

  due(limit: number, kind?: OutboxRow['kind']): readonly OutboxRow[] {
    return this.rows
      .filter((row, index) => row.state === 'pending' && !this.#waits(row, index))
      .filter((row) => kind === undefined || row.kind === kind)
      .toSorted((a, b) => b.createdAt - a.createdAt)
      .slice(0, limit);
  }

  beginTry(id: string, serviceNow: number): void {
    const { tries, firstUsedAt } = this.row(id);
    this.#change(id, { tries: tries + 1, firstUsedAt: firstUsedAt ?? serviceNow, unanswered: true }, 'begin');
  }

  done(id: string, serviceId: string | null): void {
    if (serviceId !== null) this.aliases.set(this.row(id).attemptId, serviceId);
    this.#change(id, { state: 'done', unanswered: false }, 'done');
    this.isUnsynced = serviceId === null;
  }

  flush(): void {
    this.isUnsynced = false;
  }

  failed(id: string, error: string, unanswered: boolean): void {
    this.#change(id, { lastError: error, unanswered }, 'failed');
  }

  park(id: string, reason: string, taskId: string): void {
    this.tasks.set(this.row(id).attemptId, taskId);
    this.#change(id, { state: 'parked', lastError: reason, unanswered: false }, 'park');
  }

  askAboutTwice(attemptId: string, taskId: string): void {
    this.tasks.set(attemptId, taskId);
  }

  mayHaveCreated({
    type,
    parentId,
    deviceId,
    amountMinor,
  }: Parameters<OutboxStore['mayHaveCreated']>[0]): boolean {
    const isOf = ({ operation, body, parentId: sale }: OutboxRow) =>
      operation === type &&
      (type === 'sale'
        ? body['device_id'] === deviceId && body['amount_minor'] === amountMinor
        : parentId === sale || (sale !== null && this.aliases.get(sale) === parentId));
    return this.rows.some(
      (row) => row.kind === 'create' && row.state === 'pending' && row.unanswered && isOf(row),
    );
  }

  summary() {
    const pending = this.rows.filter((row) => row.state === 'pending');
    const parked = this.rows.filter((row) => row.state === 'parked').length;
    return { pending: pending.length, oldestAt: pending[0]?.createdAt ?? null, parked, refused: parked };
  }

  serviceIdOf(attemptId: string): string | null {
    return this.aliases.get(attemptId) ?? null;
  }

  tracedOf(id: string): Traced {
    return { id, trace: null };
  }

  eventCursor(): string | null {
    return this.cursor;
  }

  keepEventCursor(eventId: string): void {
    this.cursor = eventId;
  }

  #waits(row: OutboxRow, index: number): boolean {
    const older = this.rows.slice(0, index).filter((other) => other.attemptId === row.attemptId);
    const ofParent = this.rows.filter((other) => other.attemptId === row.parentId);
    return [...older, ...ofParent].some((other) => other.state !== 'done');
  }

  #change(id: string, change: Partial<OutboxRow>, what: string): void {
    const index = this.rows.indexOf(this.row(id));
    this.rows[index] = { ...this.row(id), ...change };
    this.writes.push(`${what} ${id}`);
    this.isUnsynced = false;
  }
}
