import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { SIGNATURE } from '../interface.ts';
import { type Arrival, arrival } from '../receiver.ts';
import { ask, type Group, type Row } from '../row.ts';
import { dataOf, EndpointWithSecret } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { afterAttempt, withFirstEvent } from './first-event.ts';
import { ENDPOINTS, tidied } from './hooks.ts';

const HEADER = SIGNATURE.header.toLowerCase();
const covers = [`header:${SIGNATURE.header}`, 'limit:Webhook timestamp tolerance'];

/** Signatures as a receiver checks them: by itself, with nothing of either side. */
export const signatureGroup: Group = {
  name: 'webhook signatures',
  rows: [
    row(
      'hmac',
      'the signature is HMAC-SHA256 over timestamp, dot and raw body, and the timestamp is now',
      (side) =>
        withFirstEvent(side, async ({ endpoint, first }) => {
          const { seconds, hex } = signatureOf(first);
          hold(hex === hmac(endpoint.secret, seconds, first.raw), () => 'the signature is another one');
          const age = Math.abs(side.now() / 1000 - Number(seconds));
          hold(age <= SIGNATURE.toleranceS, () => `t=${seconds} is ${age} s away`);
        }),
    ),
    row('openssl', 'openssl dgst finds the same signature, where it is installed', (side) =>
      withFirstEvent(side, async ({ endpoint, first }) => {
        const { seconds, hex } = signatureOf(first);
        const found = openssl(endpoint.secret, `${seconds}.${first.raw}`);
        hold(found === null || found === hex, () => `openssl finds ${found}`);
      }),
    ),
    row('secrets', 'two endpoints get the same event under two signatures', (side) =>
      withFirstEvent(side, (one) =>
        withFirstEvent(side, async (other) => {
          const again = await arrival(side, one.receiver, 1);
          hold(again.raw === other.first.raw, () => 'they get other bytes');
          const { seconds, hex } = signatureOf(again);
          hold(
            hex === hmac(one.endpoint.secret, seconds, again.raw),
            () => 'it is not signed with its own secret',
          );
          hold(hex !== signatureOf(other.first).hex, () => 'both have one signature');
        }),
      ),
    ),
    row('rolled', 'after its secret was rolled an attempt is signed with the new one alone', rolled),
  ].map(tidied),
};

function row(id: string, what: string, run: Row['run']): Row {
  return { id: `signature/${id}`, section: 'Events: Signature', what, covers, run };
}

function rolled(side: Side): Promise<void> {
  return withFirstEvent(
    side,
    async ({ endpoint, receiver }) => {
      await afterAttempt(side, endpoint.id, 1);
      const path = `${ENDPOINTS}/${endpoint.id}/roll-secret`;
      const { json } = await ask(side, { method: 'POST', path }, { status: 200 });
      const { secret } = shapeOf('the endpoint', dataOf(EndpointWithSecret), json).data;
      await side.pass(5 * 60_000);
      const second = await arrival(side, receiver, 1);
      const { seconds, hex } = signatureOf(second);
      hold(hex === hmac(secret, seconds, second.raw), () => 'it is not signed with the new secret');
    },
    500,
  );
}

/** The two parts of the signature header. @throws Breach when it has another form */
export function signatureOf({ headers }: Arrival): { readonly seconds: string; readonly hex: string } {
  const sent = String(headers[HEADER]);
  const [, seconds = '', hex = ''] = SIGNATURE.form.exec(sent) ?? [];
  hold(hex !== '', () => `${SIGNATURE.header} is ${sent}`);
  return { seconds, hex };
}

export function hmac(secret: string, seconds: string, raw: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${raw}`).digest('hex');
}

/** What `openssl dgst` makes of a message; null where there is no openssl. */
function openssl(secret: string, message: string): string | null {
  try {
    const out = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], {
      input: message,
      encoding: 'utf8',
    });
    return /([0-9a-f]{64})\s*$/.exec(out)?.[1] ?? out;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
