/** One statement of a commit: what it wrote, and the values it was run with. */
export interface Write {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** What a name needs of the database besides the statement itself. */
export interface Lookups {
  /** `sale`, `refund` or `void`. */
  readonly typeOf: (attemptId: string) => string;
  /** `create` or `result`. */
  readonly reportKindOf: (outboxRowId: string) => string;
}

/** What belongs to every change of an attempt or of a key: it says nothing that the journal's or the audit trail's entry does not. */
const SILENT = [
  /^UPDATE api_keys SET (hash|revoked_at)\b/,
  /^(INSERT INTO|UPDATE) retired_key_secrets\b/,
  /^UPDATE attempts\b/,
  /^INSERT INTO (attempts|events|outbox)\b/,
];

/** How a statement is called, the first row that fits. */
const NAMES: readonly (readonly [RegExp, (write: Write, look: Lookups) => string])[] = [
  [/^INSERT INTO journal\b/, journalName],
  [/^INSERT INTO idempotency_keys\b/, () => 'key'],
  [/^INSERT (OR IGNORE )?INTO aliases\b/, () => 'alias'],
  [/^INSERT (OR IGNORE )?INTO tasks\b/, ({ sql, values }) => `task ${/'(\w+)'/.exec(sql)?.[1] ?? values[1]}`],
  [/^UPDATE tasks SET message\b/, () => 'task again'],
  [/^UPDATE tasks\b/, () => 'task done'],
  [/^INSERT INTO settlements\b/, ({ values }) => `settlement ${values[2]}`],
  [/^UPDATE settlements\b/, ({ values }) => `settlement ${values[0]}`],
  [/^UPDATE outbox SET tries\b/, ({ values }, look) => `${look.reportKindOf(String(values[1]))} report sent`],
  [
    /^UPDATE outbox SET state = 'done'/,
    ({ values }, look) => `${look.reportKindOf(String(values[1]))} report done`,
  ],
  [/^UPDATE outbox SET state = 'parked'/, () => 'report parked'],
  [/^UPDATE outbox SET state = 'pending'/, () => 'report released'],
  [/^UPDATE outbox\b/, () => 'report failed'],
  [/^INSERT INTO terminals\b/, () => 'identity'],
  [/^UPDATE terminals SET batch = batch \+ 1, day/, () => 'new day'],
  [/^UPDATE terminals SET batch = batch \+ 1\b/, () => 'new batch'],
  [/^UPDATE terminals SET shared_use\b/, () => 'shared use'],
  [/^UPDATE terminals SET void_withdrawn\b/, () => 'void withdrawn'],
  [/^INSERT INTO api_keys\b/, () => 'api key'],
  [/^UPDATE api_keys SET last_used_at\b/, () => 'api key used'],
  [/^INSERT INTO key_audit\b/, ({ values }) => `api key ${values[2]}`],
  [/^PRAGMA user_version\b/, () => 'room tried'],
  [/service_event_cursor/, () => 'event cursor'],
  [/'agent'/, () => 'agent name'],
  [/\bfacts\b/, () => 'epoch'],
];

/**
 * The name of a commit: the journal events it wrote and what else it did, in their order, each once.
 * `create sale + key`, `sale reported approved`, `result report done`, `settlement succeeded + new day`.
 */
export function commitName(writes: readonly Write[], look: Lookups): string {
  const parts = writes.flatMap((write) => partOf(write, look) ?? []);
  return [...new Set(parts)].join(' + ') || 'nothing';
}

function partOf(write: Write, look: Lookups): string | null {
  const sql = write.sql.trimStart();
  if (SILENT.some((pattern) => pattern.test(sql))) return null;
  const named = NAMES.find(([pattern]) => pattern.test(sql));
  return named ? named[1]({ ...write, sql }, look) : sql.split(/\s+/).slice(0, 3).join(' ');
}

/** `create sale`, `sale dispatch`, `refund ended declined`: with what was told, where the event has a word for it. */
function journalName({ values }: Write, look: Lookups): string {
  const [, attemptId, , event, , , details] = values.map(String);
  const type = look.typeOf(attemptId ?? '');
  if (event === 'create') return `create ${type}`;
  const { verdict, as, of }: Record<string, unknown> = Object(JSON.parse(details ?? '{}'));
  const word = [verdict, as, of].find((one) => typeof one === 'string');
  return `${type} ${event}${word === undefined ? '' : ` ${word}`}`;
}
