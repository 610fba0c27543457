import type { Attack, Verdict } from './attack.ts';
import type { Field } from './field.ts';

/** One row of the table, filled in. */
export interface Row {
  readonly attack: Attack;
  readonly came: string;
  readonly pass: boolean;
  /** `yes`, or why the honest till could not sell afterwards. */
  readonly selling: string;
  readonly rssMiB: number;
}

/** What the daemon may have grown by, against its size before the first attack; its heap and its caches grow and shrink. */
const MAX_GROWTH_MIB = 500;

export interface RunOptions {
  /** Sell after each attack, or once after all of them; that nobody else was charged is looked at each time. */
  readonly saleAfter?: 'each' | 'all';
  readonly print?: (row: Row) => void;
}

/** Carries out the attacks one after another; those that only wait are carried out at the same time, first. */
export async function attackAll(
  field: Field,
  attacks: readonly Attack[],
  { saleAfter = 'each', print = () => undefined }: RunOptions = {},
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  await field.till.sell();
  const startMiB = field.rssMiB();
  const finish = async (attack: Attack, verdict: Verdict) => {
    const sells = saleAfter === 'each' || attack === attacks.at(-1);
    const row = await assess(field, attack, verdict, { startMiB, sells });
    rows.push(row);
    print(row);
  };
  const waiting = attacks
    .filter(({ kind }) => kind === 'slow')
    .map((attack) => ({ attack, verdict: carryOut(attack, field) }));
  for (const attack of attacks.filter(({ kind }) => kind !== 'slow')) {
    await finish(attack, await carryOut(attack, field));
  }
  for (const { attack, verdict } of waiting) await finish(attack, await verdict);
  return rows;
}

async function carryOut(attack: Attack, field: Field): Promise<Verdict> {
  try {
    return await attack.run(field);
  } catch (error) {
    return { came: error instanceof Error ? error.message : String(error), pass: false };
  }
}

/** After every attack: the till sells, nobody else was charged, no key was echoed, the daemon lives and has not grown. */
async function assess(
  field: Field,
  attack: Attack,
  verdict: Verdict,
  { startMiB, sells }: { readonly startMiB: number; readonly sells: boolean },
): Promise<Row> {
  const flaws: string[] = [];
  const kept = field.takeKept();
  const echoed = Object.entries(field.keys).find(([, key]) => kept.includes(key));
  if (kept.includes(field.serviceKey)) flaws.push('the key of the service was read');
  if (echoed) flaws.push(`the key "${echoed[0]}" was echoed`);
  if (/^HTTP\/1\.1 50[0-24-9]/m.test(kept)) flaws.push('the daemon blames itself (5xx)');
  const sale = field.daemon.alive
    ? await (sells ? field.till.sell() : field.till.look())
    : { ok: false, words: `the daemon is dead: ${field.daemon.output.slice(-500)}` };
  const rssMiB = field.daemon.alive ? field.rssMiB() : 0;
  if (rssMiB > startMiB + MAX_GROWTH_MIB) flaws.push(`it has grown from ${startMiB} to ${rssMiB} MiB`);
  const pass = verdict.pass && sale.ok && flaws.length === 0;
  return { attack, came: [verdict.came, ...flaws].join('; '), pass, selling: sale.words, rssMiB };
}
