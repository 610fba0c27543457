import { foreignPackage } from './foreign-package.ts';

type Json = Readonly<Record<string, unknown>>;

export interface AdyenKey {
  readonly AdyenCryptoVersion: 1;
  readonly KeyIdentifier: string;
  readonly KeyVersion: number;
  readonly Passphrase: string;
}

/** What Adyen's own library for Node.js asks a terminal in the shop's network, encrypted. */
export interface AdyensTill {
  /** The content of the response to this request, and its header; both are empty where the answer has no body. */
  ask(
    category: string,
    serviceId: string,
    content: Json,
  ): Promise<{ readonly header: Json; readonly content: Json }>;
}

/** A till made of that library. It adds port and path to an address by itself; behind a hash they mean nothing, and those of `port` count. */
export function newAdyensTill(port: number, poiId: string, key: AdyenKey): AdyensTill {
  const library = foreignPackage('@adyen/api-library') as Readonly<
    Record<string, new (...values: readonly unknown[]) => object>
  >;
  const { Client, TerminalLocalAPI: Api } = library;
  if (!Client || !Api) throw new Error('@adyen/api-library has no local Terminal API');
  const client = new Client({
    environment: 'TEST',
    apiKey: 'not used in the shop',
    terminalApiLocalEndpoint: `https://127.0.0.1:${port}/nexo/#`,
    // Its word for "any certificate".
    certificatePath: 'unencrypted',
  });
  const api = new Api(client);
  return {
    ask: async (category, serviceId, content) => {
      const request = {
        SaleToPOIRequest: {
          MessageHeader: {
            ProtocolVersion: '3.0',
            MessageClass: 'Service',
            MessageCategory: category,
            MessageType: 'Request',
            SaleID: 'AdyensTill',
            ServiceID: serviceId,
            POIID: poiId,
          },
          [`${category}Request`]: content,
        },
      };
      const method = Reflect.get(api, 'request') as (...values: readonly unknown[]) => Promise<unknown>;
      const answer = (await method.call(api, request, key)) as { SaleToPOIResponse?: Json };
      const { MessageHeader = {}, ...rest } = answer.SaleToPOIResponse ?? {};
      return { header: MessageHeader as Json, content: (rest[`${category}Response`] ?? {}) as Json };
    },
  };
}
