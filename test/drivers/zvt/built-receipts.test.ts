import { describe, expect, it } from 'vitest';
import { builtReceipts } from '../../../drivers/terminals/zvt/built-receipts.ts';
import { bytes, openCounter, result, saleTurns } from './scripted-terminal.ts';

const SETTINGS = { charset: 'cp437', language: 'de', width: 40, currency: 'EUR' } as const;
/** Approved 12.34, 4 April 22:55:58, terminal and merchant id, girocard, signature. */
const HEAD =
  '27000400000000123449097887023' +
  '10B0009750C2255580D040429525235353B373530303731000022F0F8559883EEEEEE80748A05';
const SIGNED = '06071F1001011F1201' + '01';
const DATA = bytes(HEAD);

function copies(hex: string, settings: Partial<Parameters<typeof builtReceipts>[2]> = {}) {
  return builtReceipts(bytes(hex), 'sale', { ...SETTINGS, ...settings });
}

describe('receipts that we build', () => {
  it('say what the result says, in the words of the device', () => {
    const { merchant = '', customer = '' } = builtReceipts(DATA, 'sale', SETTINGS);
    const facts = [
      '52523535',
      '000975',
      '0231',
      'girocard',
      '559883******8074',
      '04.04. 22:55:58',
      '750071',
      '12,34 EUR',
    ];
    for (const fact of facts)
      expect([merchant, customer].map((copy) => copy.includes(fact))).toEqual([true, true]);
    expect(merchant).toMatch(/^ +\* \* Händlerbeleg \* \*\n +Kartenzahlung\n/);
    expect(customer).toMatch(/^ +\* \* Kundenbeleg \* \*\n/);
    const english = builtReceipts(DATA, 'refund', { ...SETTINGS, language: 'en' });
    expect(english.customer).toMatch(/Customer copy[\s\S]*Refund[\s\S]*Amount +12\.34 EUR/);
  });

  it('have a line to sign on where the customer signs, on the merchant’s copy alone', () => {
    const { merchant, customer } = copies(
      HEAD + SIGNED.replace('06071F10', '060A1F10').replace('060A', '0608'),
    );
    expect([merchant?.includes('Unterschrift ____'), customer?.includes('Unterschrift')]).toEqual([
      true,
      false,
    ]);
  });

  it('carry the texts that the terminal wants on paper, each on its copy', () => {
    const text = (value: string) => Buffer.from(value, 'latin1').toString('hex');
    const more = `3CF0F0F5${text('Danke')}061A${`4504${text('AAC1')}`}${`4608${text('for them')}`}${`4706${text('for us')}`}`;
    const { merchant = '', customer = '' } = copies(HEAD + more.replace('061A', '0618'));
    expect(merchant).toMatch(/Danke\nAAC1\nfor us$/);
    expect(customer).toMatch(/Danke\nAAC1\nfor them$/);
  });

  it('have no more lines than a receipt, and no full card number', () => {
    const pan = Buffer.from('4111111111111111', 'latin1').toString('hex');
    expect(copies(`${HEAD}3CF0F1F6${pan}`).customer).toContain('411111******1111');
  });

  it('are not made of a payment that was not approved, nor where the terminal printed after all', async () => {
    const options = { receipts: 'built' };
    const declined = await openCounter(saleTurns([result('05')], '061E0105'), { options });
    const refused = await declined.sell();
    expect(refused.kind).toBe('declined');
    expect(refused).toHaveProperty('receipts', {});
    const printed = await openCounter(saleTurns([result('00')], '060F00', ['06D10340' + '4142']), {
      options,
    });
    expect(await printed.sell()).toMatchObject({ receipts: { merchant: expect.stringMatching(/^ +AB$/) } });
  });
});
