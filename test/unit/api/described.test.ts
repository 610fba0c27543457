import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import { Description } from '../../support/described.ts';
import { routesOf } from './as-described.ts';
import { type Answer, ask, openShop, sale, startShop } from './shop.ts';

const PATH = '/v2/terminal-payments';

const routes = await routesOf(openShop().deps);

/** What holds every answer in these tests against the document must see a lie: each case tells one. */
describe('an answer that the OpenAPI document does not describe is seen', () => {
  const text = JSON.stringify(openApiDocument(routes, '0.1.0'));
  let started: Awaited<ReturnType<typeof startShop>>;
  let answer: Answer;
  beforeAll(async () => {
    started = await startShop();
    answer = await ask(started.api.url, { method: 'POST', path: PATH, body: sale() });
  });
  afterAll(() => started.api.stop());

  // biome-ignore lint/suspicious/noExplicitAny: a test breaks a document of many shapes
  const faultsWith = (lie: (document: any) => void, changes: Partial<Answer> = {}) => {
    const document = JSON.parse(text);
    lie(document);
    return new Description(document).faultsOf('POST', PATH, { ...answer, ...changes });
  };
  const honest = () => undefined;

  it('none of it where nothing is wrong', () => {
    expect(faultsWith(honest)).toEqual([]);
  });

  it('a field that is said to be required and does not come', () => {
    expect(
      faultsWith(({ components }) => components.schemas.TerminalPayment.required.push('colour')),
    ).toEqual([expect.stringContaining("must have required property 'colour'")]);
  });

  it('a field of another type', () => {
    expect(
      faultsWith(({ components }) => {
        components.schemas.TerminalPayment.properties.amount_minor = { type: 'string' };
      }),
    ).toEqual(['/data/amount_minor must be string']);
  });

  it('a status that is missing', () => {
    expect(faultsWith(({ paths }) => delete paths[PATH].post.responses['201'])).toEqual([
      'status 201 is not described',
    ]);
  });

  it('a media type that is missing', () => {
    expect(faultsWith(honest, { headers: { ...answer.headers, 'content-type': 'text/html' } })).toEqual([
      'text/html is not described',
    ]);
  });

  it('a header that is not described, not sent, or of another form', () => {
    const without = faultsWith(
      ({ paths }) => delete paths[PATH].post.responses['201'].headers['X-Request-Id'],
    );
    expect(without).toEqual(['header x-request-id is not described']);
    const { 'x-request-id': _, ...others } = answer.headers;
    expect(faultsWith(honest, { headers: others })).toEqual(['header x-request-id is missing']);
    const odd = { ...answer.headers, 'x-ratelimit-remaining': 'many' };
    expect(faultsWith(honest, { headers: odd })).not.toEqual([]);
  });

  it('a refusal in the wrong shape, also where no operation is', () => {
    const description = new Description(JSON.parse(text));
    const flat = { ...answer, status: 404, text: '{"error":"nothing here"}' };
    expect(description.faultsOf('GET', '/v2/nothing', flat)).toEqual([]);
    expect(description.faultsOf('GET', '/v2/nothing', { ...flat, text: '{"error":{}}' })).not.toEqual([]);
    expect(description.faultsOf('POST', PATH, { ...flat, status: 409 })).not.toEqual([]);
  });
});
