import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { ServiceLine } from '../support/service-line.ts';
import { Till, tillctl } from '../support/till.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLICK = `00-${TRACE}-00f067aa0ba902b7-01`;
const SALE = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR' };

/** A shop behind a line on which every `traceparent` of a report is heard. */
async function aShop() {
  const world = await aWorld();
  const line = await ServiceLine.to(world.service.url);
  onTestFinished(() => line.stop());
  const reported: { readonly request: string; readonly traceparent: string | undefined }[] = [];
  let sent = '';
  line.heard = (more) => {
    sent += more;
    for (let end = sent.indexOf('\r\n\r\n'); end !== -1; end = sent.indexOf('\r\n\r\n')) {
      const head = sent.slice(0, end);
      sent = sent.slice(end + 4);
      const request = /(POST \S+) HTTP/.exec(head)?.[1];
      if (request) reported.push({ request, traceparent: /^traceparent: (\S+)/im.exec(head)?.[1] });
    }
  };
  return { world, line, reported };
}

/** Takes what webhooks are posted. */
async function anEar() {
  const bodies: string[] = [];
  const server = createServer(async (request, reply) => {
    bodies.push(await text(request));
    reply.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { bodies, url: `http://127.0.0.1:${port}/` };
}

describe('one trace', { timeout: 60_000 }, () => {
  it('leads from the click through the log, explain, events and webhooks to the report, across a service that was away and a SIGKILL', async () => {
    const { world, line, reported } = await aShop();
    const config = JSON.parse(readFileSync(world.config, 'utf8'));
    writeFileSync(world.config, JSON.stringify({ ...config, service: { ...config.service, url: line.url } }));
    const first = await Daemon.start(world);
    const till = await Till.at(first);
    const ear = await anEar();
    const endpoint = { url: ear.url, events: ['terminal_payment.succeeded'] };
    expect((await till.ask('POST', '/webhook-endpoints', endpoint)).status).toBe(201);
    await line.becomes('refused');

    const { id, trace_id } = (await till.ask('POST', '/terminal-payments', SALE, { traceparent: CLICK })).body
      .data;
    expect(trace_id).toBe(TRACE);
    await eventually(
      async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.status === 'succeeded',
    );
    await eventually(() => ear.bodies.some((body) => body.includes(`"trace_id":"${TRACE}"`)));
    const events = (await till.ask('GET', '/events')).body.data;
    const ours = events.filter(({ data }: { data: { id: string } }) => JSON.stringify(data).includes(id));
    expect(ours.length).toBeGreaterThan(1);
    for (const event of ours) expect(JSON.stringify(event)).toContain(`"trace_id":"${TRACE}"`);
    await first.kill();
    for (const message of ['payment begun', 'payment ended'])
      expect(first.log).toMatch(new RegExp(`"trace":"${TRACE}"[^\\n]*"${message}"`));

    await line.becomes('through');
    const second = await Daemon.start(world);
    await eventually(() => second.log.includes('reported to the service'));
    await eventually(
      () => reported.filter(({ request }) => request.includes('terminal-payments')).length > 1,
    );
    const payments = reported.filter(({ request }) => request.includes('terminal-payments'));
    for (const { traceparent } of payments)
      expect(traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(new Set(payments.map(({ traceparent }) => traceparent)).size).toBe(payments.length);
    expect(second.log).toMatch(new RegExp(`"trace":"${TRACE}"[^\\n]*"reported to the service"`));
    expect((await tillctl(second, 'explain', id)).stdout).toMatch(new RegExp(`^Trace ${TRACE}$`, 'm'));
    await second.stop();
  });

  it('is drawn for a collector: the request, the dialogue and the reports of one payment, and of one that nobody samples nothing', async () => {
    const collector = await anEar();
    const world = await aWorld({}, { tracing: { endpoint: `${collector.url}v1/traces` } });
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    const unsampled = { traceparent: CLICK.replace(/01$/, '00') };
    for (const [minor, headers] of [
      [77, unsampled],
      [1234, { traceparent: CLICK }],
    ] as const) {
      const sale = { ...SALE, amount_minor: minor };
      const { id } = (await till.ask('POST', '/terminal-payments', sale, headers)).body.data;
      await eventually(
        async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.reported === 'yes',
      );
    }
    const spans = () =>
      collector.bodies.flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
    const names = ['POST /v2/terminal-payments', 'report create', 'report result', 'terminal sale'];
    await eventually(() => spans().length >= names.length);
    expect(
      spans()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names);
    const request = spans().find(({ name }) => name === names[0]);
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: '00f067aa0ba902b7', kind: 2 });
    for (const span of spans()) {
      expect(span.traceId).toBe(TRACE);
      if (span.name !== request.name) expect(span.parentSpanId).toBe(request.spanId);
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    }
    expect(new Set(spans().map(({ spanId }) => spanId)).size).toBe(names.length);
    await daemon.stop();
  });

  it('is the payment’s own where the click brings none, a bad one, or a card number, and nobody is refused', async () => {
    const { world } = await aShop();
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    for (const [minor, header] of [
      '',
      'not a trace',
      `00-a4111111111111111a${'b'.repeat(14)}-00f067aa0ba902b7-01`,
    ].entries()) {
      const sale = { ...SALE, amount_minor: 100 + minor };
      const { status, body } = await till.ask('POST', '/terminal-payments', sale, { traceparent: header });
      expect([status, body.data.trace_id]).toEqual([201, body.data.id.replaceAll('-', '')]);
      await eventually(
        async () =>
          (await till.ask('GET', `/terminal-payments/${body.data.id}`)).body.data.status === 'succeeded',
      );
    }
    await daemon.stop();
    expect(daemon.log).not.toContain('4111111111111111');
  });
});
