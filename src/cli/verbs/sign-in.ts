import { dataOf } from '../../api/contract/primitives.ts';
import { CreateSignInCode, SignInCode } from '../../api/contract/session.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { choosePerson } from '../person-choice.ts';
import { facts } from '../show/table.ts';

export interface SignInOptions extends GlobalOptions {
  readonly role: string;
  readonly person?: string;
}

/** `tillctl sign-in [--role ROLE]` */
export async function signIn(options: SignInOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io);
  const { role: asked, person: name } = options;
  const person = name === undefined ? {} : { person: (await choosePerson(client, name)).name };
  const wanted = CreateSignInCode.safeParse({ role: asked, ...person });
  if (!wanted.success) throw new AppError('USAGE', '--role must be staff, lead or ops; --person a name');
  const call = { method: 'POST', path: '/v2/sign-in-codes', body: wanted.data } as const;
  const { body, value } = await client.call(call, dataOf(SignInCode));
  const { code, role, url, expires_at } = value.data;
  if (options.json) printDocument(io, body);
  else {
    io.out(
      facts([
        ['code', `${code.slice(0, 4)} ${code.slice(4)}`],
        ['address', url],
        ['person', value.data.person],
        ['role', role],
        ['good until', expires_at],
      ]),
    );
  }
  io.err(`The code signs ${value.data.person ?? 'one person'} in, once. Type it at the address.\n`);
  return EXIT.done;
}
