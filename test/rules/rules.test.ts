import { beforeAll, describe, expect, it } from 'vitest';
import { check } from './check.ts';
import type { Rule, TestName } from './rule.ts';
import { RULES_OF_MONEY } from './rules-of-money.ts';
import { tableOf } from './table.ts';
import { listTests, type ProjectTests } from './tests-of-the-project.ts';

const late: { tests?: ProjectTests } = {};
beforeAll(async () => {
  late.tests = await listTests();
}, 120_000);
const tests = (): ProjectTests => late.tests ?? { byFile: new Map(), source: () => '' };

const problemsOf = (...rules: Rule[]) => check([{ title: 'planted', rules }], tests()).problems;
const naming = (...names: TestName[]): Rule => ({ id: 'planted/rule', text: 'x', tests: names });

describe('the rules of money', () => {
  it('are all held by a test that is there, or say why they come later', () => {
    const checked = check(RULES_OF_MONEY, tests());
    expect(checked.problems).toEqual([]);
    expect(checked.covered + checked.later).toBe(checked.rules);
  });

  it('are printed with every id, and their sums', () => {
    const checked = check(RULES_OF_MONEY, tests());
    const table = tableOf(RULES_OF_MONEY, checked);
    for (const { rules } of RULES_OF_MONEY) for (const { id } of rules) expect(table).toContain(`  ${id} `);
    expect(table).toContain(`${checked.rules} rules: ${checked.covered} held by tests`);
  });
});

describe('a list of rules', () => {
  const good = 'scenario/a-void > a void > undoes a sale of the open batch as a whole, named by its number';
  it.each<[string, readonly Rule[], RegExp | null]>([
    ['a whole title is found', [naming(good)], null],
    ['the end of a title at a boundary is enough', [naming(good.replace('a void > ', ''))], null],
    ['a part of a title is not', [naming(good.slice(0, -7))], /no test "a void > undoes/],
    [
      'a title that nobody has is found out',
      [naming(`${good} x`)],
      /^planted\/rule: no test "a void > undoes.* x" in scenario\/a-void$/,
    ],
    ['a file that nobody has is found out', [naming('scenario/gone > x')], /no test file "scenario\/gone"/],
    [
      'a title that two tests have is found out',
      [naming('unit/payment/follow-up > %s')],
      /tests "%s".*say which/,
    ],
    [
      'a row that is in the file is found',
      [naming({ test: 'unit/payment/amounts > %s is %s', row: 'one cent less' })],
      null,
    ],
    [
      'a row that is not is found out',
      [naming({ test: 'unit/payment/amounts > %s is %s', row: 'a planted row' })],
      /no row "a planted row"/,
    ],
    ['a rule without a test is found out', [naming()], /^planted\/rule: no test$/],
    ['an id that is there twice is found out', [naming(good), naming(good)], /^planted\/rule: there twice$/],
    ['a rule that comes later says why', [{ id: 'x', text: 'x', later: '' }], /nobody says why/],
  ])('%s', (_title, rules, problem) => {
    const problems = problemsOf(...rules);
    if (problem === null) expect(problems).toEqual([]);
    else expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it('does not count what comes later, or is named wrongly, as held', () => {
    const rules = [naming(good), { ...naming('x > y'), id: 'b' }, { id: 'c', text: 'x', later: 'soon' }];
    expect(check([{ title: 'planted', rules }], tests())).toMatchObject({ rules: 3, covered: 1, later: 1 });
  });
});
