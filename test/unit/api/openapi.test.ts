import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import { exampleName } from '../../../src/api/openapi/refusal-examples.ts';
import { REFUSALS } from '../../../src/api/reply/refusals.ts';
import { DOUBLE_CLICK_MS, REFERENCE_MS } from '../../../src/payment/guards/duplicate-sale.ts';
import { SAME_REFUND_MS } from '../../../src/payment/refunds/refundable.ts';
import { Description } from '../../support/described.ts';
import { routesOf } from './as-described.ts';
import { ask, KEYS, openShop, startShop } from './shop.ts';

const PUBLISHED = ['requested', 'in_progress', 'in_doubt', 'succeeded', 'declined', 'cancelled', 'error'];
const plain = (document: unknown) => JSON.parse(JSON.stringify(document));
const routes = await routesOf(openShop().deps);
const document = plain(openApiDocument(routes, '0.1.0'));
const older = plain(openApiDocument(routes, '0.1.0', '2026-01-15'));
const description = new Description(document);
const operations = routes.map((route) => ({
  route,
  operation: document.paths[route.path]?.[route.method.toLowerCase()],
}));

// biome-ignore lint/suspicious/noExplicitAny: a test looks into a document of many shapes
function pointedTo(value: any): any {
  const names = value?.$ref?.replace('#/', '').split('/');
  return names ? names.reduce((at: Record<string, unknown>, name: string) => at[name], document) : value;
}

const parametersOf = (operation: { parameters: unknown[] }) => operation.parameters.map(pointedTo);

describe('the OpenAPI document', () => {
  it('names every route once, with an operation id of its own', () => {
    expect(operations.filter(({ operation }) => operation === undefined)).toEqual([]);
    const count = Object.values(document.paths).flatMap((item) => Object.keys(Object(item))).length;
    expect(count).toBe(routes.length);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(routes.length);
  });

  it.each([
    ['the current version', document],
    ['2026-01-15', older],
  ])('points only to what it holds (%s)', (_name, one) => {
    const pointers = [...JSON.stringify(one).matchAll(/"\$ref":"([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(pointers.length).toBeGreaterThan(20);
    for (const pointer of new Set(pointers)) {
      const [, kind = '', name = ''] = pointer.match(/^#\/components\/(\w+)\/([\w.-]+)$/) ?? [];
      expect(one.components[kind]?.[name], pointer).toBeDefined();
    }
  });

  it('offers a trace to what makes a payment, a refund or a void, and to nothing else', () => {
    const traced = operations.filter(({ operation }) =>
      parametersOf(operation).some(({ name }: { name: string }) => name === 'traceparent'),
    );
    expect(traced.map(({ route }) => route.path).sort()).toEqual([
      '/v2/terminal-payments',
      '/v2/terminal-payments/{id}/refund',
      '/v2/terminal-payments/{id}/void',
    ]);
  });

  it('declares every path parameter, and says which errors a route gives', () => {
    for (const { route, operation } of operations) {
      const declared = parametersOf(operation).filter(({ in: place }: { in: string }) => place === 'path');
      expect(declared.map(({ name }: { name: string }) => `{${name}}`)).toEqual(
        route.path.match(/\{\w+\}/g) ?? [],
      );
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['400', '403', '408', '421', '431', '500', '503']),
      );
    }
    const create = document.paths['/v2/terminal-payments'].post;
    expect(Object.keys(create.responses)).toEqual(
      expect.arrayContaining(['201', '401', '404', '409', '413', '415', '422', '429']),
    );
    expect(create.responses['409'].description).toContain('payment_already_paid');
  });

  it('shows every refusal of a route under its status, as it looks on the wire', () => {
    for (const { route, operation } of operations)
      for (const code of route.refusals) {
        const { examples } = pointedTo(operation.responses[REFUSALS[code].status]).content[
          'application/json'
        ];
        expect(pointedTo(examples[exampleName(code)]).value, `${route.operationId} ${code}`).toBeDefined();
      }
  });

  it('knows where every refusal of the table can come from', () => {
    // What the service's webhooks meet, and people at the pages, is no business of a till: those routes are not in the document.
    const others = [
      'SIGN_IN_REFUSED',
      'SESSION_ENDED',
      'ROLE_MISSING',
      'VIRTUAL_TERMINAL_UNKNOWN',
      'VIRTUAL_TERMINAL_REFUSED',
      'PERSON_MISSING',
      'PERSON_UNKNOWN',
      'PERSON_NAME_TAKEN',
      'SYSTEM_USER_TAKEN',
      'PEOPLE_EXHAUSTED',
      'SIGN_IN_PAUSED',
      'PIN_WEAK',
      'SIGN_IN_NOT_FRESH',
      'PASSKEY_REFUSED',
      'PASSKEY_UNKNOWN',
      'PASSKEYS_EXHAUSTED',
      'PAIRED_DEVICE_UNKNOWN',
      'DEVICES_EXHAUSTED',
      'FLEET_JOINED',
      'FLEET_NOT_JOINED',
      'HUB_URL_INVALID',
      'INVITATION_INVALID',
      'HUB_UNREACHABLE',
    ];
    const ofTills = Object.keys(REFUSALS).filter(
      (name) => !name.startsWith('HOOK_') && !others.includes(name),
    );
    expect(Object.keys(document.components.examples).sort()).toEqual(
      [...ofTills, 'INTERNAL'].map(exampleName).sort(),
    );
  });

  it('holds examples that are what their schemas say', () => {
    let count = 0;
    const hold = (schema: { examples?: unknown[] }, values: readonly unknown[] = schema.examples ?? []) => {
      for (const value of values) {
        count += 1;
        expect(description.schemaFaults(schema, value), JSON.stringify(value)).toEqual([]);
      }
    };
    const { schemas, headers, parameters } = document.components;
    for (const schema of Object.values<object>(schemas)) hold(schema);
    for (const { schema } of Object.values<{ schema: object }>({ ...headers, ...parameters })) hold(schema);
    for (const { operation } of operations)
      for (const response of Object.values(operation.responses).map(pointedTo))
        for (const { schema, examples = {} } of Object.values<{ schema: object; examples?: object }>(
          response.content,
        ))
          hold(
            schema,
            Object.values(examples).map((example) => pointedTo(example).value),
          );
    expect(count).toBeGreaterThan(500);
  });

  it('gives a name to every resource, so that a generated client has a type for it', () => {
    for (const { route, operation } of operations)
      for (const [status, response] of Object.entries<{ content: object }>(operation.responses)) {
        const data = response.content && Object.values(response.content)[0].schema.properties?.data;
        if (data) expect(data.$ref ?? data.items?.$ref, `${route.operationId} ${status}`).toBeDefined();
      }
  });

  it('describes the body that the route really takes', () => {
    const schema = document.components.schemas.CreateTerminalPayment;
    expect(schema.required).toEqual(['device_id']);
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties.amount_minor).toMatchObject({ type: 'integer', exclusiveMinimum: 0 });
  });

  it('says which sales and refunds count as the same, by the rules that decide it', () => {
    const { CreateTerminalPayment, RefundTerminalPayment } = document.components.schemas;
    const { description, properties } = CreateTerminalPayment;
    expect(description).toContain(`for ${REFERENCE_MS / 3_600_000} hours after its end`);
    expect(description).toContain(`for ${DOUBLE_CLICK_MS / 1000} seconds after its end`);
    expect(properties.reference.description).toContain(`${REFERENCE_MS / 3_600_000} hours`);
    expect(SAME_REFUND_MS).toBe(60_000);
    expect(RefundTerminalPayment.properties.after.description).toContain('within a minute of its end');
  });

  it('needs no body where every field may be left out', () => {
    const bodyOf = (what: string) => document.paths[what].post.requestBody;
    expect(bodyOf('/v2/terminal-payments').required).toBe(true);
    expect(bodyOf('/v2/terminal-payments/{id}/refund').required).toBe(false);
    expect(bodyOf('/v2/terminal-devices/{id}/end-of-day').required).toBe(false);
    expect(bodyOf('/v2/terminal-payments/{id}/void')).toBeUndefined();
  });

  it('offers the Idempotency-Key where one counts, and the version everywhere', () => {
    for (const { route, operation } of operations) {
      const names = parametersOf(operation).map(({ name }: { name: string }) => name);
      expect(names.includes('Idempotency-Key'), route.operationId).toBe(route.idempotent !== undefined);
      expect(names, route.operationId).toContain('Service-Version');
    }
  });

  it('describes giving back and the back office', () => {
    const operation = (path: string) => document.paths[path].post;
    for (const what of ['refund', 'void'])
      expect(Object.keys(operation(`/v2/terminal-payments/{id}/${what}`).responses)).toEqual(
        expect.arrayContaining(['201', '404', '409', '422']),
      );
    expect(operation('/v2/terminal-devices/{id}/end-of-day').responses['202']).toBeDefined();
    expect(operation('/v2/terminal-devices/{id}/adopt').security).toEqual([]);
    const { Event, TerminalSettlement } = document.components.schemas;
    expect(JSON.stringify(Event.properties.data)).toContain('TerminalSettlement');
    expect(TerminalSettlement.properties.object).toMatchObject({ const: 'terminal_settlement' });
  });

  it('has security schemes for the three ways to send a key, and names the scope', () => {
    expect(Object.keys(document.components.securitySchemes)).toEqual(['apiKey', 'serviceKey', 'bearer']);
    const scope = ['payments:write'];
    expect(document.paths['/v2/terminal-payments'].post.security).toEqual([
      { apiKey: scope },
      { serviceKey: scope },
      { bearer: scope },
    ]);
  });

  it('describes the lists of the version that it is asked for with, and no other', () => {
    const pageOf = (one: typeof document) =>
      one.paths['/v2/terminal-payments'].get.responses['200'].content['application/json'].schema.required;
    expect(pageOf(document)).toEqual(['object', 'data', 'has_more', 'url']);
    expect(pageOf(older)).toEqual(['data', 'pagination']);
  });

  it('describes a webhook for every event that the core publishes', () => {
    const subjects = ['terminal_payment', 'terminal_refund', 'terminal_void'];
    const types = subjects.flatMap((subject) => PUBLISHED.map((what) => `${subject}.${what}`));
    expect(Object.keys(document.webhooks).sort()).toEqual([...types, 'settlement.created'].sort());
  });

  it('describes what is posted to webhooks: signed, and by the type of the event', () => {
    const { post } = document.webhooks['terminal_payment.succeeded'];
    expect(post.parameters[0]).toMatchObject({ name: 'X-Service-Signature', required: true });
    const { schema } = post.requestBody.content['application/json'];
    const [event] = document.components.schemas.Event.examples;
    expect(description.schemaFaults(schema, event)).toEqual([]);
    expect(description.schemaFaults(schema, { ...event, type: 'settlement.created' })).not.toEqual([]);
    expect(description.schemaFaults(schema, { ...event, data: {} })).not.toEqual([]);
  });

  it('is served as 3.1 JSON: to the unix socket whole, elsewhere without what only the unix socket serves', async () => {
    const { api, socketPath } = await startShop();
    const whole = await ask(socketPath, { path: '/v2/openapi.json', key: null });
    expect(whole.json).toEqual(document);
    const asked = { path: '/v2/openapi.json?version=2026-01-15', key: null };
    expect((await ask(socketPath, asked)).json).toEqual(older);
    const outside = await ask(api.url, { path: '/v2/openapi.json', key: KEYS.full });
    expect(outside.json.openapi).toBe('3.1.0');
    const shown = routes.filter(({ access }) => access !== 'socket_only');
    expect(Object.keys(outside.json.paths).sort()).toEqual(
      [...new Set(shown.map(({ path }) => path))].sort(),
    );
    expect(outside.text).not.toContain('x-unix-socket-only');
    await api.stop();
  });
});
