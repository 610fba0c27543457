import { parseSync } from 'rolldown/utils';

/** A change of one function, in code that is compared as syntax trees: how the source is laid out does not matter. */
export type Change = {
  /** A function or a constant of the module, or a method with its class's name before a dot. */
  readonly in: string;
} & (NewBody | Replacement);

interface NewBody {
  /** Statements that become its whole body. */
  readonly body: string;
}

interface Replacement {
  /** Code that is in it exactly once: an expression, statements that follow each other, or cases of a `switch`. */
  readonly find: string;
  /** Code of the same sort, in which `$&` stands for what was found. Empty: what was found is dropped. */
  readonly replace: string;
}

/** A bug to be planted in the product's own source, for one run. */
export type Plant = Change & {
  readonly name: string;
  /** Path in the repository, with forward slashes. */
  readonly file: string;
  /** More places of the same file: a rule that is held twice is broken only where both are. */
  readonly also?: readonly Change[];
};

/** The source with the bug in it. @throws Error as `changed` does */
export function planted(source: string, plant: Plant): string {
  return [plant, ...(plant.also ?? [])].reduce((text, change) => changed(text, plant.file, change), source);
}

/**
 * The source with one change made.
 * @throws Error when its place is not there exactly once, what comes out does not parse, or nothing changes: a bug that has drifted proves nothing.
 */
export function changed(source: string, file: string, change: Change): string {
  const where = `${change.in} of ${file}`;
  const named = declarationsOf(programOf(source, file)).filter(({ name }) => name === change.in);
  const { node } = only(named, where);
  const { start, end, code } =
    'body' in change ? newBody(node, change, where) : replacement(node, change, where);
  const text = `${source.slice(0, start)}${code}${source.slice(end)}`;
  if (isSameCode(text, source, file)) throw new Error(`${where}: nothing changes`);
  return text;
}

/** Whether two sources of a file differ in their layout only. @throws Error when one does not parse */
export function isSameCode(one: string, other: string, file: string): boolean {
  return shapeOf(programOf(one, file)) === shapeOf(programOf(other, file));
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

function newBody({ body }: Node, change: NewBody, where: string): Edit {
  if (!isNode(body)) throw new Error(`${where} has no body`);
  return { start: body.start, end: body.end, code: `{ ${change.body} }` };
}

function replacement(tree: Node, { find, replace }: Replacement, where: string): Edit {
  const code = replace.replaceAll('$&', () => find);
  for (const { nodesOf, written } of SORTS) {
    const wanted = nodesOf(find);
    if (!wanted?.length || !nodesOf(code)) continue;
    const { start, end, isAlone } = only(placesOf(wanted, tree), `"${find}" in ${where}`);
    return { start, end, code: written(code, isAlone) };
  }
  throw new Error(`${where}: "${find}" and "${code}" do not parse as the same sort of code`);
}

function only<T>(all: readonly T[], what: string): T {
  const [first] = all;
  if (first === undefined || all.length > 1)
    throw new Error(`${what} is there ${all.length} times, not once`);
  return first;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** @throws Error when it does not parse, or says what no program may, like the name of a private field that its class lacks */
function programOf(source: string, file: string): Node {
  const { program, errors } = parse(source, true);
  if (errors[0]) throw new Error(`${file} does not parse: ${errors[0].message}`);
  return program;
}

function parse(source: string, showSemanticErrors = false) {
  const { program, errors } = parseSync('module.ts', source, { preserveParens: false, showSemanticErrors });
  return { program: program as unknown as Node, errors };
}

/** The functions, constants and methods of a module. */
function declarationsOf(program: Node): readonly { readonly name: string; readonly node: Node }[] {
  return nodesIn(program['body']).flatMap((statement) => {
    const [declared = statement] = nodesIn(statement['declaration']);
    const name = nameOf(declared['id']);
    if (declared.type === 'FunctionDeclaration') return [{ name, node: declared }];
    if (declared.type === 'ClassDeclaration') return methodsOf(declared, name);
    return nodesIn(declared['declarations']).map((node) => ({ name: nameOf(node['id']), node }));
  });
}

/** An overload has no body. */
function methodsOf(declared: Node, owner: string) {
  return insideOf(declared).flatMap(({ key, value }) =>
    isNode(value) && isNode(value['body']) ? [{ name: `${owner}.${nameOf(key)}`, node: value }] : [],
  );
}

/** The statements of a function, the members of a class. */
function insideOf({ body }: Node): readonly Node[] {
  return isNode(body) ? nodesIn(body['body']) : [];
}

function nameOf(id: unknown): string {
  if (!isNode(id)) return '';
  return id.type === 'PrivateIdentifier' ? `#${id['name']}` : String(id['name']);
}

interface Place {
  readonly start: number;
  readonly end: number;
  /** The tree has one node there and no list. */
  readonly isAlone: boolean;
}

/** Where in the tree these nodes are, one after the other. */
function placesOf(wanted: readonly Node[], tree: Node): readonly Place[] {
  const shape = shapeOf(wanted);
  return Object.values(tree).flatMap((value) => {
    const nodes = nodesIn(value);
    const isAlone = !Array.isArray(value);
    const here = nodes.flatMap((first, index) => {
      const run = nodes.slice(index, index + wanted.length);
      return shapeOf(run) === shape
        ? [{ start: first.start, end: run.at(-1)?.end ?? first.end, isAlone }]
        : [];
    });
    return [...here, ...nodes.flatMap((node) => placesOf(wanted, node))];
  });
}

/** A tree as text, without what says only where and how it is written. */
function shapeOf(tree: unknown): string {
  return JSON.stringify(tree, (key, value) => {
    if (key === 'start' || key === 'end' || key === 'raw') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });
}

interface Sort {
  /** What some code consists of; null: it is of another sort. */
  readonly nodesOf: (code: string) => readonly Node[] | null;
  readonly written: (code: string, isAlone: boolean) => string;
}

/** The first that fits counts: what can be an object is no block. */
const SORTS: readonly Sort[] = [
  { nodesOf: (code) => parsedNodes(`return (${code}\n)`, 'argument'), written: (code) => `(${code})` },
  {
    nodesOf: (code) => parsedNodes(`{ ${code}\n}`, 'body'),
    written: (code, isAlone) => (isAlone ? `{ ${code} }` : code),
  },
  { nodesOf: (code) => parsedNodes(`switch (0) { ${code}\n}`, 'cases'), written: (code) => code },
];

/** What one statement has in a field; null when it does not parse as one statement. */
function parsedNodes(statement: string, field: string): readonly Node[] | null {
  const { program, errors } = parse(`async function a() { ${statement} }`);
  const [first, another] = nodesIn(program['body']).flatMap(insideOf);
  return first && !another && errors.length === 0 ? nodesIn(first[field]) : null;
}

function nodesIn(value: unknown): readonly Node[] {
  return [value].flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
}
