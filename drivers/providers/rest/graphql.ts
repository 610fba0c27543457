/** What a GraphQL document does, as far as a recipe has to know it. */
export interface GraphqlDocument {
  /** `query`, `mutation`, `subscription`, `fragment`, or another word, in their order. */
  readonly definitions: readonly string[];
  /** Names of the declared variables. */
  readonly variables: ReadonlySet<string>;
}

const TEXTS_AND_COMMENTS = /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*/g;
const TOKENS = /[{}()]|[A-Za-z_][A-Za-z0-9_]*/g;

/** Null: its brackets or texts are not closed. @see https://spec.graphql.org/October2021/#sec-Document */
export function readGraphql(text: string): GraphqlDocument | null {
  const plain = text.replaceAll(TEXTS_AND_COMMENTS, ' ');
  if (plain.includes('"')) return null;
  const definitions: string[] = [];
  let depth = 0;
  let isInside = false;
  for (const [token] of plain.matchAll(TOKENS)) {
    if (!isInside) {
      definitions.push(token === '{' ? 'query' : token);
      isInside = true;
    }
    if (token === '{' || token === '(') depth += 1;
    else if (token === '}' || token === ')') depth -= 1;
    if (depth < 0) return null;
    if (token === '}' && depth === 0) isInside = false;
  }
  if (depth !== 0 || isInside) return null;
  const declared = [...plain.matchAll(/\$([A-Za-z_][A-Za-z0-9_]*)\s*:/g)];
  return { definitions, variables: new Set(declared.map(([, name]) => name ?? '')) };
}

/** Why a recipe may not send it; null: it reads, by one query. */
export function graphqlProblem(text: string): string | null {
  const document = readGraphql(text);
  if (document === null) return 'this is no GraphQL: a bracket or a text in it is not closed';
  const operations = document.definitions.filter((one) => one !== 'fragment');
  const other = operations.find((one) => one !== 'query');
  if (other !== undefined) return `a recipe only reads: "${other.slice(0, 40)}" is refused`;
  return operations.length === 1 ? null : `it holds ${operations.length} queries: one is needed`;
}

/** Whether a text is a GraphQL document that changes something, wherever it stands. */
export function isGraphqlWrite(text: string): boolean {
  const definitions = readGraphql(text)?.definitions ?? [];
  return definitions.some((one) => one === 'mutation' || one === 'subscription');
}
