import type { Checked } from './check.ts';
import type { Rule, Section, TestName } from './rule.ts';

/** The list for people: each rule with the tests that hold it, then what is wrong with it, then the sums. */
export function tableOf(sections: readonly Section[], { rules, covered, later, problems }: Checked): string {
  const body = sections.flatMap(({ title, rules: these }) => ['', title, ...these.flatMap(linesOf)]);
  const wrong = problems.length === 0 ? [] : ['', 'Wrong', ...problems.map((problem) => `  ✗ ${problem}`)];
  const sums = `${rules} rules: ${covered} held by tests, ${later} later, ${rules - covered - later} not held`;
  return [...body, ...wrong, '', sums].join('\n').trimStart();
}

function linesOf(rule: Rule): readonly string[] {
  const head = `  ${rule.id.padEnd(30)} ${rule.text}`;
  if ('later' in rule) return [head, `      later: ${rule.later}`];
  return [head, ...rule.tests.map((name) => `      ${wordsOf(name)}`)];
}

function wordsOf(name: TestName): string {
  return typeof name === 'string' ? name : `${name.test} [${name.row}]`;
}
