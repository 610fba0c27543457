import { mostConnections } from './crowd.ts';
import { Field } from './field.ts';
import { ATTACKS } from './list.ts';
import { attackAll, type Row } from './run.ts';

/** Prints the table; 1 when a row failed. */
async function main(): Promise<number> {
  const started = performance.now();
  const rows: Row[] = [];
  const only = process.argv[2];
  for (const tls of [false, true]) {
    const attacks = ATTACKS.filter(({ at, group }) => (at === 'tls') === tls && (!only || group === only));
    if (attacks.length === 0) continue;
    const field = await Field.open({ tls, crowd: mostConnections(), torrentMs: 3_000 });
    try {
      rows.push(...(await attackAll(field, attacks, { print: (row) => process.stdout.write(lineOf(row)) })));
    } finally {
      await field.close();
    }
  }
  const refused = rows.filter(({ pass }) => pass).length;
  const summary = {
    attacks: rows.length,
    refused,
    failed: rows.length - refused,
    wall_ms: Math.round(performance.now() - started),
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  return summary.failed === 0 && rows.length > 0 ? 0 : 1;
}

function lineOf({ attack, came, pass, selling, rssMiB }: Row): string {
  const cells = [
    pass ? 'pass' : 'FAIL',
    attack.group.padEnd(18),
    short(attack.name, 60).padEnd(60),
    short(attack.expected, 44).padEnd(44),
    pass ? short(came, 44).padEnd(44) : came,
    `selling: ${selling}`,
    `${rssMiB} MiB`,
  ];
  return `${cells.join(' | ')}\n`;
}

/** Text of the table holds nothing that a screen would obey. */
function short(text: string, length: number): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > length ? `${plain.slice(0, length - 1)}~` : plain;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main();
