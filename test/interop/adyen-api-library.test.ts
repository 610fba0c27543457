import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { driver } from '../../drivers/terminals/nexo/driver.ts';
import { nexoDialect } from '../../drivers/terminals/nexo/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import { openTcpLink } from '../../src/transport/tcp.ts';
import { lackOfOpenssl, makeCertificate } from '../security/certificate.ts';
import { aFolder } from '../support/money-database.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../support/shop.ts';
import { type AdyenKey, type AdyensTill, newAdyensTill } from './adyen-api-library.ts';

const KEY: AdyenKey = {
  AdyenCryptoVersion: 1,
  KeyIdentifier: 'counter',
  KeyVersion: 1,
  Passphrase: 'correct horse',
};
const POI_ID = VIRTUAL_TERMINAL.serial;
const { signal } = new AbortController();

interface Place {
  readonly terminal: RunningVirtualTerminal;
  readonly till: AdyensTill;
  /** Of the virtual terminal itself, without TLS. */
  readonly port: number;
}

/** A virtual terminal behind TLS, and Adyen's till at it. */
async function place(): Promise<Place> {
  const { KeyIdentifier: keyIdentifier, KeyVersion: keyVersion, Passphrase: passphrase } = KEY;
  const security = { keyIdentifier, keyVersion, passphrase };
  const terminal = await startVirtualTerminal(
    {
      ...VIRTUAL_TERMINAL,
      protocol: 'nexo',
      over: 'tcp',
      port: 0,
      currency: 'EUR',
      autopilot: 'approve',
      autopilotMs: 5,
    },
    nexoDialect({ hostMs: 5, security }),
    { clock: systemClock, log: silentLog, memory: textMemory() },
  );
  onTestFinished(() => terminal.stop());
  const port = Number(new URL(terminal.address).port);
  const { certificatePath, keyPath } = makeCertificate(aFolder());
  const front = createServer(
    { cert: readFileSync(certificatePath), key: readFileSync(keyPath) },
    (secure) => {
      const inner = connect(port, '127.0.0.1');
      secure.pipe(inner).pipe(secure);
      for (const side of [secure, inner])
        side.on('error', () => {
          secure.destroy();
          inner.destroy();
        });
    },
  );
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void front.close());
  const till = newAdyensTill((front.address() as AddressInfo).port, POI_ID, KEY);
  return { terminal, till, port };
}

const paymentOf = (amount: number, transaction: string) => ({
  SaleData: { SaleTransactionID: { TransactionID: transaction, TimeStamp: '2026-01-05T09:00:00.000Z' } },
  PaymentTransaction: { AmountsReq: { Currency: 'EUR', RequestedAmount: amount } },
});

describe.skipIf(lackOfOpenssl())('Adyen’s library and our virtual terminal', () => {
  it('understand each other: payments, a refusal, status, reversal', async () => {
    const { terminal, till } = await place();
    const ready = await till.ask('Diagnosis', 'd1', { HostDiagnosisFlag: false });
    expect(ready).toMatchObject({
      header: { POIID: POI_ID },
      content: { Response: { Result: 'Success' } },
    });

    const paid = await till.ask('Payment', 'p1', paymentOf(12.34, 'order-1'));
    expect(paid.content).toMatchObject({
      Response: { Result: 'Success' },
      SaleData: { SaleTransactionID: { TransactionID: 'order-1' } },
      PaymentResult: { AmountsResp: { Currency: 'EUR', AuthorizedAmount: 12.34 } },
    });
    terminal.setAutopilot('decline');
    const refused = await till.ask('Payment', 'p2', paymentOf(5, 'order-2'));
    expect(refused.content).toMatchObject({ Response: { Result: 'Failure', ErrorCondition: 'Refusal' } });

    const reference = { MessageCategory: 'Payment', SaleID: 'AdyensTill', ServiceID: 'p1' };
    const status = await till.ask('TransactionStatus', 's1', { MessageReference: reference });
    expect(status.content).toMatchObject({
      Response: { Result: 'Success' },
      RepeatedMessageResponse: {
        RepeatedResponseMessageBody: {
          PaymentResponse: { PaymentResult: { AmountsResp: { AuthorizedAmount: 12.34 } } },
        },
      },
    });
    const none = await till.ask('TransactionStatus', 's2', {
      MessageReference: { ...reference, ServiceID: 'p9' },
    });
    expect(none.content).toMatchObject({ Response: { Result: 'Failure', ErrorCondition: 'NotFound' } });

    const { POIData } = paid.content as { POIData: { POITransactionID: unknown } };
    const undone = await till.ask('Reversal', 'r1', {
      OriginalPOITransaction: { POITransactionID: POIData.POITransactionID },
      ReversalReason: 'MerchantCancel',
    });
    expect(undone.content).toMatchObject({ Response: { Result: 'Success' } });
    expect(terminal.snapshot().ledger.map(({ kind, result, reversed }) => [kind, result, reversed])).toEqual([
      ['sale', 'approved', true],
      ['sale', 'declined', false],
      ['void', 'approved', false],
    ]);
  });

  it('understand each other when the till stops a payment that waits for its customer', async () => {
    const { terminal, till } = await place();
    terminal.setAutopilot('off');
    const paying = till.ask('Payment', 'p1', paymentOf(12.34, 'order-1'));
    await expect.poll(() => terminal.snapshot().screen).toContain('Present card');
    const reference = { MessageCategory: 'Payment', SaleID: 'AdyensTill', ServiceID: 'p1' };
    const content = { AbortReason: 'MerchantAbort', MessageReference: reference };
    expect(await till.ask('Abort', 'a1', content)).toEqual({ header: {}, content: {} });
    expect((await paying).content).toMatchObject({
      Response: { Result: 'Failure', ErrorCondition: expect.stringMatching(/^(Aborted|Cancel)$/) },
    });
    expect(terminal.snapshot().ledger.map(({ result }) => result)).toEqual(['aborted']);
  });

  it('leave a terminal to our driver that repeats what Adyen’s till has sold, encrypted', async () => {
    const { till, port } = await place();
    await till.ask('Payment', 'A1B2C3', paymentOf(12.34, '0198c5a0-0000-7000-8000-00000000abcd'));
    const way = openTcpLink({ host: '127.0.0.1', port, connectTimeoutMs: 1000 });
    const { KeyIdentifier: key_identifier, KeyVersion: key_version, Passphrase: passphrase } = KEY;
    const context = {
      deviceId: 'device',
      currency: 'EUR',
      clock: systemClock,
      log: silentLog,
      transcript: { record: () => undefined },
      dial: way,
      openBeside: way,
      options: {
        poi_id: POI_ID,
        sale_id: 'AdyensTill',
        security: { key_identifier, key_version, passphrase },
      },
    } as const;
    const session = await driver.open(await way(signal), context, signal);
    const reference = { attemptId: '0198c5a0-0000-7000-8000-00000000abcd', ticket: 'A1B2C3' };
    const own = await session.ownTransaction?.(reference, signal);
    await session.close();
    expect(own).toMatchObject({
      kind: 'found',
      report: { amountMinor: 1234, reference: reference.attemptId },
    });
  });
});
