import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { TerminalSession } from '../../../src/terminal/ports.ts';
import { openTcpLink } from '../../../src/transport/tcp.ts';
import { money, openOver, POI_ID, RecordingObserver, signal } from './rig.ts';

type Json = Record<string, unknown>;
/** What a terminal answers to a request; the server is Node's own. */
type Answer = (response: ServerResponse, header: Json, category: string, request: IncomingMessage) => void;

const servers: Server[] = [];
const sessions: TerminalSession[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const RESULT = {
  Payment: {
    Response: { Result: 'Success' },
    PaymentResult: { AmountsResp: { Currency: 'EUR', AuthorizedAmount: 12.5 } },
  },
  Diagnosis: { Response: { Result: 'Success' }, POIStatus: { GlobalStatus: 'OK' } },
};

/** The response that fits a request, changed. */
function bodyOf(header: Json, category: string, content: unknown, changes: Json = {}): string {
  const MessageHeader = { ...header, MessageType: 'Response', POIID: POI_ID, ...changes };
  return JSON.stringify({ SaleToPOIResponse: { MessageHeader, [`${category}Response`]: content } });
}

const good: Answer = (response, header, category) => {
  const content = category === 'Payment' ? RESULT.Payment : RESULT.Diagnosis;
  response.setHeader('Content-Type', 'application/json');
  response.end(bodyOf(header, category, content));
};

/** A terminal whose answer to a payment is `onPayment`, and to everything else a good one. */
async function terminal(
  onPayment: Answer,
): Promise<{ readonly session: TerminalSession; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { SaleToPOIRequest: message } = JSON.parse(Buffer.concat(parts).toString()) as {
        SaleToPOIRequest: Json;
      };
      const header = message['MessageHeader'] as Json;
      const category = String(header['MessageCategory']);
      asked.push(`${request.method} ${request.url} ${category}`);
      const isAsked = category !== 'Diagnosis';
      (isAsked ? onPayment : good)(response, header, category, request);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const session = await openOver(openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1000 }));
  sessions.push(session);
  return { session, asked };
}

const html = '<html>Bad gateway</html>';

describe('a payment over HTTP', () => {
  it('is one POST on one connection, and its response', async () => {
    const { session, asked } = await terminal(good);
    const books = new RecordingObserver();
    const outcome = await session.execute(money('sale'), books, signal);
    expect(outcome).toMatchObject({ kind: 'approved', report: { amountMinor: 1250, kind: 'sale' } });
    expect(books.noted).toEqual(['accepted', 'report']);
    expect(asked).toEqual(['POST /nexo Diagnosis', 'POST /nexo Payment']);
  });

  it.each<[string, string, Answer]>([
    ['a status of 4xx', 'TERMINAL_GARBLED', (response) => response.writeHead(401).end()],
    [
      'a status of 5xx with a right body',
      'TERMINAL_GARBLED',
      (response, header) => response.writeHead(502).end(bodyOf(header, 'Payment', RESULT.Payment)),
    ],
    ["a proxy's page", 'TERMINAL_GARBLED', (response) => response.end(html)],
    ['a redirect', 'TERMINAL_GARBLED', (response) => response.writeHead(307, { location: '/nexo' }).end()],
    ['an empty body', 'TERMINAL_GARBLED', (response) => response.end()],
    [
      'fewer bytes than it announced',
      'TERMINAL_LINK_LOST',
      (response) => {
        response.writeHead(200, { 'content-length': '5000' });
        response.write('{"SaleToPOI');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ['a connection that ends without an answer', 'TERMINAL_LINK_LOST', (response) => response.destroy()],
    [
      'the id of another request',
      'TERMINAL_GARBLED',
      (response, header) => response.end(bodyOf(header, 'Payment', RESULT.Payment, { ServiceID: 'A00000' })),
    ],
    [
      'the SaleID of another till',
      'TERMINAL_GARBLED',
      (response, header) => response.end(bodyOf(header, 'Payment', RESULT.Payment, { SaleID: 'other' })),
    ],
    [
      'the response to another category',
      'TERMINAL_GARBLED',
      (response, header) =>
        response.end(bodyOf(header, 'Payment', RESULT.Payment, { MessageCategory: 'Diagnosis' })),
    ],
    [
      'no result',
      'TERMINAL_RESULT_MISSING',
      (response, header) => response.end(bodyOf(header, 'Nothing', {})),
    ],
    [
      'a result that is none',
      'TERMINAL_GARBLED',
      (response, header) => response.end(bodyOf(header, 'Payment', { Response: { Result: 1 } })),
    ],
    [
      'an amount that is none',
      'TERMINAL_RESULT_UNCLEAR',
      (response, header) =>
        response.end(
          bodyOf(header, 'Payment', {
            ...RESULT.Payment,
            PaymentResult: { AmountsResp: { AuthorizedAmount: '12.505' } },
          }),
        ),
    ],
    [
      'no amount',
      'TERMINAL_RESULT_UNCLEAR',
      (response, header) => response.end(bodyOf(header, 'Payment', { Response: { Result: 'Success' } })),
    ],
    [
      'another currency',
      'TERMINAL_RESULT_UNCLEAR',
      (response, header) =>
        response.end(
          bodyOf(header, 'Payment', {
            ...RESULT.Payment,
            PaymentResult: { AmountsResp: { Currency: 'USD', AuthorizedAmount: 12.5 } },
          }),
        ),
    ],
    [
      'the id of another payment',
      'TERMINAL_RESULT_UNCLEAR',
      (response, header) =>
        response.end(
          bodyOf(header, 'Payment', {
            ...RESULT.Payment,
            SaleData: { SaleTransactionID: { TransactionID: '0198c5a0-0000-7000-8000-00000000ffff' } },
          }),
        ),
    ],
    [
      'a failure without its condition',
      'TERMINAL_RESULT_UNCLEAR',
      (response, header) => response.end(bodyOf(header, 'Payment', { Response: { Result: 'Failure' } })),
    ],
    [
      'a failure that may have charged',
      'TERMINAL_RESULT_UNCLEAR',
      (response, header) =>
        response.end(
          bodyOf(header, 'Payment', { Response: { Result: 'Failure', ErrorCondition: 'UnreachableHost' } }),
        ),
    ],
    ['a body that is too long', 'TERMINAL_GARBLED', (response) => response.end('x'.repeat(300_000))],
  ])('is unknown after %s', async (_title, code, answer) => {
    const { session } = await terminal(answer);
    expect(await session.execute(money('sale'), new RecordingObserver(), signal)).toMatchObject({
      kind: 'unknown',
      code,
    });
  });

  it.each<[string, Answer]>([
    [
      'in chunks',
      (response, header) => {
        const text = bodyOf(header, 'Payment', RESULT.Payment);
        response.write(text.slice(0, 40));
        setTimeout(() => response.end(text.slice(40)), 20);
      },
    ],
    [
      'with slow headers',
      (response, header) =>
        void setTimeout(() => response.end(bodyOf(header, 'Payment', RESULT.Payment)), 300),
    ],
    [
      'on a connection that is kept open',
      (response, header, _category, request) => {
        request.socket.setKeepAlive(true);
        response.setHeader('Connection', 'keep-alive');
        response.end(bodyOf(header, 'Payment', RESULT.Payment));
      },
    ],
    [
      'behind 100 Continue',
      (response, header) => {
        response.writeContinue();
        response.end(bodyOf(header, 'Payment', RESULT.Payment));
      },
    ],
  ])('is approved by an answer %s', async (_title, answer) => {
    const { session } = await terminal(answer);
    expect(await session.execute(money('sale'), new RecordingObserver(), signal)).toMatchObject({
      kind: 'approved',
    });
  });

  it('is unknown when another terminal answers than the one of the conversation', async () => {
    const { session } = await terminal((response, header) =>
      response.end(bodyOf(header, 'Payment', RESULT.Payment, { POIID: 'V400m-000000001' })),
    );
    await session.identify(signal);
    expect(await session.execute(money('sale'), new RecordingObserver(), signal)).toMatchObject({
      kind: 'unknown',
      code: 'TERMINAL_GARBLED',
    });
  });

  it.each(['NotAllowed', 'MessageFormat', 'LoggedOut', 'UnavailableService'])(
    'that is refused as a request (%s) is unknown: it may be the answer to its repetition',
    async (ErrorCondition) => {
      const { session } = await terminal((response, header) =>
        response.end(bodyOf(header, 'Payment', { Response: { Result: 'Failure', ErrorCondition } })),
      );
      expect(await session.execute(money('sale'), new RecordingObserver(), signal)).toMatchObject({
        kind: 'unknown',
        code: 'TERMINAL_RESULT_UNCLEAR',
      });
    },
  );

  it.each([
    ['Success beside Busy', { Result: 'Success', ErrorCondition: 'Busy' }],
    ['a Reversal that is Partial', { Result: 'Partial' }],
  ])('is unknown after %s', async (_title, Response) => {
    const isVoid = Response.Result === 'Partial';
    const { session } = await terminal((response, header, category) =>
      response.end(bodyOf(header, category, { Response })),
    );
    const undo = {
      ...money('sale'),
      kind: 'void',
      original: { amountMinor: 1250, number: '1', terminalClock: 't' },
    } as const;
    expect(
      await session.execute(isVoid ? undo : money('sale'), new RecordingObserver(), signal),
    ).toMatchObject({
      kind: 'unknown',
    });
  });

  it.each<[string, Json, Json]>([
    [
      'of another category around a Reversal',
      { MessageCategory: 'TransactionStatus' },
      { ReversalResponse: { Response: { Result: 'Success' }, ReversedAmount: 12.5 } },
    ],
    ['of another till', { SaleID: 'other' }, { PaymentResponse: RESULT.Payment }],
    ['of another payment', { ServiceID: 'A00000' }, { PaymentResponse: RESULT.Payment }],
  ])('is not recovered by a repeated response %s', async (_title, changes, body) => {
    const { session } = await terminal((response, header, category) => {
      const [kind] = Object.keys(body);
      const MessageHeader = {
        ...header,
        MessageCategory: kind === 'ReversalResponse' ? 'Reversal' : 'Payment',
        ServiceID: 'B00000',
        ...changes,
      };
      const RepeatedMessageResponse = { MessageHeader, RepeatedResponseMessageBody: body };
      response.end(bodyOf(header, category, { Response: { Result: 'Success' }, RepeatedMessageResponse }));
    });
    const asked = { attemptId: '0198c5a0-0000-7000-8000-00000000abcd', ticket: 'B00000' };
    const sale = { attemptId: '0198c5a0-0000-7000-8000-00000000abce', ticket: 'B00001' };
    const reference = 'ReversalResponse' in body ? { ...asked, sale } : asked;
    expect(await session.ownTransaction?.(reference, signal)).toMatchObject({ kind: 'unreadable' });
  });

  it('whose sending cannot be stored falls silent: it is unknown, and nothing more is sent', async () => {
    const { session, asked } = await terminal(() => undefined);
    const books = new RecordingObserver();
    books.refuses = 'accepted';
    expect(await session.execute(money('sale'), books, signal)).toMatchObject({
      kind: 'unknown',
      code: 'NOT_STORED',
    });
    expect(asked.filter((line) => line.endsWith('Payment')).length).toBeLessThanOrEqual(1);
  });

  it('that the terminal refuses as busy has not begun', async () => {
    const { session } = await terminal((response, header) =>
      response.end(bodyOf(header, 'Payment', { Response: { Result: 'Failure', ErrorCondition: 'Busy' } })),
    );
    expect(await session.execute(money('sale'), new RecordingObserver(), signal)).toMatchObject({
      kind: 'not_started',
      code: 'TERMINAL_BUSY',
    });
  });

  it('shows no card number in its transcript, wherever the terminal puts it', async () => {
    const pan = '4111111111111111';
    const server = createServer((request, response) => {
      request.resume().on('end', () =>
        response.end(
          JSON.stringify({
            SaleToPOIResponse: {
              MessageHeader: {
                MessageCategory: pan,
                SaleID: pan,
                ServiceID: 's',
                POIID: 'p',
                MessageType: 'Response',
              },
              SensitiveCardData: { TrackData: '4111111111111111=25121010000012345678' },
              filler: `${'x'.repeat(390)}${pan}`,
              [pan]: { note: `{"pan":"${pan}"}`, number: Number(pan) },
            },
          }),
        ),
      );
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const transcript: string[] = [];
    const way = openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1000 });
    await expect(openOver(way, {}, transcript)).rejects.toMatchObject({ code: 'TERMINAL_WRONG_PROTOCOL' });
    expect(transcript.length).toBe(2);
    expect(transcript.join('\n')).not.toMatch(/411111111|25121010/);
  });

  it.each<[string, Answer, boolean]>([
    ['overtakes it', (response) => response.end(), false],
    ['is lost', (response) => response.destroy(), true],
    ['is refused', (response) => response.writeHead(503).end(html), true],
  ])('is stopped by the next Abort where the first one %s', async (_what, onFirst, isShown) => {
    let finish = () => {};
    let aborts = 0;
    const { session, asked } = await terminal((response, header, category, request) => {
      if (category === 'Payment') {
        finish = () =>
          response.end(
            bodyOf(header, category, { Response: { Result: 'Failure', ErrorCondition: 'Aborted' } }),
          );
        session.abort();
        return;
      }
      aborts += 1;
      if (aborts === 1) return onFirst(response, header, category, request);
      response.end();
      finish();
    });
    const books = new RecordingObserver();
    expect(await session.execute(money('sale'), books, signal)).toMatchObject({ kind: 'aborted' });
    expect(asked).toEqual(
      ['Diagnosis', 'Payment', 'Abort', 'Abort'].map((category) => `POST /nexo ${category}`),
    );
    expect(books.shown).toEqual(isShown ? [expect.stringContaining('Press the stop key')] : []);
  });
});
