/**
 * A test that holds a rule: its file below `test/` without `.test.ts`, then its title, with as much of its `describe` titles before
 * it as makes it the only one in that file, joined by ` > `. Of a table test the title is the template (`%s`), and `row` is a text
 * that stands in that file and names the row.
 */
export type TestName = string | { readonly test: string; readonly row: string };

/** One promise about money: held by tests, or built later. */
export type Rule = {
  /** `section/word`, stable. */
  readonly id: string;
  readonly text: string;
} & (
  | { readonly tests: readonly TestName[] }
  /** Why there is nothing to test yet; does not count as covered. */
  | { readonly later: string }
);

export interface Section {
  readonly title: string;
  readonly rules: readonly Rule[];
}
