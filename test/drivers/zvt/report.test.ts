import { describe, expect, it } from 'vitest';
import { readReport } from '../../../drivers/terminals/zvt/report.ts';
import { resultWords, verdictOf } from '../../../drivers/terminals/zvt/result-codes.ts';
import { bytes } from './scripted-terminal.ts';

describe('readReport', () => {
  it('reads every field of a full result', () => {
    const data = bytes(
      '2700040000000020400B0004700C2239530D10060E2512170001197022F0F8EEEEEEEEEEEE477129280048692A3130303436313736332020202020203B36313138303400003CF0F1F447454E2E4E522E3A363131383034490978870470880004708A2E8BF1F74465626974204D61737465726361726400',
    );
    const { maskedPan, ...report } = readReport(data, 'sale', 'cp437');
    expect(String(maskedPan)).toBe('************4771');
    expect(report).toEqual({
      verdict: 'approved',
      kind: 'sale',
      responseCode: '00',
      amountMinor: 2040,
      currency: 'EUR',
      number: '0470',
      trace: '000470',
      terminalId: '28004869',
      merchantId: '100461763',
      terminalClock: '1006223953',
      authCode: '611804',
      text: 'GEN.NR.:611804',
      cardScheme: 'Maestro',
      cardholderVerification: 'pin',
    });
  });

  it('reads entry mode, verification, application and the long trace from the container', () => {
    const data = bytes(
      '27000B0000008A06062E2F081F1201021F100100601B4307A000000004101044104465626974204D6173746572636172641F2B0410015008',
    );
    expect(readReport(data, 'last', 'cp437')).toMatchObject({
      entryMode: 'contactless',
      cardholderVerification: 'none',
      applicationId: 'A0000000041010',
      trace: '10015008',
      cardScheme: 'Mastercard',
    });
  });

  it('reads a reservation that staff made at the terminal as a transaction of unknown kind', () => {
    const data = bytes(
      '2700040000000025004909780C2255580D040522F0F8559883EEEEEE80748702313B37353030373100000B000975196029525235350E24058A068C018BF1F14D617374657243617264002A383034303131393236202020202020',
    );
    expect(readReport(data, 'last', 'cp437')).toMatchObject({
      verdict: 'approved',
      kind: 'unknown',
      amountMinor: 2500,
      number: '0231',
      trace: '000975',
    });
  });

  it('keeps the result that came before a field nobody knows', () => {
    expect(readReport(bytes('27050400000000123499AA'), 'sale', 'cp437')).toMatchObject({
      verdict: 'refused',
      amountMinor: 1234,
    });
  });

  it('holds no full card number, wherever the terminal writes it', () => {
    const text = '34313131313131313131313131313131';
    const report = readReport(
      bytes(`270022F0F841111111111111113CF0F1F6${text}23F0F84111111111111111`),
      'sale',
      'cp437',
    );
    expect(JSON.stringify(report)).not.toContain('4111111111111111');
    expect(report.text).toBe('411111******1111');
  });

  it('is unclear without a result code, whatever else it says', () => {
    expect(readReport(bytes('040000000012343B3132333435363738'), 'sale', 'cp437').verdict).toBe('unclear');
    expect(readReport(new Uint8Array(), 'sale', 'cp437').verdict).toBe('unclear');
  });
});

describe('result codes', () => {
  it.each([
    ['00', 'approved'],
    ['05', 'refused'],
    ['33', 'refused'],
    ['37', 'refused'],
    ['6C', 'aborted'],
    ['0A', 'unclear'],
    ['44', 'unclear'],
    ['A1', 'unclear'],
    ['FF', 'unclear'],
    ['99', 'unclear'],
    [undefined, 'unclear'],
  ] as const)('%s is %s', (code, verdict) => {
    expect(verdictOf(code, 'sale')).toBe(verdict);
  });

  it('speaks of every code', () => {
    expect(resultWords('05')).toBe('declined (code 05)');
    expect(resultWords('99')).toBe('unknown result (code 99)');
  });
});
