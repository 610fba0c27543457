import type { Rule, Section, TestName } from './rule.ts';
import type { ProjectTests } from './tests-of-the-project.ts';

/** What the list says of itself. */
export interface Checked {
  readonly rules: number;
  readonly covered: number;
  readonly later: number;
  /** One sentence each: rules without a test, names that nothing or too much answers to, ids that are there twice. */
  readonly problems: readonly string[];
}

/** Holds the rules against the tests that there are; pure. */
export function check(sections: readonly Section[], tests: ProjectTests): Checked {
  const rules = sections.flatMap((section) => section.rules);
  const faults = new Map(rules.map((rule) => [rule, faultsOf(rule, tests)] as const));
  const kept = rules.filter((rule) => 'tests' in rule && faults.get(rule)?.length === 0);
  return {
    rules: rules.length,
    covered: kept.length,
    later: rules.filter((rule) => 'later' in rule).length,
    problems: [...twice(rules), ...[...faults.values()].flat()],
  };
}

function faultsOf(rule: Rule, tests: ProjectTests): readonly string[] {
  if ('later' in rule) return rule.later === '' ? [`${rule.id}: later, and nobody says why`] : [];
  if (rule.tests.length === 0) return [`${rule.id}: no test`];
  return rule.tests.flatMap((name) => {
    const fault = faultOf(name, tests);
    return fault === null ? [] : [`${rule.id}: ${fault}`];
  });
}

function faultOf(name: TestName, { byFile, source }: ProjectTests): string | null {
  const { test, row } = typeof name === 'string' ? { test: name, row: null } : name;
  const [file = '', ...titles] = test.split(' > ');
  const known = byFile.get(file);
  if (!known) return `no test file "${file}"`;
  const tail = titles.join(' > ');
  const found = known.filter((title) => title === tail || title.endsWith(` > ${tail}`));
  if (found.length === 0) return `no test "${tail}" in ${file}`;
  if (found.length > 1) return `${found.length} tests "${tail}" in ${file}: say which`;
  if (row !== null && !source(file).includes(row)) return `no row "${row}" in ${file}`;
  return null;
}

function twice(rules: readonly Rule[]): readonly string[] {
  const ids = rules.map(({ id }) => id);
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id}: there twice`);
}
