import type { z } from 'zod';
import type { Answer, Ask } from '../ask.ts';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import type { Provider } from '../interface.ts';
import { ask, type Row } from '../row.ts';
import { dataOf, Integration, IssueList, listOf, Mapping } from '../shapes.ts';
import type { Side } from '../sides/side.ts';

export const LIST = '/v2/integrations';
export const SECTION = 'Endpoints: Integrations';
/** A provider's credential; what the answers never show. */
export const CREDENTIALS = {
  apiKey: 'pk_of-the-provider_0123456789',
  baseUrl: 'https://api.provider.example/v1',
  appName: 'Shop',
  appEmail: 'ops@shop.example',
};
export const NOT_ACTIVE = {
  status: 400,
  error: { type: 'invalid_request_error', code: 'integration_not_active' },
} as const;

/** A row on integrations. `on`: the operations that it holds. */
export function row(id: string, what: string, on: readonly string[], run: Row['run']): Row {
  const covers = on.map((name) => (name.includes(' ') ? `operation:${named(name)}` : `integration:${name}`));
  return { id: `integration/${id}`, section: SECTION, what, covers, run };
}

/** `PUT sync-toggle` → `PUT /v2/integrations/{provider}/sync-toggle`. */
function named(short: string): string {
  const [method, path = ''] = short.split(' ');
  if (path === '/') return `${method} ${LIST}`;
  return `${method} ${LIST}/{provider}${path === '.' ? '' : `/${path}`}`;
}

export function integration(provider: string, rest = ''): string {
  return `${LIST}/${provider}${rest === '' ? '' : `/${rest}`}`;
}

export function post(path: string, body?: unknown): Ask {
  return { method: 'POST', path, ...(body === undefined ? {} : { body }) };
}

export function put(path: string, body: unknown): Ask {
  return { method: 'PUT', path, body };
}

export async function snapshotOf(side: Side, provider: Provider): Promise<Integration> {
  const answer = await ask(side, { path: integration(provider) }, { status: 200 });
  return shapeOf('the snapshot', dataOf(Integration), answer.json).data;
}

/** Active and switched on, with a credential. */
export async function activated(side: Side, provider: Provider): Promise<Integration> {
  if (provider !== 'provider_d')
    await done(side, put(integration(provider, 'sync-toggle'), { enabled: true }));
  const body = { credentials: CREDENTIALS };
  await ask(side, post(integration(provider, 'activate'), body), { status: 200, body: dataOf(Integration) });
  return snapshotOf(side, provider);
}

/** A change that says nothing but that it was done. */
export async function done(side: Side, asked: Ask): Promise<void> {
  const answer = await ask(side, asked, { status: 200 });
  hold(answer.text === '{"success":true}', () => `${asked.path} answers ${answer.text}`);
}

export async function mappingsOf(
  side: Side,
  provider: Provider,
): Promise<readonly z.output<typeof Mapping>[]> {
  const answer = await ask(side, { path: integration(provider, 'product-mappings') }, { status: 200 });
  return shapeOf('the mappings', listOf(Mapping), answer.json).data;
}

export async function replaced(side: Side, provider: Provider, mappings: readonly unknown[]): Promise<void> {
  const asked = put(integration(provider, 'product-mappings'), { mappings });
  const { text } = await ask(side, asked, { status: 200 });
  hold(text === JSON.stringify({ success: true, count: mappings.length }), () => `it answers ${text}`);
}

/** Refused with a list of issues, of which one stands at `path`. */
export async function hasIssue(side: Side, asked: Ask, path: readonly (string | number)[]): Promise<void> {
  const answer = await ask(side, asked, { status: 400, body: IssueList });
  const { issues } = issueListOf(answer);
  const paths = issues.map((issue) => issue.path.join('.'));
  hold(paths.includes(path.join('.')), () => `the issues stand at ${paths.join()}, not at ${path.join('.')}`);
}

function issueListOf(answer: Answer): z.output<typeof IssueList>['error'] {
  return shapeOf('the issues', IssueList, answer.json).error;
}

/** No word of a credential in what a side says. */
export function keepsSecret(answer: Answer): void {
  hold(!answer.text.includes(CREDENTIALS.apiKey), () => 'the answer shows the credential');
}
