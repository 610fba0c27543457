import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { mailOver } from '../../../src/hub/alerts/mail.ts';
import type { SendMail } from '../../../src/hub/alerts/send.ts';
import { live, pass, testBeat } from '../../fleet/alerts.ts';
import { type Operator, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

const FROM = 'alerts@shops.example';
const go = new AbortController().signal;

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string;
  /** By name, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** An SMTP server by the hands of others, on loopback. */
class Mailbox {
  readonly mails: Mail[] = [];
  /** Message-ID of each that was offered, those that were refused included. */
  readonly offered: string[] = [];
  /** What it answers to the next mails instead of taking them. */
  refusal: string | null = null;
  readonly #server = new SMTPServer({
    ...{ hideSTARTTLS: true, allowInsecureAuth: true, authOptional: true, disableReverseLookup: true },
    onAuth: ({ username, password }, _, done) =>
      password === 'p@ss' ? done(null, { user: username }) : done(new Error('wrong password')),
    onData: (stream, { envelope, user }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const whole = Buffer.concat(chunks).toString('utf8');
        this.offered.push(/^message-id: (.*)$/im.exec(whole)?.[1] ?? '');
        if (this.refusal !== null) return done(new Error(this.refusal));
        const [head = '', ...body] = whole.split('\r\n\r\n');
        const lines = head.replaceAll(/\r\n\s/g, ' ').split('\r\n');
        this.mails.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          user: String(user ?? ''),
          headers: new Map(
            lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: ?/, '')]),
          ),
          text: decoded(body.join('\r\n\r\n'), head),
        });
        done();
      });
    },
  });
  #port = 0;

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    const address = this.#server.server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
    return `127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Quoted-printable or base64, where the head says so. */
function decoded(body: string, head: string): string {
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The words of a header (RFC 2047). */
function words(header = ''): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : Buffer.from(
            text
              .replaceAll('_', ' ')
              .replaceAll(/=([0-9A-F]{2})/g, (__, hex: string) =>
                String.fromCharCode(Number.parseInt(hex, 16)),
              ),
            'latin1',
          ).toString('utf8'),
    );
}

describe('the delivery of alerts by e-mail', () => {
  let test: TestHub;
  let admin: Operator;
  let tenant: string;
  let mailbox: Mailbox;
  let send: SendMail;
  beforeAll(async () => {
    test = await testHub();
  }, 120_000);
  afterAll(() => test.stop());
  beforeEach(async () => {
    tenant = `Bakery ${randomUUID()}`;
    await test.tenant(tenant);
    admin = await test.operator(tenant, 'admin');
    mailbox = new Mailbox();
    const server = await mailbox.start();
    send = mailOver({ TILLHUB_SMTP_URL: `smtp://hub:p%40ss@${server}`, TILLHUB_MAIL_FROM: FROM }) as SendMail;
    const to = { kind: 'email', recipients: ['ops@bakery.example', 'anna@bakery.example'], language: 'de' };
    await put('alert-destinations/mail', to);
    await put('alert-rules/cannot_sell', {
      kind: 'cannot_sell',
      destinations: ['mail'],
      severity: 'critical',
    });
  });
  afterEach(() => mailbox.stop());

  const put = async (path: string, body: object) =>
    expect([path, (await admin.ask('PUT', `/v1/${path}`, { body })).body.error]).toEqual([path, undefined]);
  async function failing(name: string): Promise<Shop> {
    const shop = new Shop(test.send);
    expect((await shop.join(await test.invite(tenant, name))).status).toBe(201);
    await shop.exchange({ state: { can_sell: false } }, test.now);
    return shop;
  }
  const rename = (from: string, name: string) =>
    test.database.updateTable('shop').set({ name }).where('name', '=', from).execute();

  it('says in the language of its readers what happened and what to do, and later that it is over', async () => {
    const beat = testBeat(test.database, send);
    const shop = await failing('Köln „Süd“');
    await live(test.database, beat, 1);
    await beat.deliver();
    await beat.deliver();
    expect(mailbox.mails).toHaveLength(1);
    const [mail] = mailbox.mails as [Mail];
    expect(mail).toMatchObject({
      from: FROM,
      to: ['ops@bakery.example', 'anna@bakery.example'],
      user: 'hub',
    });
    expect(words(mail.headers.get('subject'))).toBe('[kritisch] Köln „Süd“: nimmt keine Zahlungen an');
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.headers.get('message-id')).toMatch(/^<[0-9a-f]{32}@shops\.example>$/);
    expect(mail.text).toMatch(
      /^Köln „Süd“: nimmt keine Zahlungen an\r?\nSeit .* UTC.*\r?\nNach eigener Meldung.*Kunden/,
    );
    await shop.exchange({ state: { can_sell: true } }, test.now);
    await live(test.database, beat, 1);
    await beat.deliver();
    expect(words(mailbox.mails[1]?.headers.get('subject'))).toBe(
      '[vorbei] Köln „Süd“: nimmt keine Zahlungen an',
    );
  });

  it('is one mail for what happens at many shops at once', async () => {
    const beat = testBeat(test.database, send);
    for (let no = 0; no < 12; no += 1) await failing(`Shop ${no}`);
    await live(test.database, beat, 1);
    await beat.deliver();
    expect(mailbox.mails).toHaveLength(1);
    expect(words(mailbox.mails[0]?.headers.get('subject'))).toMatch(
      /^\[kritisch\] Shop \d+: .*, und 11 weitere$/,
    );
    for (let no = 0; no < 12; no += 1) expect(mailbox.mails[0]?.text).toContain(`Shop ${no}: nimmt`);
  });

  it('has no header and no line but its own, whatever a shop is called', async () => {
    const beat = testBeat(test.database, send);
    const names = [
      'Berlin\r\nBcc: evil@example.com\r\n\r\nGET RICH',
      `x\u2028To: evil@example.com\u0085${'ß'.repeat(200)}`,
      '=?utf-8?Q?=0D=0ABcc:_evil@example.com?=',
      '.\r\n.\r\nMAIL FROM:<evil@example.com>',
      '"><script>alert(1)</script>\u202emoc.live',
    ];
    for (const [no, name] of names.entries()) {
      await failing(`plain ${no}`);
      await rename(`plain ${no}`, name);
      await live(test.database, beat, 1);
      await beat.deliver();
    }
    expect(mailbox.mails).toHaveLength(names.length);
    for (const { headers, to, text } of mailbox.mails) {
      expect(to).toEqual(['ops@bakery.example', 'anna@bakery.example']);
      expect([...headers.keys()].toSorted()).toEqual([
        ...['auto-submitted', 'content-transfer-encoding', 'content-type', 'date', 'from', 'message-id'],
        ...['mime-version', 'subject', 'to'],
      ]);
      expect(words(headers.get('subject'))).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
      expect(words(headers.get('subject')).length).toBeLessThanOrEqual(220);
      expect(text.split(/\r?\n/).filter((line) => /^(Bcc|To|GET|MAIL|\.$)/.test(line))).toEqual([]);
    }
  });

  it('is tried again while the server is away or refuses: the same alerts with the same id, others with another one', async () => {
    const beat = testBeat(test.database, send);
    await failing('Berlin 1');
    await live(test.database, beat, 1);
    mailbox.refusal = 'try later';
    await beat.deliver();
    const state = async () => (await admin.ask('GET', '/v1/alert-destinations/mail')).body.data;
    expect(await state()).toMatchObject({ waiting: 1, last_error: expect.stringContaining('try later') });
    mailbox.refusal = null;
    await pass(test.database, 2);
    await beat.deliver();
    expect(mailbox.mails).toHaveLength(1);
    expect(mailbox.offered[1]).toBe(mailbox.offered[0]);
    expect(await state()).toMatchObject({ waiting: 0, last_error: null });
    mailbox.refusal = 'try later';
    await failing('Berlin 2');
    await live(test.database, beat, 1);
    await beat.deliver();
    mailbox.refusal = null;
    await failing('Berlin 3');
    await live(test.database, beat, 2);
    await beat.deliver();
    expect(mailbox.mails[1]?.text).toContain('Berlin 3');
    expect(new Set(mailbox.offered).size).toBe(3);
  });

  it('shows that this hub has no server, and why a server did not take it; never a password', async () => {
    await failing('Berlin 1');
    const without = testBeat(test.database);
    await live(test.database, without, 1);
    await without.deliver();
    const state = async () => (await admin.ask('GET', '/v1/alert-destinations/mail')).body.data.last_error;
    expect(await state()).toContain('TILLHUB_SMTP_URL');
    expect((await admin.ask('POST', '/v1/alert-destinations/mail/test')).body.data).toMatchObject({
      delivered: false,
      error: expect.stringContaining('TILLHUB_SMTP_URL'),
    });
    const server = await new Mailbox().start();
    const wrong = mailOver({ TILLHUB_SMTP_URL: `smtp://hub:geheim@${server}`, TILLHUB_MAIL_FROM: FROM });
    await pass(test.database, 2);
    await testBeat(test.database, wrong).deliver();
    expect(await state()).toContain('wrong password');
    expect(await state()).not.toContain('geheim');
  });
});

describe('the settings of e-mail', () => {
  it('are both there or none, and are refused in words', () => {
    expect(mailOver({})).toBeNull();
    for (const url of [
      '',
      'mail.example',
      'http://mail.example',
      'smtp://',
      'smtp://mail.example/?pool=true',
      'smtp://mail.example#x',
    ])
      expect(() => mailOver({ TILLHUB_SMTP_URL: url, TILLHUB_MAIL_FROM: FROM })).toThrow(
        'TILLHUB_SMTP_URL must be',
      );
    for (const from of [
      undefined,
      '',
      'a',
      'A <a@b.example>',
      'a@b.example\r\nBcc: c@d.example',
      'a@b.example, c@d.example',
    ])
      expect(() => mailOver({ TILLHUB_SMTP_URL: 'smtp://127.0.0.1', TILLHUB_MAIL_FROM: from })).toThrow(
        'TILLHUB_MAIL_FROM must be',
      );
  });

  it('send nothing in the clear beyond this machine', async () => {
    const heard: string[] = [];
    const server = createServer((socket) => {
      socket.write('220 mail.example\r\n');
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        heard.push(String(data));
        socket.write(/^EHLO/i.test(String(data)) ? '250-mail.example\r\n250 AUTH PLAIN\r\n' : '502 no\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    // Another address of this machine that is none of loopback.
    const sendMail = mailOver({
      TILLHUB_SMTP_URL: `smtp://u:geheim@0.0.0.0:${port}`,
      TILLHUB_MAIL_FROM: FROM,
    });
    const mail = { id: randomUUID(), recipients: ['a@b.example'], subject: 's', text: 'only under TLS' };
    await expect(sendMail?.(mail, go)).rejects.toThrow(/STARTTLS|TLS/);
    expect(heard.join('')).not.toMatch(/AUTH|MAIL|only under TLS/);
  });
});
