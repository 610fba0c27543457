import { type Attack, refused } from '../attack.ts';
import { request } from '../request.ts';

const REFUSAL = { status: 400, code: 'validation_error', body: /allow_private/ } as const;

/** Addresses that are not of the internet, in the spellings by which they slip through filters. */
const INSIDE = [
  '192.168.1.1',
  '10.0.0.1:8443',
  '172.16.0.1',
  '172.31.255.254',
  '100.64.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '0',
  '255.255.255.255',
  '224.0.0.251',
  '0xc0a80101',
  '3232235777',
  '0300.0250.01.01',
  '192.168.257',
  '1\u{FF19}2.168.1.1',
  '192\u{3002}168\u{3002}1\u{3002}1',
  '%31%39%32.168.1.1',
  '[::]',
  '[fe80::1]',
  '[fd00::1]',
  '[ff02::fb]',
  '[::ffff:192.168.1.1]',
  '[::ffff:c0a8:101]',
  '[::192.168.1.1]',
  '[64:ff9b::c0a8:101]',
  '[2002:c0a8:101::]',
] as const;

/** Events sent to machines of the shop's network, for a caller that may register endpoints. */
export const REACH: readonly Attack[] = INSIDE.map((host) =>
  refused('webhook targets', `https://${host.replace(/[^ -~]/g, '?')}/`, REFUSAL, (field) =>
    request(field, {
      method: 'POST',
      target: '/v2/webhook-endpoints',
      body: JSON.stringify({ url: `https://${host}/`, events: ['terminal_payment.succeeded'] }),
    }),
  ),
);
