/** A part of an OpenAPI document; references are resolved before it is read. */
type Node = Readonly<Record<string, unknown>>;

/** A draft of a recipe, and what its author must still decide. */
export interface RecipeDraft {
  readonly recipe: Node;
  readonly open: readonly string[];
}

interface List {
  readonly resource: string;
  readonly path: string;
  readonly operation: Node;
  readonly items: string;
  readonly record: Node;
}

/** Words in a path that mean one of our resources; the first that fits counts. */
const RESOURCES: readonly (readonly [words: RegExp, resource: string])[] = [
  [/^(customers?|clients?|contacts?|people|persons?|patients?|users?)$/i, 'customers'],
  [/^(invoices?|bills?|orders?)$/i, 'invoices'],
  [/^(products?|services?|articles?|packages?|treatments?)$/i, 'products'],
  [/^(memberships?|subscriptions?)$/i, 'memberships'],
];
/** What a recipe may say once for all of its resources. */
const DEFAULTS: readonly string[] = ['page', 'changes', 'id', 'updatedAt'];
const MONEY = '$round($number({}) * $number($values.minor_per_unit))';
/** Properties of a source that mean one of our fields; `{}` is the property. */
const FIELDS: Readonly<
  Record<string, readonly (readonly [field: string, words: RegExp, expression?: string])[]>
> = {
  customers: [
    ['name', /^(full_?|display_?)?name$/i],
    ['email', /^e?_?mail(_?address)?$/i],
    ['phone', /^(tele)?phone(_?number)?$|^mobile$/i],
    ['company_name', /^company(_?name)?$|^organi[sz]ation$/i],
  ],
  products: [
    ['name', /^(name|title)$/i],
    ['amount_minor', /^(price|amount)$/i, MONEY],
  ],
  invoices: [
    ['number', /^((invoice|order)_?)?number$|^display_?id$/i],
    ['status', /^(status|state)$/i],
    ['currency', /^currency(_?code)?$/i],
    ['total_minor', /^(total|grand_?total|total_?amount|amount)$/i, MONEY],
    ['customer_external_id', /^(customer|client|contact|patient|user)(_?id)?$/i, '$string({})'],
    ['issued_on', /^(issue_?date|issued_?(on|at)|invoice_?date|date)$/i],
    ['due_on', /^due_?(on|at|date)$/i],
  ],
  memberships: [
    ['status', /^(status|state)$/i],
    ['customer_external_id', /^(customer|client|member|user)(_?id)?$/i, '$string({})'],
    ['product_external_id', /^(product|plan|package)(_?id)?$/i, '$string({})'],
    ['expires_at', /^(expires?_?(on|at)|end_?(date|s_?at)|valid_?until)$/i],
  ],
};

/** A draft from a provider's OpenAPI 3 document: what it says is taken over, what it does not say is listed. */
export function draftOf(document: Node): RecipeDraft {
  const open: string[] = [];
  const lists = listsIn(document);
  if (lists.length === 0)
    open.push(
      'no list of customers, products, invoices or memberships was found: name the resources (of a saved answer the name of the file says it: customers.json)',
    );
  const title = textOf(nodeOf(document, 'info')['title']) || 'Provider';
  const base = textOf(nodeOf(firstOf(document['servers']))['url']);
  if (!URL.canParse(base))
    open.push('no address was found: give it with --base-url when the provider is activated');
  const documentation = textOf(nodeOf(document, 'externalDocs')['url']);
  if (!URL.canParse(documentation))
    open.push('"documentation" is made up: put the address of the vendor\'s documentation there');
  const recipe = {
    recipe: 1,
    id: slug(title),
    title: title.slice(0, 200),
    documentation: URL.canParse(documentation) ? documentation : 'https://vendor.example/docs',
    ...(URL.canParse(base) ? { baseUrl: base.replace(/\/+$/, '') } : {}),
    auth: authOf(document, open),
    values: { minor_per_unit: '100' },
    ...withDefaults(
      Object.fromEntries(lists.map((list) => [list.resource, resourceOf(document, list, open)])),
    ),
  };
  return { recipe, open };
}

/** What all resources have in common stands once. */
function withDefaults(resources: Readonly<Record<string, Node>>): Node {
  const [first = {}, ...others] = Object.values(resources);
  const isCommon = (key: string) =>
    others.every((one) => JSON.stringify(one[key]) === JSON.stringify(first[key]));
  const common = DEFAULTS.filter((key) => others.length > 0 && first[key] !== undefined && isCommon(key));
  if (common.length === 0) return { resources };
  const own = Object.entries(resources).map(([id, one]) => [
    id,
    Object.fromEntries(Object.entries(one).filter(([key]) => !common.includes(key))),
  ]);
  const defaults = Object.fromEntries(common.map((key) => [key, first[key]]));
  return { defaults, resources: Object.fromEntries(own) };
}

function slug(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '');
  return words.slice(0, 64) || 'provider';
}

function authOf(document: Node, open: string[]): Node {
  const schemes = Object.values(nodeOf(nodeOf(document, 'components'), 'securitySchemes')).map((one) =>
    resolved(document, one),
  );
  for (const { type, scheme, in: place, name } of schemes) {
    if (type === 'http' && scheme === 'bearer') return { type: 'bearer' };
    if (type === 'http' && scheme === 'basic') return { type: 'basic', key: 'user:password' };
    if (type === 'apiKey' && place === 'header') return { type: 'header', name };
    if (type === 'apiKey' && place === 'query') return { type: 'query', name };
  }
  open.push(
    'nothing was found of how the key is sent: "auth" is a guess (bearer, header, basic, query, oauth2)',
  );
  return { type: 'bearer' };
}

/** The first list of each resource. */
function listsIn(document: Node): readonly List[] {
  const found = new Map<string, List>();
  for (const [path, item] of Object.entries(nodeOf(document, 'paths'))) {
    const operation = nodeOf(resolved(document, item), 'get');
    const word = path.split('/').findLast((part) => part !== '') ?? '';
    const resource = RESOURCES.find(([words]) => words.test(word))?.[1];
    if (!path.startsWith('/') || path.includes('{') || resource === undefined || found.has(resource))
      continue;
    const list = listOf(document, operation);
    if (list) found.set(resource, { resource, path, operation, ...list });
  }
  return [...found.values()];
}

/** Where the list is in an answer, and what its records look like; null: there is none. */
function listOf(document: Node, operation: Node): Pick<List, 'items' | 'record'> | null {
  const responses = nodeOf(operation, 'responses');
  const answer = resolved(document, responses['200'] ?? responses['2XX'] ?? responses['default']);
  const [media] = Object.entries(nodeOf(answer, 'content')).filter(([type]) => type.includes('json'));
  const schema = schemaOf(document, nodeOf(media?.[1])['schema']);
  if (schema['type'] === 'array') return { items: '', record: schemaOf(document, schema['items']) };
  for (const [name, property] of Object.entries(nodeOf(schema, 'properties'))) {
    const inner = schemaOf(document, property);
    if (inner['type'] === 'array') return { items: name, record: schemaOf(document, inner['items']) };
  }
  return null;
}

function resourceOf(document: Node, list: List, open: string[]): Node {
  const { resource, path, operation, items, record } = list;
  const parameters = parametersOf(document, operation);
  const properties = nodeOf(record, 'properties');
  const names = Object.keys(properties);
  const single = singleOf(document, path);
  const wanted = idKindOf(document, nodeOf(nodeOf(document, 'paths'), single));
  const id = idOf(document, properties, wanted);
  if (id === undefined) open.push(`${resource}: which property is the id?`);
  const changed = names.find((name) =>
    /^(updated|modified|changed)|(updated|modified|changed)(_?(at|on|date|time))?$/i.test(name),
  );
  const format = nodeOf(properties[changed ?? ''])['type'] === 'integer' ? 'unix_s' : 'iso';
  const since = parameters.find((name) =>
    /since|(updated|modified|changed).*(after|from|gte|min|since)|^(updated|modified)/i.test(name),
  );
  if (since === undefined || changed === undefined)
    open.push(
      `${resource}: no filter for changes was found, so every run reads all of it${hintOf(parameters)}`,
    );
  const fields = fieldsOf(document, list, wanted, open);
  const page = pageOf(resource, parameters, open);
  if (document['x-answer'] === true && page['style'] !== 'whole')
    open.push(
      `${resource}: ${parameters.map((name) => `"${name}"`).join(' and ')} are names in the answer, taken for those of the request ("page"): the documentation says whether they are`,
    );
  return {
    path,
    ...(items === '' ? {} : { items }),
    page,
    ...(since !== undefined && changed !== undefined
      ? { changes: { from: { parameter: since, format } } }
      : {}),
    id: quoted(id ?? 'id'),
    ...(changed === undefined ? {} : { updatedAt: { value: quoted(changed), format } }),
    fields,
    ...(nodeOf(nodeOf(document, 'paths'), single)['get'] ? { get: { path: `${path}/{id}` } } : {}),
  };
}

function singleOf(document: Node, path: string): string {
  const paths = Object.keys(nodeOf(document, 'paths'));
  return (
    paths.find((one) => one.startsWith(`${path}/{`) && /^\{[^}/]+\}$/.test(one.slice(path.length + 1))) ?? ''
  );
}

/** The property that is the id; where the address of one record wants another kind of text than `id` is, the one that is of its kind. */
function idOf(document: Node, properties: Node, wanted: string | undefined): string | undefined {
  const names = Object.keys(properties);
  const id = names.find((name) => /^id$/i.test(name));
  const isWanted = (name: string) => kindIn(document, properties[name]) === wanted;
  if (id !== undefined && (wanted === undefined || isWanted(id))) return id;
  const others = names.filter((name) => /((^|_)(uu)?id|Id)$/.test(name));
  return (wanted === undefined ? undefined : others.find(isWanted)) ?? id ?? others[0];
}

/** The kind of the id in the address of one record. */
function idKindOf(document: Node, single: Node): string | undefined {
  const listed: readonly unknown[] = [single['parameters'], nodeOf(single, 'get')['parameters']].flat();
  const parameter = listed.map((one) => resolved(document, one)).find((one) => one['in'] === 'path');
  return kindIn(document, parameter?.['schema']);
}

/** Type and format of a text that has a format; undefined for any other. */
function kindIn(document: Node, schema: unknown): string | undefined {
  const { type, format } = resolved(document, schema);
  return typeof format === 'string' ? `${textOf(type)} ${format}` : undefined;
}

function fieldsOf(
  document: Node,
  { resource, record }: List,
  wanted: string | undefined,
  open: string[],
): Record<string, string> {
  const properties = nodeOf(record, 'properties');
  const names = Object.keys(properties);
  const fields: Record<string, string> = {};
  const [first, last] = [/^(first|given)_?name$/i, /^(last|family|sur)_?name$/i].map((words) =>
    names.find((name) => words.test(name)),
  );
  for (const [field, words, expression = '{}'] of FIELDS[resource] ?? []) {
    const name = names.find((one) => words.test(one));
    const inner = idOf(document, nodeOf(schemaOf(document, properties[name ?? '']), 'properties'), wanted);
    if (name !== undefined && inner !== undefined)
      open.push(
        `${resource}: "${name}" is a record of its own, which many sources send only when the request asks for it: see "query"`,
      );
    const read = [name, inner].filter((step) => step !== undefined).map(quoted);
    if (name !== undefined)
      fields[field] = asText(properties[name], expression).replace('{}', read.join('.'));
    else if (field === 'name' && first && last)
      fields[field] = `$join([${quoted(first)}, ${quoted(last)}], " ")`;
    else open.push(`${resource}: nothing was found for "${field}"`);
    if (name !== undefined && field === 'status')
      open.push(
        `${resource}: "status" has the words of the source: which words count, and what they mean, is in drivers/providers/rest/README.md, "The fields"`,
      );
  }
  return fields;
}

/** A field without an expression of its own is a text. */
function asText(property: unknown, expression: string): string {
  return expression === '{}' && nodeOf(property)['type'] === 'integer' ? '$string({})' : expression;
}

/** Where a filter for changes may be, if the names of the parameters say so. */
function hintOf(parameters: readonly string[]): string {
  const filter = parameters.find((name) => /^(filters?|where|query|q)$/i.test(name));
  return filter === undefined
    ? ''
    : `; perhaps "${filter}" can say it: see the documentation, and put it into "changes"`;
}

function pageOf(resource: string, parameters: readonly string[], open: string[]): Node {
  const find = (words: RegExp) =>
    parameters.find(
      (name) => words.test(name) || words.test(/^pag(?:e|ing|ination)\[(\w+)\]$/.exec(name)?.[1] ?? ''),
    );
  const size = find(/^(limit|per_?page|page_?size|size|count|take)$/i);
  const sized = { size: 100, ...(size === undefined ? {} : { sizeParameter: size }) };
  const page = find(/^(page|page_?number|number)$/i);
  if (page !== undefined) return { style: 'page', page, ...sized };
  const offset = find(/^(offset|skip|start)$/i);
  if (offset !== undefined) return { style: 'offset', offset, ...sized };
  const cursor = find(/^(cursor|after|starting_after|page_?token)$/i);
  if (cursor !== undefined) {
    open.push(
      `${resource}: say where the next cursor is in the answer ("next"); without it the id of the last record is used`,
    );
    return { style: 'cursor', cursor, ...sized };
  }
  open.push(
    `${resource}: no parameter for pages was found, so one answer is taken for the whole list ("page"): \`tillctl recipe try\` says so where the answer names more`,
  );
  return { style: 'whole' };
}

function parametersOf(document: Node, operation: Node): readonly string[] {
  const listed = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
  return listed
    .map((one: unknown) => resolved(document, one))
    .filter((one) => one['in'] === 'query')
    .map(({ name }) => textOf(name));
}

/** A property as JSONata reads it. */
function quoted(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name}\``;
}

/** A schema with the properties of all its parts. */
function schemaOf(document: Node, value: unknown, depth = 0): Node {
  const schema = resolved(document, value);
  const parts: readonly unknown[] = Array.isArray(schema['allOf']) && depth < 8 ? schema['allOf'] : [];
  const inner = parts.map((part) => nodeOf(schemaOf(document, part, depth + 1), 'properties'));
  const properties = Object.assign({}, ...inner, nodeOf(schema, 'properties'));
  return { ...schema, properties };
}

function resolved(document: Node, value: unknown, depth = 0): Node {
  const node = nodeOf(value);
  const reference = node['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/') || depth > 16) return node;
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return resolved(
    document,
    steps.reduce<unknown>((at, step) => nodeOf(at)[step], document),
    depth + 1,
  );
}

function nodeOf(value: unknown, name?: string): Node {
  const node = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  return name === undefined ? node : nodeOf(Reflect.get(node, name));
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
