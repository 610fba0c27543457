import { DEVICE_ID } from './device.ts';
import type { Field } from './field.ts';

export interface Parts {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** null: no Host at all. */
  readonly host?: string | null;
  /** null: no key; default: a key that may do everything. */
  readonly key?: string | null;
  /** Lines as they are written. */
  readonly headers?: readonly string[];
  /** Sent with its length unless `headers` say something of length or encoding. */
  readonly body?: string;
}

export const DEVICES = '/v2/terminal-devices';
export const PAYMENTS = '/v2/terminal-payments';
export const STREAM = '/v2/events/stream';

/** A request, byte for byte. */
export function request(field: Field, parts: Parts = {}): string {
  const { method = 'GET', target = DEVICES, version = 'HTTP/1.1', headers = [], body = '' } = parts;
  const host = parts.host === undefined ? field.authority : parts.host;
  const key = parts.key === undefined ? field.keys.full : parts.key;
  const lines = [
    `${method} ${target} ${version}`,
    ...(host === null ? [] : [`Host: ${host}`]),
    ...(key === null ? [] : [`x-api-key: ${key}`]),
    ...(body === '' || says(headers, 'content-type') ? [] : ['Content-Type: application/json']),
    ...(body === '' || says(headers, 'content-length') || says(headers, 'transfer-encoding')
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A request that would charge somebody, if it were let in. */
export function sale(field: Field, parts: Parts = {}): string {
  return request(field, { method: 'POST', target: PAYMENTS, body: SALE, ...parts });
}

/** An amount that the honest till never asks for. */
export const SALE = JSON.stringify({ device_id: DEVICE_ID, amount_minor: 66_600, currency: 'EUR' });

function says(headers: readonly string[], name: string): boolean {
  return headers.some((line) => new RegExp(`^${name}[\\s]*:`, 'i').test(line));
}
