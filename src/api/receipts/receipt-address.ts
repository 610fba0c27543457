import type { ReceiptLink } from '../contract/receipt-link.ts';

/** Where a customer's phone reaches receipts. */
export interface ReceiptAddress extends Pick<ReceiptLink, 'certificate'> {
  /** `https://shop.local:8443`, no trailing slash. */
  readonly url: string;
}

/** Names that lead to no machine from another one. */
const NOT_REACHABLE: readonly string[] = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]'];

/**
 * The address of the local interface where the configuration gives it a certificate and another machine can reach it, else that of the shop's
 * network; null: a phone reaches neither. @param hosts names that lead to the local interface, the most wanted first
 */
export function receiptAddress(
  local: string,
  hosts: readonly string[],
  lan: string | null,
): ReceiptAddress | null {
  const name = hosts.find((host) => !NOT_REACHABLE.includes(host));
  if (local.startsWith('https:') && name !== undefined) {
    const { port } = new URL(local);
    return { url: `https://${name}${port === '' ? '' : `:${port}`}`, certificate: 'configured' };
  }
  return lan === null ? null : { url: lan, certificate: 'shop' };
}

/** Whether a request asks for a receipt. @param url of its first line */
export function isReceipt(url: string): boolean {
  return url.startsWith('/receipts/');
}
