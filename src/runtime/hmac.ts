import { createHmac } from 'node:crypto';

/** HMAC-SHA256 of `text` under `secret`, both as UTF-8, as 64 lower-case hex digits. */
export function hmacSha256(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
