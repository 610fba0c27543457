import { hasPlace, type Json } from '../../../src/driver-kit/provider.ts';
import { graphqlProblem, isGraphqlWrite, readGraphql } from './graphql.ts';
import {
  type Body,
  type Recipe,
  type Resource,
  recipeShape,
  type WrittenRecipe,
  writtenRecipe,
} from './recipe.ts';
import { unknownResources } from './webhook.ts';

/** A rule that a recipe breaks, and where. */
export interface RecipeMistake {
  readonly path: readonly string[];
  readonly message: string;
}

type Found = readonly RecipeMistake[];

/** The schema of a recipe. */
export const recipeSchema = writtenRecipe.transform(withDefaults).pipe(
  recipeShape.superRefine((recipe, context) => {
    for (const { path, message } of mistakesIn(recipe))
      context.addIssue({ code: 'custom', message, path: [...path] });
  }),
);

/** Each resource with what it has of `defaults`. */
function withDefaults({ defaults, resources, ...recipe }: WrittenRecipe): object {
  const whole = Object.entries(resources).map(([id, one]) => {
    const parts = Object.entries({ ...defaults, ...one });
    return [id, Object.fromEntries(parts.filter(([, part]) => part !== null))];
  });
  return { ...recipe, resources: Object.fromEntries(whole) };
}

/** What the shape of a recipe does not show: parts that contradict each other, a place that is not there, a query that is none. */
function mistakesIn(recipe: Recipe): Found {
  return [
    ...Object.entries(recipe.resources).flatMap(([id, one]) =>
      under(['resources', id], [...contradictions(one), ...bodyMistakes(one), ...statementMistakes(one)]),
    ),
    ...keyMistakes(recipe),
    ...unknownValues(recipe),
    ...wokenMistakes(recipe),
  ];
}

/** Resources that a webhook would wake and that the recipe lacks. */
function wokenMistakes({ webhook, resources }: Recipe): Found {
  const unknown = webhook ? unknownResources(webhook, Object.keys(resources)) : [];
  return under(
    ['webhook', 'event', 'resources'],
    unknown.map((name) => mistake(`the recipe has no resource "${name}"`)),
  );
}

function contradictions(one: Resource): Found {
  return [
    ...(one.changes && !one.updatedAt
      ? [mistake('"changes" needs "updatedAt": without it a sync cannot know how far it has come')]
      : []),
    ...(one.deletes === 'tombstones' && !one.deleted
      ? [mistake('"deletes": "tombstones" needs "deleted"')]
      : []),
    ...(one.empty === 'missing' && one.items === ''
      ? [mistake('"empty": "missing" needs "items"', 'empty')]
      : []),
    ...(one.get ? getMistakes(one.get) : []),
  ];
}

function getMistakes({ path, body, id }: NonNullable<Resource['get']>): Found {
  const inPath = path.includes('{id}');
  if (!body)
    return inPath && id === undefined ? [] : [mistake('needs "{id}", or a body and "id"', 'get', 'path')];
  if (inPath === (id !== undefined))
    return [mistake('the id goes either into the path, as "{id}", or into the body, as "id"', 'get')];
  return under(
    ['get'],
    [...textMistakes(body), ...placesMissing(body, id === undefined ? [] : [id], ['id'])],
  );
}

function bodyMistakes({ body, page, changes }: Resource): Found {
  const bounds = boundsOf(changes).filter(({ bound }) => bound.in === 'request');
  const asTree = bounds.filter(({ bound }) => typeof bound.template !== 'string');
  const noTree = (body === undefined || body.as === 'form') && asTree.length > 0;
  const wrong = noTree
    ? [
        mistake(
          'is JSON, which only a JSON or GraphQL body can hold',
          'changes',
          asTree[0]?.side ?? '',
          'template',
        ),
      ]
    : [];
  if (!body) return wrong;
  if (page.style === 'link')
    return [...wrong, mistake('"link" names an address, which a POST does not follow', 'page', 'style')];
  const names = [...pageParameters(page), ...bounds.map(({ bound }) => bound.parameter)];
  return [...wrong, ...textMistakes(body), ...placesMissing(body, names, ['page', 'changes'])];
}

/** A recipe only reads. */
function textMistakes(body: Body): Found {
  if (body.as === 'graphql') {
    const problem = graphqlProblem(queryText(body));
    return problem === null ? [] : [mistake(problem, 'body', 'query')];
  }
  const texts = Object.values(body.as === 'json' ? body.value : body.fields);
  return texts.some((text) => typeof text === 'string' && isGraphqlWrite(text))
    ? [mistake('a recipe only reads: a GraphQL mutation is refused', 'body')]
    : [];
}

/** A parameter without its place would never be sent: each page would be the first. */
function placesMissing(body: Body, names: readonly string[], where: readonly string[]): Found {
  if (body.as === 'form') return [];
  if (body.as === 'json')
    return names
      .filter((name) => !hasPlace(body.value, name))
      .map((name) =>
        mistake(`the body has no place "${name}", which ${where.join(' or ')} names`, 'body', 'value'),
      );
  const variables = readGraphql(queryText(body))?.variables ?? new Set();
  return names
    .map((name) => name.split('.')[0] ?? '')
    .filter((name) => !variables.has(name))
    .map((name) =>
      mistake(`the query declares no variable $${name}, which ${where.join(' or ')} names`, 'body', 'query'),
    );
}

function statementMistakes({ statement, page, changes, body }: Resource): Found {
  if (!statement) return [];
  if (body) return [mistake('goes into the query of a GET: there is a body', 'statement')];
  if (page.style === 'cursor' || page.style === 'link')
    return [
      mistake('holds whole numbers and times only: "page" must be "offset", "page" or "whole"', 'statement'),
    ];
  const bounds = boundsOf(changes).filter(({ bound }) => bound.in === 'request');
  return [...pageParameters(page), ...bounds.map(({ bound }) => bound.parameter)]
    .filter((name) => !statement.text.includes(`{${name}}`))
    .map((name) => mistake(`has no mark {${name}}`, 'statement', 'text'));
}

function keyMistakes({ auth, resources, payments, test }: Recipe): Found {
  if (auth.type !== 'body') return [];
  const bodies = Object.entries(resources).flatMap(([id, { body, get }]) => [
    { where: ['resources', id], body },
    ...(get ? [{ where: ['resources', id, 'get'], body: get.body }] : []),
  ]);
  const without = bodies.filter(({ body }) => body?.as === undefined || body.as === 'graphql');
  return [
    ...without.map(({ where }) => ({
      path: where,
      message: 'the key goes into the body: it needs a body that is JSON or a form',
    })),
    ...bodies
      .filter(({ body }) => body?.as === 'json' && !hasPlace(body.value, auth.place))
      .map(({ where }) => ({
        path: [...where, 'body'],
        message: `has no place "${auth.place}" for the key`,
      })),
    ...(payments
      ? [mistake('the key goes into the body: payments cannot be found by a GET', 'payments')]
      : []),
    ...(test ? [mistake('the key goes into the body: leave it out, and a list is read', 'test')] : []),
  ];
}

function unknownValues({ headers, resources, values }: Recipe): Found {
  const inHeaders = Object.entries(headers).flatMap(([header, text]) =>
    typeof text === 'string' ? [] : [{ path: ['headers', header], name: text.$value }],
  );
  const inBodies = Object.entries(resources).flatMap(([id, { body, get }]) =>
    [body, get?.body].flatMap((one) =>
      one?.as === 'json' ? valuesIn(one.value).map((name) => ({ path: ['resources', id], name })) : [],
    ),
  );
  return [...inHeaders, ...inBodies]
    .filter(({ name }) => !Object.hasOwn(values, name))
    .map(({ path, name }) => ({ path, message: `"values" has no "${name}"` }));
}

/** The names of the values that JSON refers to. */
function valuesIn(tree: Json): readonly string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const entries = Object.entries(tree);
  const [first] = entries;
  if (entries.length === 1 && first && ['$value', '$number'].includes(first[0])) return [String(first[1])];
  return entries.flatMap(([, inner]: [string, Json]) => valuesIn(inner));
}

/** The text of a GraphQL query. */
export function queryText({ query }: Body & { as: 'graphql' }): string {
  return typeof query === 'string' ? query : query.join('\n');
}

function pageParameters(page: Resource['page']): readonly string[] {
  if (page.style === 'whole') return [];
  const place =
    page.style === 'offset'
      ? [page.offset]
      : page.style === 'page'
        ? [page.page]
        : page.style === 'cursor'
          ? [page.cursor]
          : [];
  return page.sizeParameter === undefined ? place : [...place, page.sizeParameter];
}

function boundsOf(changes: Resource['changes']) {
  if (!changes) return [];
  const { from, until } = changes;
  return [{ side: 'from', bound: from }, ...(until ? [{ side: 'until', bound: until }] : [])];
}

function mistake(message: string, ...path: readonly string[]): RecipeMistake {
  return { path, message };
}

function under(path: readonly string[], found: Found): Found {
  return found.map((one) => ({ path: [...path, ...one.path], message: one.message }));
}
