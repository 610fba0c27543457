import { parseArgs } from 'node:util';
import { playAll } from './play-all.ts';
import { subjects as all } from './subjects/list.ts';
import { suiteOf } from './suite.ts';

const USAGE = 'conformance [--driver TEXT] [--scenario TEXT]   prints the matrix of drivers and scenarios';

/** Prints the matrix, then one JSON line; 1 when a promise is broken, 2 for a wrong call. */
async function main(): Promise<number> {
  const options = optionsOf();
  if (!options) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const subjects = all.filter(({ id }) => id.includes(options.driver));
  const scenarios = suiteOf().filter(({ id }) => id.includes(options.scenario));
  if (subjects.length === 0 || scenarios.length === 0) {
    process.stderr.write(`nothing of that name; drivers: ${all.map(({ id }) => id).join(', ')}\n`);
    return 2;
  }
  const failed = await playAll(subjects, scenarios, (text) => process.stdout.write(text));
  return failed === 0 ? 0 : 1;
}

function optionsOf(): { readonly driver: string; readonly scenario: string } | null {
  try {
    const { values } = parseArgs({
      options: {
        driver: { type: 'string', default: '' },
        scenario: { type: 'string', default: '' },
      },
    });
    return values;
  } catch {
    return null;
  }
}

process.exitCode = await main();
