import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../../src/base/log.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Span } from '../../../src/base/span.ts';
import { OtlpSpans } from '../../../src/net/otlp.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

function aSpan(changes: Partial<Span> = {}): Span {
  return {
    of: { id: '0199c0de-1234-7abc-8def-0123456789ab', trace: null },
    id: '8def0123456789ab',
    parent: null,
    kind: 'client',
    name: 'terminal sale',
    startedAt: 1_000,
    endedAt: 2_500,
    facts: { 'tilld.tries': 2 },
    ...changes,
  };
}

/** A collector that answers with `status`, or not at all (0). */
function aCollector(status = 200) {
  const collector = {
    status,
    posts: [] as { url: string; body: string }[],
    logged: [] as [LogFields, string][],
  };
  const clock = new VirtualClock();
  const note = (fields: LogFields, words: string) => void collector.logged.push([fields, words]);
  const spans = new OtlpSpans({
    endpoint: 'http://127.0.0.1:4318/v1/traces',
    version: '0.1.0',
    clock,
    log: { ...silentLog, info: note, warn: note },
    post: async ({ url, body }) => {
      collector.posts.push({ url, body });
      if (collector.status === 0) throw new Error('connection refused');
      return collector.status;
    },
  });
  const sent = (no: number) =>
    JSON.parse(collector.posts[no]?.body ?? '{}').resourceSpans[0].scopeSpans[0].spans;
  return Object.assign(collector, { clock, spans, sent });
}

describe('spans for a collector', () => {
  it('are posted together, in the form of OTLP', async () => {
    const { clock, spans, posts, sent } = aCollector();
    spans.ended(aSpan());
    spans.ended(aSpan({ parent: '0199c0de12347abc', name: 'report create' }));
    await clock.advance(5_000);
    expect(posts.map(({ url }) => url)).toEqual(['http://127.0.0.1:4318/v1/traces']);
    expect(sent(0)).toMatchObject([
      {
        traceId: '0199c0de12347abc8def0123456789ab',
        spanId: '8def0123456789ab',
        name: 'terminal sale',
        kind: 3,
        startTimeUnixNano: '1000000000',
        endTimeUnixNano: '2500000000',
        attributes: expect.arrayContaining([{ key: 'tilld.tries', value: { intValue: '2' } }]),
      },
      { parentSpanId: '0199c0de12347abc' },
    ]);
    await clock.advance(60_000);
    expect(posts).toHaveLength(1);
  });

  it('never end before they began, whatever the clock did', async () => {
    const { clock, spans, sent } = aCollector();
    spans.ended(aSpan({ startedAt: 2_000, endedAt: 1_000 }));
    await clock.advance(5_000);
    expect(sent(0)[0].endTimeUnixNano).toBe('2000000000');
  });

  it('are dropped beyond 512 that wait, and counted', async () => {
    const { clock, spans, sent, logged } = aCollector();
    for (let no = 0; no < 600; no += 1) spans.ended(aSpan());
    await clock.advance(5_000);
    expect(sent(0)).toHaveLength(512);
    expect(logged).toEqual([[{ dropped: 88 }, 'traces are taken again']]);
  });

  it.each([0, 503])(
    'are dropped where the collector fails (%s), which is said once and again when it is over',
    async (status) => {
      const collector = aCollector(status);
      const { clock, spans, logged } = collector;
      for (let no = 0; no < 3; no += 1) {
        spans.ended(aSpan());
        await clock.advance(5_000);
      }
      expect(logged.map(([, words]) => words)).toEqual(['traces are not taken: they are dropped']);
      collector.status = 200;
      spans.ended(aSpan());
      await clock.advance(5_000);
      expect(logged[1]).toEqual([{ dropped: 3 }, 'traces are taken again']);
    },
  );

  it('are none of a trace that whoever asked does not keep, and none after the end', async () => {
    const { clock, spans, posts } = aCollector();
    spans.ended(aSpan({ of: { id: 'x', trace: { id: 'a', parent: 'b', sampled: false } } }));
    spans.stop();
    spans.ended(aSpan());
    await clock.advance(5_000);
    expect(posts).toEqual([]);
  });
});
