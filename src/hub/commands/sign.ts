import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { importJWK, SignJWT } from 'jose';
import { z } from 'zod';
import { AppError, messageOf } from '../../base/errors.ts';
import { CommandClaims, FleetCommand } from '../../fleet/contract/command.ts';
import { refusalOfConfiguration } from '../../fleet/contract/configuration.ts';

const OperatorKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
});

/**
 * Makes an operator's key in a file of its own, which belongs on the operator's machine and never on the hub.
 * @returns its public half, which a shop is given at `tillctl fleet join --operator-key`
 * @throws KEY_FILE_UNUSABLE when the file is there already, or cannot be written
 */
export function makeOperatorKey(file: string): string {
  const key = OperatorKey.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  try {
    writeFileSync(file, `${JSON.stringify(key)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw new AppError('KEY_FILE_UNUSABLE', `${file}: ${messageOf(cause)}`, { cause });
  }
  return key.x;
}

export interface CommandToSign {
  readonly agentId: string;
  readonly operator: string;
  readonly seconds: number;
  /** As JSON, like `{"kind": "resume", "provider": "provider_a"}`. */
  readonly command: unknown;
}

/** Signs one command for one agent. No hub is asked, so whether this agent exists shows when the command is sent. @throws COMMAND_INVALID, KEY_FILE_UNUSABLE */
export async function signCommand(
  keyFile: string,
  { agentId, operator, seconds, command }: CommandToSign,
  now: number,
): Promise<string> {
  const known = FleetCommand.safeParse(command);
  if (!known.success) throw noCommand(command, known.error);
  const iat = Math.floor(now / 1_000);
  const claims = CommandClaims.safeParse({
    ...{ jti: randomUUID(), sub: agentId, iss: operator, iat, exp: iat + seconds },
    command: known.data,
  });
  if (!claims.success) throw misfit(claims.error);
  return await new SignJWT(claims.data)
    .setProtectedHeader({ alg: 'EdDSA' })
    .sign(await importJWK(keyOf(keyFile), 'EdDSA'));
}

function noCommand(command: unknown, error: z.ZodError): AppError {
  const named = z.record(z.string(), z.unknown()).safeParse(command);
  const refusal = named.success ? refusalOfConfiguration(named.data) : null;
  return new AppError(
    'COMMAND_INVALID',
    refusal ?? `this is no command: ${z.prettifyError(error).slice(0, 500)}`,
  );
}

/** In the words of the command line. */
function misfit(error: z.ZodError): AppError {
  const field = error.issues[0]?.path[0];
  const words = {
    sub: '--agent is no id of an agent: tillhub shops list --tenant MERCHANT shows it',
    iss: '--operator must be a name of 1 to 100 characters: that by which the shop knows the key',
  };
  const why = field === 'sub' || field === 'iss' ? words[field] : z.prettifyError(error).slice(0, 500);
  return new AppError('COMMAND_INVALID', why);
}

function keyOf(file: string): z.infer<typeof OperatorKey> {
  try {
    return OperatorKey.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new AppError('KEY_FILE_UNUSABLE', `${file} holds no key that tillhub keys new has made`, { cause });
  }
}
