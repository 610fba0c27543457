import {
  type ProviderCredentials,
  type ResourceManifest,
  type SourceAccess,
  sourceError,
  z,
} from '../../../src/driver-kit/provider.ts';
import type { OAuth, Recipe } from './recipe.ts';
import { recipeSchema } from './recipe-rules.ts';
import cliniko from './recipes/cliniko.json' with { type: 'json' };
import directus from './recipes/directus.json' with { type: 'json' };
import dolibarr from './recipes/dolibarr.json' with { type: 'json' };
import erpnext from './recipes/erpnext.json' with { type: 'json' };
import lexware from './recipes/lexware.json' with { type: 'json' };
import odoo from './recipes/odoo.json' with { type: 'json' };
import quickbooks from './recipes/quickbooks.json' with { type: 'json' };
import sevdesk from './recipes/sevdesk.json' with { type: 'json' };
import shopify from './recipes/shopify.json' with { type: 'json' };
import stripe from './recipes/stripe.json' with { type: 'json' };
import woocommerce from './recipes/woocommerce.json' with { type: 'json' };
import xero from './recipes/xero.json' with { type: 'json' };
import { neededValue } from './request.ts';
import { isKnownZone } from './zones.ts';

/** The built-in recipes. */
export const RECIPES: Readonly<Record<string, unknown>> = {
  cliniko,
  directus,
  dolibarr,
  erpnext,
  lexware,
  odoo,
  quickbooks,
  sevdesk,
  shopify,
  stripe,
  woocommerce,
  xero,
};

/** The name of a built-in recipe, or a recipe. */
const recipe = z
  .unknown()
  .transform((value, context) => {
    if (typeof value !== 'string') return value;
    if (Object.hasOwn(RECIPES, value)) return RECIPES[value];
    const known = Object.keys(RECIPES).join(', ');
    context.addIssue({
      code: 'custom',
      message: `there is no recipe "${value.slice(0, 40)}"; there are ${known}`,
    });
    return z.NEVER;
  })
  .pipe(recipeSchema);

export const settingsSchema = z
  .strictObject({
    recipe,
    /** The zone of times without one, where it differs from the recipe's. */
    timeZone: z.string().refine(isKnownZone, 'no time zone that is known, as in "Europe/Berlin"').optional(),
    /** The values that the recipe's expressions read as `$values.…`. */
    values: z.record(z.string(), z.string().max(200)).default({}),
  })
  .superRefine(({ recipe: { values: known }, values }, context) => {
    for (const name of Object.keys(values).filter((one) => !Object.hasOwn(known, one))) {
      const there = Object.keys(known).join(', ') || 'none';
      context.addIssue({
        code: 'custom',
        path: ['values', name],
        message: `the recipe has no such value; it has ${there}`,
      });
    }
  });

export type Settings = z.output<typeof settingsSchema>;

export function resourcesOf({ recipe: { resources } }: Settings): readonly ResourceManifest[] {
  return Object.entries(resources).map(([name, one]) => ({
    name,
    cursorField: one.changes && one.updatedAt ? one.updatedAt.value : null,
    pageStyle: one.page.style,
    deletes: one.deletes,
  }));
}

/** The parts of a credential that {@link accessOf} needs. */
export function needsOf({ recipe: { auth, baseUrl, mustIdentify } }: Settings) {
  const needs: (keyof ProviderCredentials)[] = [];
  if (auth.type !== 'none') needs.push('apiKey');
  if (baseUrl === undefined) needs.push('baseUrl');
  if (mustIdentify) needs.push('appName', 'appEmail');
  return needs;
}

export function authorisedByOf({ recipe: { auth } }: Settings) {
  const isByPerson =
    auth.type === 'oauth2' && auth.grant === 'refresh_token' && auth.authorizeUrl !== undefined;
  return isByPerson ? 'person' : 'key';
}

/** The source's address and authentication. @throws SOURCE_REFUSED when the credential lacks a part; the text names it */
export function accessOf({ recipe: one, values }: Settings, credentials: ProviderCredentials): SourceAccess {
  const baseUrl = credentials.baseUrl.trim() || one.baseUrl;
  if (!baseUrl)
    throw sourceError(
      'SOURCE_REFUSED',
      `${one.title} needs "baseUrl": the address of the shop's own installation`,
    );
  const fixed = headersOf(one, { ...one.values, ...values });
  const headers = { ...fixed, 'user-agent': userAgent(one, credentials) };
  return { baseUrl, ...withKey(one, { key: credentials.apiKey.trim(), baseUrl }, headers) };
}

/** @throws SOURCE_REFUSED when a value that a header needs is not set */
function headersOf({ headers }: Recipe, values: Readonly<Record<string, string>>): Record<string, string> {
  const texts = Object.entries(headers).map(([name, text]) => [
    name,
    typeof text === 'string' ? text : printable(neededValue(text.$value, values)),
  ]);
  return Object.fromEntries(texts);
}

type Opened = Pick<SourceAccess, 'headers' | 'query' | 'body' | 'secrets' | 'oauth'>;

interface Key {
  readonly key: string;
  readonly baseUrl: string;
}

function withKey({ auth, title }: Recipe, { key, baseUrl }: Key, headers: Record<string, string>): Opened {
  if (auth.type === 'none') return { headers, query: {}, secrets: [] };
  if (!/^[\x20-\x7e]{1,4096}$/.test(key)) {
    throw sourceError('SOURCE_REFUSED', `${title} needs "apiKey": printable characters, at most 4096`);
  }
  if (auth.type === 'oauth2') return { headers, query: {}, ...oauthOf(auth, title, { key, baseUrl }) };
  const secrets = [key, encodeURIComponent(key)];
  if (auth.type === 'query') return { headers, query: { [auth.name]: key }, secrets };
  if (auth.type === 'body') return { headers, query: {}, body: { [auth.place]: key }, secrets };
  if (auth.type === 'header')
    return { headers: { ...headers, [auth.name]: auth.prefix + key }, query: {}, secrets };
  if (auth.type === 'bearer')
    return { headers: { ...headers, authorization: `Bearer ${key}` }, query: {}, secrets };
  if (auth.key === 'user:password' && !key.includes(':')) {
    throw sourceError('SOURCE_REFUSED', `${title} needs "apiKey" as two parts with a colon between them`);
  }
  const packed = btoa(auth.key === 'user' ? `${key}:` : key);
  const parts = key.split(':').filter((part) => part.length >= 8);
  return {
    headers: { ...headers, authorization: `Basic ${packed}` },
    query: {},
    secrets: [...secrets, packed, ...parts],
  };
}

/** The parts of the key are percent-encoded where they hold a colon. @throws SOURCE_REFUSED when it has not the parts that the grant needs */
function oauthOf(auth: OAuth, title: string, { key, baseUrl }: Key): Pick<Opened, 'secrets' | 'oauth'> {
  const parts = key.split(':').map(decoded);
  const [id = '', secret = '', refreshToken = ''] = parts;
  const isWhole =
    auth.grant === 'client_credentials'
      ? parts.length === 2 && secret !== ''
      : parts.length === 3 && refreshToken !== '';
  if (id === '' || !isWhole) {
    const shape = auth.grant === 'client_credentials' ? 'id:secret' : 'id:secret:token';
    throw sourceError('SOURCE_REFUSED', `${title} needs "apiKey" as ${shape} of the OAuth client`);
  }
  const { grant, sends, scope = '', parameters, issuer = '' } = auth;
  const whole = (url = '') => (url.startsWith('/') ? baseUrl.replace(/\/+$/, '') + url : url);
  const [tokenUrl, authorizeUrl] = [whole(auth.tokenUrl), whole(auth.authorizeUrl)];
  const texts = [secret, refreshToken].filter((text) => text !== '');
  return {
    oauth: { tokenUrl, authorizeUrl, issuer, grant, id, secret, sends, scope, parameters, refreshToken },
    secrets: [key, ...texts, ...texts.map(encodeURIComponent)],
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `appName (appEmail)`, so that the source's operator has a contact. */
function userAgent({ mustIdentify, title }: Recipe, { appName, appEmail }: ProviderCredentials): string {
  const name = printable(appName);
  const email = printable(appEmail);
  if (mustIdentify && (name === '' || email === '')) {
    throw sourceError(
      'SOURCE_REFUSED',
      `${title} refuses clients that do not name themselves: it needs "appName" and "appEmail"`,
    );
  }
  return `${name || 'tilld'}${email === '' ? '' : ` (${email})`}`;
}

function printable(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 200);
}
