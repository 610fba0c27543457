import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import { routeTable } from '../../../src/api/routes/table.ts';
import { STREAM_LIMITS } from '../../../src/api/stream/event-stream.ts';
import { EventStreams } from '../../../src/api/stream/event-streams.ts';
import { ask, openShop, startShop } from './shop.ts';

function table() {
  const { ports } = openShop();
  return routeTable({ ...ports, streams: new EventStreams(ports, STREAM_LIMITS, 1) }, 'sandbox', '0.1.0');
}

describe('the OpenAPI document', () => {
  const routes = table();
  const document = JSON.parse(JSON.stringify(openApiDocument(routes, '0.1.0')));
  const operations = routes.map((route) => ({
    route,
    operation: document.paths[route.path]?.[route.method.toLowerCase()],
  }));

  it('names every route once, with an operation id of its own', () => {
    expect(operations.filter(({ operation }) => operation === undefined)).toEqual([]);
    const count = Object.values(document.paths).flatMap((item) => Object.keys(Object(item))).length;
    expect(count).toBe(routes.length);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(routes.length);
  });

  it('points only to what it holds', () => {
    const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(pointers.length).toBeGreaterThan(20);
    for (const pointer of new Set(pointers)) {
      expect(pointer).toMatch(/^#\/components\/schemas\//);
      expect(document.components.schemas).toHaveProperty(pointer.split('/').at(-1) ?? '');
    }
  });

  it('declares every path parameter, and says which errors a route gives', () => {
    for (const { route, operation } of operations) {
      const declared = operation.parameters.filter(({ in: place }: { in: string }) => place === 'path');
      expect(declared.map(({ name }: { name: string }) => `{${name}}`)).toEqual(
        route.path.match(/\{\w+\}/g) ?? [],
      );
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['400', '403', '421', '500', '503']),
      );
    }
    const create = document.paths['/v2/terminal-payments'].post;
    expect(Object.keys(create.responses)).toEqual(
      expect.arrayContaining(['201', '401', '404', '409', '413', '415', '422', '429']),
    );
    expect(create.responses['409'].description).toContain('payment_already_paid');
  });

  it('describes the body that the route really takes', () => {
    const schema = document.components.schemas.CreateTerminalPayment;
    expect(schema.required).toEqual(['device_id', 'amount_minor', 'currency']);
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties.amount_minor).toMatchObject({ type: 'integer', exclusiveMinimum: 0 });
  });

  it('needs no body where every field may be left out', () => {
    const bodyOf = (what: string) => document.paths[what].post.requestBody;
    expect(bodyOf('/v2/terminal-payments').required).toBe(true);
    expect(bodyOf('/v2/terminal-payments/{id}/refund').required).toBe(false);
    expect(bodyOf('/v2/terminal-devices/{id}/end-of-day').required).toBe(false);
    expect(bodyOf('/v2/terminal-payments/{id}/void')).toBeUndefined();
  });

  it('describes giving back and the back office: what is answered, and the key where one counts', () => {
    const operation = (path: string) => document.paths[path].post;
    const keyed = (path: string) =>
      operation(path).parameters.some(({ name }: { name: string }) => name === 'Idempotency-Key');
    for (const what of ['refund', 'void']) {
      const path = `/v2/terminal-payments/{id}/${what}`;
      expect(Object.keys(operation(path).responses)).toEqual(
        expect.arrayContaining(['201', '404', '409', '422']),
      );
      expect(keyed(path)).toBe(true);
    }
    expect(operation('/v2/terminal-devices/{id}/end-of-day').responses['202']).toBeDefined();
    expect(operation('/v2/terminal-devices/{id}/adopt').security).toEqual([]);
    const { Event, TerminalSettlement } = document.components.schemas;
    expect(JSON.stringify(Event.properties.data)).toContain('TerminalSettlement');
    expect(TerminalSettlement.properties.object).toMatchObject({ const: 'terminal_settlement' });
  });

  it('has security schemes for the three ways to send a key', () => {
    expect(Object.keys(document.components.securitySchemes)).toEqual(['apiKey', 'serviceKey', 'bearer']);
  });

  it('is served as 3.1 JSON', async () => {
    const { api } = await startShop();
    const answer = await ask(api.url, { path: '/v2/openapi.json', key: null });
    expect(answer.json).toEqual(document);
    expect(answer.json.openapi).toBe('3.1.0');
    await api.stop();
  });
});
