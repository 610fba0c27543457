type Style = 'offset' | 'page' | 'cursor';

/** The lists of the billing service and their pagination, as its interface has them in words: no code of ours is asked. */
const LISTS: readonly (readonly [name: string, path: string, style: Style])[] = [
  ['Invoices', '/invoices', 'offset'],
  ['Customers', '/customers', 'offset'],
  ['Products', '/products', 'page'],
  ['Prices', '/prices', 'cursor'],
  ['Subscriptions', '/subscriptions', 'page'],
  ['Orders', '/orders', 'offset'],
  ['PaymentIntents', '/payment-intents', 'cursor'],
  ['Disputes', '/disputes', 'offset'],
  ['OpenDisputes', '/disputes/open', 'offset'],
  ['Payouts', '/payouts', 'offset'],
  ['Mandates', '/mandates', 'offset'],
  ['Entitlements', '/entitlements', 'offset'],
  ['Transactions', '/transactions', 'cursor'],
  ['CustomerInvoices', '/customers/{customerId}/invoices', 'offset'],
  ['CustomerOrders', '/customers/{customerId}/orders', 'offset'],
  ['CustomerPayments', '/customers/{customerId}/payments', 'offset'],
  ['CustomerSubscriptions', '/customers/{customerId}/subscriptions', 'cursor'],
  ['CustomerEntitlements', '/customers/{customerId}/entitlements', 'offset'],
];

const PARAMETERS: Readonly<Record<Style, readonly string[]>> = {
  offset: ['limit', 'offset'],
  page: ['limit', 'page'],
  cursor: ['limit', 'starting_after', 'ending_before'],
};

/** An OpenAPI document of those lists under version 2026-05-01, to generate a client of the service from. */
export function serviceDescription(): object {
  const paths = LISTS.map(([name, path, style]) => [`/v2${path}`, { get: operation(name, path, style) }]);
  return {
    openapi: '3.1.0',
    info: { title: 'The lists of the billing service', version: '2026-05-01' },
    security: [{ key: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: {
        Resource: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        List: {
          type: 'object',
          required: ['object', 'data', 'has_more', 'url'],
          properties: {
            object: { const: 'list' },
            data: { type: 'array', items: { $ref: '#/components/schemas/Resource' } },
            has_more: { type: 'boolean' },
            url: { type: 'string' },
          },
        },
      },
    },
  };
}

function operation(name: string, path: string, style: Style): object {
  const query = PARAMETERS[style].map((one) => {
    const type = one.endsWith('r') || one.endsWith('before') ? 'string' : 'integer';
    return { name: one, in: 'query', schema: { type } };
  });
  const isOfOne = path.includes('{customerId}');
  const customer = { name: 'customerId', in: 'path', required: true, schema: { type: 'string' } };
  return {
    operationId: `list${name}`,
    parameters: [...(isOfOne ? [customer] : []), ...query],
    responses: {
      200: {
        description: 'A page.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/List' } } },
      },
    },
  };
}
