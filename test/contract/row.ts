import type { Answer, Ask } from './ask.ts';
import { type Expected, meets } from './expect.ts';
import type { Setting, Side, SideName } from './sides/side.ts';

/** One promise of the interface, held against both sides over real HTTP. */
export interface Row {
  /** `group/words`, stable and unique. */
  readonly id: string;
  /** The heading of the interface that says so. */
  readonly section: string;
  /** The promise, as a sentence. */
  readonly what: string;
  /** Entries of the interface that this row holds, as `coverage.ts` names them. */
  readonly covers: readonly string[];
  /** Why a side need not keep it. */
  readonly exempt?: Partial<Readonly<Record<SideName, string>>>;
  /** @throws Breach */
  readonly run: (side: Side) => Promise<void>;
}

/** Rows that share one opened side; what one leaves behind the next may see. */
export interface Group {
  readonly name: string;
  readonly setting?: Setting;
  readonly rows: readonly Row[];
}

/** A request with the key that holds every scope, and what must come back. */
export async function ask(side: Side, asked: Ask, expected: Expected): Promise<Answer> {
  return askAs(side, 'full', asked, expected);
}

/** The same with another key. */
export async function askAs(side: Side, key: string, asked: Ask, expected: Expected): Promise<Answer> {
  const headers = { 'x-api-key': side.keyOf(key), ...asked.headers };
  const answer = await side.send({ ...asked, headers });
  meets(answer, expected);
  return answer;
}

/** A row that neither side need keep, each for its reason. */
export function exemptRow(row: Omit<Row, 'run' | 'exempt'>, local: string, sandbox = local): Row {
  return { ...row, exempt: { local, sandbox }, run: async () => undefined };
}
