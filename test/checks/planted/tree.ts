import { parseSync } from 'oxc-parser';

/** A change of one function, said in terms of its syntax tree; what the function is written like does not matter. */
export type Change =
  /** Its body becomes this one statement. */
  | { readonly kind: 'body'; readonly statement: string }
  /** The condition of its n-th `if` or `?:`, counted from 0 in the order of the source. */
  | { readonly kind: 'condition'; readonly index: number; readonly becomes: 'true' | 'false' };

export interface Place {
  readonly file: string;
  /** A function, or a method with its class's name before a dot. */
  readonly in: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** The source with the function changed. @throws Error when there is no such function, or not exactly one, or no such condition in it */
export function changed(source: string, { file, in: name }: Place, change: Change): string {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const found = functionsOf(program as unknown as Node).filter((one) => one.name === name);
  const [only, another] = found;
  if (!only || another) throw new Error(`${file} has ${found.length} functions named ${name}`);
  const { body } = only;
  if (change.kind === 'body')
    return `${source.slice(0, body.start)}{ ${change.statement} }${source.slice(body.end)}`;
  const test = conditionsIn(body)[change.index];
  if (!test) throw new Error(`${file}: ${name} has no condition ${change.index}`);
  return `${source.slice(0, test.start)}${change.becomes}${source.slice(test.end)}`;
}

interface Found {
  readonly name: string;
  readonly body: Node;
}

function functionsOf(program: Node): readonly Found[] {
  const found: Found[] = [];
  visit(program, (node) => {
    if (node.type === 'FunctionDeclaration') add(found, nameOf(node['id']), node);
    if (node.type !== 'ClassDeclaration') return;
    const owner = nameOf(node['id']);
    visit(node, (member) => {
      if (member.type !== 'MethodDefinition') return;
      const key = member['key'] as Node;
      const name = key.type === 'PrivateIdentifier' ? `#${String(key['name'])}` : nameOf(key);
      add(found, `${owner}.${name}`, member['value'] as Node);
    });
  });
  return found;
}

/** An overload has no body. */
function add(found: Found[], name: string, { body }: { readonly body?: unknown } & object): void {
  if (isNode(body)) found.push({ name, body });
}

function conditionsIn(body: Node): readonly Node[] {
  const tests: Node[] = [];
  visit(body, (node) => {
    const { test } = node;
    if ((node.type === 'IfStatement' || node.type === 'ConditionalExpression') && isNode(test))
      tests.push(test);
  });
  return tests.toSorted((a, b) => a.start - b.start);
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value]) if (isNode(inner)) visit(inner, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
}

function nameOf(id: unknown): string {
  return isNode(id) ? String(id['name']) : '';
}
