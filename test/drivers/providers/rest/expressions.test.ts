import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../../drivers/providers/rest/expressions.ts';

/** A valid expression, evaluated. */
async function evaluated(text: string, input: unknown = {}): Promise<unknown> {
  const compiled = compileExpression(text);
  if (compiled.problem !== null) throw new Error(compiled.problem);
  return compiled.evaluate(input, {});
}

/** `$a` ten times as long with each step. */
const growing = ['$a', '$b', '$c', '$d', '$e', '$f', '$g', '$h']
  .map((name, at, names) =>
    at === 0
      ? `${name} := "xxxxxxxxxx"`
      : `${name} := ${Array(10)
          .fill(names[at - 1])
          .join('&')}`,
  )
  .join('; ');

describe('an expression of a recipe', () => {
  it.each([
    ['a list for each element of a list', '[1..10000].$sum([1..10000].$)'],
    ['three lists in each other', '$count([1..3000].($count([1..3000].($count([1..3000])))))'],
    ['one long list, summed again and again', '($r := [1..10000]; [1..10000].$sum($r))'],
    ['a text that grows tenfold with each step', `(${growing}; $length($h))`],
    ['texts that are kept', '[1..10000].($pad("", 9000) & "x")'],
  ])('that costs too much ends, and names itself: %s', async (_what, text) => {
    await expect(evaluated(text)).rejects.toThrow(/^it takes more steps .*\(.*\[|^it takes more steps .*:=/);
  });

  it('makes no long text in one step', async () => {
    await expect(evaluated('$pad("x", 100000000)')).rejects.toThrow(
      /no text of more than 10000 characters \(\$pad/,
    );
  });

  it('begins anew with each record', async () => {
    const compiled = compileExpression('$count([1..9000].{"n": $})');
    const counts = await Promise.all(
      Array.from({ length: 30 }, () => (compiled.problem === null ? compiled.evaluate({}, {}) : null)),
    );
    expect(new Set(counts)).toEqual(new Set([9000]));
  });

  it.each([
    ['$pad("foo", 5)', 'foo  '],
    ['$pad("foo", -5)', '  foo'],
    ['$pad("foo", -5, "#")', '##foo'],
    ['$pad("foo", 8, "#-")', 'foo#-#-#'],
    ['$pad("foo", 2)', 'foo'],
    ['$pad("€", 3, "€")', '€€€'],
    ['$distinct([1, 2, 2, "2", 1])', [1, 2, '2']],
    ['$distinct([{"a": 1, "b": 2}, {"b": 2, "a": 1}]).a', 1],
    ['$distinct("x")', 'x'],
    ['$count($distinct([1..5]))', 5],
  ])('has the functions of the library: %s', async (text, value) => {
    expect(await evaluated(text)).toEqual(value);
  });
});

describe('null in an expression', () => {
  const record = { none: null, first: 'Ann', number: 3, list: [null, 'b'] };
  it.each([
    ['$string(none)', undefined],
    ['none.$string()', undefined],
    ['none ~> $uppercase', undefined],
    ['none ~> $substring(1)', undefined],
    ['$lowercase(none)', undefined],
    ['$number(none) * 100', undefined],
    ['none * 100', undefined],
    ['none > 1 ? "more" : "less"', 'less'],
    ['first & none', 'Ann'],
    ['none & none', ''],
    ['none = null', true],
    ['none != null', false],
    ['$exists(none)', true],
    ['$text(none)', null],
    ['$text(missing)', null],
    ['$text("  ")', null],
    ['$text(number)', '3'],
    ['$join([first, none, missing], " ")', 'Ann'],
    ['$join([none, missing], " ")', null],
    ['$join(list, "-")', 'b'],
    ['$join(["a", "", "b"], ",")', 'a,,b'],
    ['$trim($join([none, missing], " "))', undefined],
    ['$join($map([first, none], $text), " ")', 'Ann'],
    ['[first, none].$string($)', 'Ann'],
  ])('%s', async (text, value) => {
    expect(await evaluated(text, record)).toEqual(value);
  });

  it.each([
    ['$join($map(list, $string), " ")', '$string'],
    ['list ~> $map($string)', '$string'],
    ['($s := $string; $s(none))', '$string'],
    ['($f := $trim ~> $uppercase; $f(none))', '$trim'],
    ['$map(list, $substring(?, 0, 1))', '$substring'],
    ['[$string][0](none)', '$string'],
  ])('%s is refused: a function that another one calls would meet the null itself', (text, name) => {
    const { problem } = compileExpression(text);
    expect(problem).toContain(`${name} is passed on and not called`);
    expect(problem).toContain('$text or $join');
  });
});
