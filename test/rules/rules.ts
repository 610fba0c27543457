import { check } from './check.ts';
import { RULES_OF_MONEY } from './rules-of-money.ts';
import { tableOf } from './table.ts';
import { listTests } from './tests-of-the-project.ts';

// Prints every rule of money with the tests that hold it; exit 1 when a rule has none, or names one that is not there.
const checked = check(RULES_OF_MONEY, await listTests());
process.stdout.write(`${tableOf(RULES_OF_MONEY, checked)}\n`);
process.exitCode = checked.problems.length === 0 ? 0 : 1;
