import { describe, expect, it } from 'vitest';
import { ACK, approval, frame, NAK, refusal, type Script, scripted } from './scripted.ts';
import { reportOf, SALE, voidOf } from './sitting.ts';

const PAYMENT = /0X/;
/** Answers the payment, and nothing else. */
const paid =
  (...written: readonly string[]): Script =>
  (text) =>
    PAYMENT.test(text) ? written : [];

describe('the payment command', () => {
  it('is written once when nothing comes back: silence is unknown, and never the frame again', async () => {
    const table = await scripted(paid());
    expect(await table.pay()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_NO_ANSWER' });
    expect(table.count('X')).toBe(1);
  });

  it('is written once when an ACK comes and no result', async () => {
    const table = await scripted(paid(ACK));
    expect(await table.pay()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_NO_ANSWER' });
    expect([table.count('X'), table.observer.calls]).toEqual([1, ['accepted']]);
  });

  it('is written again after a NAK alone, and the payment is charged once', async () => {
    const table = await scripted((text, { nth }) => {
      if (!PAYMENT.test(text)) return [];
      return nth === 2 ? [NAK] : [ACK, frame(approval())];
    });
    expect((await table.pay()).kind).toBe('approved');
    expect(table.count('X')).toBe(2);
  });

  it('is written three times at most; a terminal that then says how it is has charged nobody', async () => {
    const table = await scripted(paid(NAK));
    expect(await table.pay()).toMatchObject({ kind: 'not_started', code: 'TERMINAL_REFUSED' });
    expect(table.count('X')).toBe(3);
  });

  it('refused three times by a terminal that does not say how it is leaves the payment unknown: an ACK may have become a NAK', async () => {
    let refusing = false;
    const table = await scripted((text) => {
      refusing ||= PAYMENT.test(text);
      return refusing ? [NAK] : [];
    });
    expect(await table.pay()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_NOT_HEARD' });
  });

  it('is not written again when a NAK is followed by progress', async () => {
    const progress = `01${'41'.repeat(20)}04`;
    const table = await scripted(paid(NAK, progress, frame(approval())));
    expect((await table.pay()).kind).toBe('approved');
    expect(table.count('X')).toBe(1);
  });

  it('whose connection ends behind it is unknown', async () => {
    const table = await scripted((text, { far }) => {
      if (PAYMENT.test(text)) void far.close();
      return [];
    });
    expect(await table.pay()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_LINK_LOST' });
  });
});

describe('a result', () => {
  it.each([
    ['without an ACK in front', [frame(approval())]],
    ['in one read with the ACK', [ACK + frame(approval())]],
    ['with progress in between', [ACK, `01${'42'.repeat(20)}04`, frame(approval())]],
  ])('%s is a result, and says that the command was taken', async (_, written) => {
    const table = await scripted(paid(...written));
    expect(reportOf(await table.pay())).toMatchObject({ amountMinor: 1234, trace: '000043' });
    expect(table.observer.calls).toEqual(['accepted', 'beforeAcknowledge', 'beforeEnd']);
    expect(table.heard.at(-1)).toBe(ACK);
  });

  it('is on disk before it is acknowledged, and not acknowledged when it is not', async () => {
    const table = await scripted(paid(ACK, frame(approval())));
    table.observer.refuses = 'beforeAcknowledge';
    expect(await table.pay()).toMatchObject({
      kind: 'unknown',
      code: 'NOT_STORED',
      lastReport: { amountMinor: 1234 },
    });
    expect(table.heard).not.toContain(ACK);
  });

  it('whose end could not be stored is unknown, and nothing more is written', async () => {
    const table = await scripted(paid(ACK, frame(approval())));
    table.observer.refuses = 'beforeEnd';
    expect(await table.pay()).toMatchObject({ kind: 'unknown', code: 'NOT_STORED' });
    expect(table.heard.at(-1)).toBe(ACK);
  });

  it('counts although our ACK could not be written: nothing is published that takes an approval back', async () => {
    const table = await scripted((text, { far }) => {
      if (!PAYMENT.test(text)) return [];
      void far.write(Buffer.from(ACK + frame(approval()), 'hex')).then(() => far.close());
      return [];
    });
    expect((await table.pay()).kind).toBe('approved');
  });

  it.each([
    ['01', 'declined'],
    ['05', 'unknown'],
    ['09', 'unknown'],
    ['02', 'unknown'],
    ['77', 'unknown'],
  ])('%s is %s', async (code, kind) => {
    const table = await scripted(paid(ACK, frame(refusal('TESTO', '000044', code))));
    expect((await table.pay()).kind).toBe(kind);
  });

  it('of another terminal is refused with NAK and is nobody’s', async () => {
    const table = await scripted(paid(ACK, frame(approval({ tid: '99999999' }))));
    expect((await table.pay()).kind).toBe('unknown');
    expect(table.heard).toContain(NAK);
    expect(table.observer.reports).toEqual([]);
  });

  it('of terminal 00000000 is ours', async () => {
    const table = await scripted(paid(ACK, frame(approval({ tid: '00000000' }))));
    expect(reportOf(await table.pay()).terminalId).toBeUndefined();
  });

  it('with STAN 000000 has no number', async () => {
    const table = await scripted(paid(ACK, frame(approval({ stan: '000000' }))));
    const report = reportOf(await table.pay());
    expect([report.number, report.trace]).toEqual([undefined, undefined]);
  });

  it('with currency conversion tells the amount in the terminal’s currency', async () => {
    const dcc = `${approval({ amount: '00001234' }).replace('0E', '0V').slice(0, 82)}100010850USD00000000133920000000000`;
    const table = await scripted(paid(ACK, frame(dcc)));
    expect(reportOf(await table.pay())).toMatchObject({ kind: 'sale', amountMinor: 1234 });
  });

  it('of another amount is reported at that amount', async () => {
    const table = await scripted(paid(ACK, frame(approval({ amount: '00000999' }))));
    expect(reportOf(await table.pay()).amountMinor).toBe(999);
  });

  it('without an amount is reported without one', async () => {
    const table = await scripted(paid(ACK, frame(approval().slice(0, 71))));
    expect(reportOf(await table.pay()).amountMinor).toBeUndefined();
  });

  it('that comes again because our ACK was lost is acknowledged again, and is one payment', async () => {
    const table = await scripted(paid(ACK, frame(approval()), frame(approval())));
    expect((await table.pay()).kind).toBe('approved');
    expect(table.heard.filter((written) => written === ACK)).toHaveLength(2);
  });

  it('followed by another one is unknown, and keeps what is its own', async () => {
    const table = await scripted(paid(ACK, frame(approval()), frame(refusal('NEGATA'))));
    expect(await table.pay()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_CONTRADICTION' });
    expect(table.observer.reports.map(({ verdict }) => verdict)).toEqual(['approved']);
  });

  it('that the terminal had told before this payment is an older one: it is not ours, whatever its amount', async () => {
    const older = approval({ stan: '000042' });
    const table = await scripted((text) => {
      if (text.includes('0G')) return [ACK, frame(older)];
      return PAYMENT.test(text) ? [ACK, frame(older)] : [];
    });
    await table.last();
    expect((await table.pay()).kind).toBe('unknown');
    expect(table.observer.reports).toEqual([]);
  });

  it.each([
    ['with an ACK of the command', [ACK]],
    ['in place of an ACK', []],
  ])(
    'of the payment before, repeated %s because our ACK was lost, is none of the next payment',
    async (_, first) => {
      const before = frame(approval());
      const table = await scripted(paid(...first, before));
      expect((await table.pay()).kind).toBe('approved');
      expect((await table.pay()).kind).toBe('unknown');
      expect(table.observer.reports).toHaveLength(1);
    },
  );

  it('that is a refusal like the one before is one of its own behind the ACK of its command, else of nothing', async () => {
    const refused = frame(refusal('NEGATA', '000000'));
    const answers = [[ACK, refused], [ACK, refused], [refused]];
    const table = await scripted((text) => (PAYMENT.test(text) ? (answers.shift() ?? []) : []));
    expect((await table.pay()).kind).toBe('declined');
    expect((await table.pay()).kind).toBe('declined');
    expect((await table.pay()).kind).toBe('unknown');
  });

  it('shows no card number in the transcript, even if the terminal sends a whole one', async () => {
    const whole = approval().replace('000400000******0002', '0004111111111111111');
    const table = await scripted(paid(ACK, frame(whole)));
    expect(`${reportOf(await table.pay()).maskedPan}`).toBe('411111******1111');
    expect(table.transcript.join()).not.toContain('4111111111111111');
  });
});

describe('a reversal', () => {
  const SOLD = approval();
  const DONE = `123456780E00000400000******0002CLI000000${'2111525'}188105      000045000102000${'0'.repeat(10)}`;
  const sold = { trace: '000043', amountMinor: 1234, verdict: 'approved', kind: 'sale' } as const;

  it('names the STAN of the last payment, and only after the terminal has told that this is its last', async () => {
    const table = await scripted((text) => {
      if (text.includes('0G')) return [ACK, frame(SOLD)];
      return text.includes('0S') ? [ACK, frame(DONE)] : [];
    });
    const report = reportOf(await table.pay(voidOf(sold)));
    expect(report).toMatchObject({ kind: 'void', originalTrace: '000043', trace: '000045' });
    expect(report.amountMinor).toBeUndefined();
    expect(table.heard.filter((text) => text.includes('0S'))).toEqual(['123456780S0000000100004300']);
  });

  it.each([
    ['another payment is the last', frame(approval({ stan: '000099' }))],
    ['the last has another amount', frame(approval({ amount: '00000001' }))],
    ['the last was refused', frame(refusal('NEGATA', '000043'))],
    ['the last was itself a reversal', frame(DONE.replace('000045', '000043'))],
    ['the terminal does not tell its last', NAK],
  ])('is not sent when %s', async (_, reply) => {
    const table = await scripted((text) =>
      text.includes('0G') ? (reply === NAK ? [NAK] : [ACK, reply]) : [],
    );
    expect(await table.pay(voidOf(sold))).toMatchObject({ kind: 'not_started', code: 'TERMINAL_CANNOT' });
    expect(table.count('S')).toBe(0);
  });

  it('with STAN 000000 is never sent: the terminal would take back whatever came last', async () => {
    const table = await scripted((text) =>
      text.includes('0G') ? [ACK, frame(approval({ stan: '000000' }))] : [],
    );
    expect((await table.pay(voidOf(sold, { trace: '000000' }))).kind).toBe('not_started');
    expect(table.count('S')).toBe(0);
  });

  it('of a part is not sent', async () => {
    const table = await scripted(() => []);
    const whole = voidOf(sold);
    expect((await table.pay({ ...whole, amount: { minor: 1, currency: 'EUR' } })).kind).toBe('not_started');
    expect(table.heard).toEqual([]);
  });

  it('is not sent to a device that has none', async () => {
    const table = await scripted(() => [], { reversal: false });
    expect(table.session.capabilities.void).toBe('none');
    expect((await table.pay(voidOf(sold))).kind).toBe('not_started');
    expect(table.heard).toEqual([]);
  });

  it('that the terminal does not know is not started, and the capability is gone', async () => {
    const table = await scripted((text) => {
      if (text.includes('0G')) return [ACK, frame(SOLD)];
      return text.includes('0S') ? [NAK] : [];
    });
    expect((await table.pay(voidOf(sold))).kind).toBe('not_started');
    expect(table.session.capabilities.void).toBe('none');
  });
});

describe('receipts', () => {
  const END = `${'}'.repeat(6)}\u001b`;

  it('are acknowledged, put together and masked, and the outcome has them', async () => {
    const parts = ['NEGOZIO}CARTA 4111111111111111}', `TOTALE EUR 12,34}${END}`];
    const frames = parts.map((part) => frame(`123456780S${part}`));
    const table = await scripted(
      (text) =>
        text.endsWith('0E1') ? [ACK] : PAYMENT.test(text) ? [ACK, frame(approval()), ...frames] : [],
      { receipts: true },
    );
    const outcome = await table.pay();
    expect(outcome).toMatchObject({
      kind: 'approved',
      receipts: { merchant: 'NEGOZIO\nCARTA 411111******1111\nTOTALE EUR 12,34' },
    });
    expect(table.heard.filter((written) => written === ACK)).toHaveLength(3);
    expect(table.transcript.join()).not.toContain('TOTALE');
  });

  it('that stop in the middle do not hold the outcome for long', async () => {
    const table = await scripted(
      (text) =>
        text.endsWith('0E1')
          ? [ACK]
          : PAYMENT.test(text)
            ? [ACK, frame(approval()), frame('123456780SNEGOZIO}')]
            : [],
      { receipts: true },
    );
    const began = table.clock.monotonic();
    expect(await table.pay()).toMatchObject({ kind: 'approved', receipts: { merchant: 'NEGOZIO' } });
    expect(table.clock.monotonic() - began).toBeLessThan(6000);
  });

  it('are asked for before each procedure, and no more where the terminal does not know how', async () => {
    const table = await scripted(
      (text, { nth }) =>
        text.endsWith('0E1')
          ? [NAK]
          : PAYMENT.test(text)
            ? [ACK, frame(approval({ stan: String(nth).padStart(6, '0') }))]
            : [],
      { receipts: true },
    );
    expect((await table.pay()).kind).toBe('approved');
    const asked = table.count('E1');
    expect((await table.pay({ ...SALE, ticket: 'A00002' })).kind).toBe('approved');
    expect([asked, table.count('E1')]).toEqual([3, 3]);
  });
});
