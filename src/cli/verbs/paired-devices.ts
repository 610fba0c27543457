import { dataOf, listOf } from '../../api/contract/primitives.ts';
import { PairedDevice, PairingCode } from '../../api/contract/sign-in.ts';
import { AppError } from '../../base/errors.ts';
import { canonicalId } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { withName } from '../naming.ts';
import { noneText } from '../show/empty-list.ts';
import { pairedTable } from '../show/person.ts';
import { facts } from '../show/table.ts';

const URL = '/v2/paired-devices';

/** `tillctl devices pair`: a code that pairs one browser. */
export async function devicesPair(options: GlobalOptions, io: Io): Promise<ExitCode> {
  const call = { method: 'POST', path: '/v2/pairing-codes' } as const;
  const { body, value } = await connect(options, io).call(call, dataOf(PairingCode));
  const { code, url, trust, expires_at } = value.data;
  if (options.json) printDocument(io, body);
  else
    io.out(
      facts([
        ['code', `${code.slice(0, 4)} ${code.slice(4)}`],
        ['address', url],
        ['good until', expires_at],
        ['trust first', trust?.url ?? null],
        ['fingerprint', trust?.fingerprint ?? null],
      ]),
    );
  if (io.terminal) {
    const { renderUnicodeCompact } = await import('uqr');
    io.err(`${renderUnicodeCompact(trust ? scannedAt(trust) : `${url}/${code}`)}\n`);
  }
  io.err(
    trust ? TRUST_WORDS : 'Open the address in the browser that is to be paired, and type the code there.\n',
  );
  return EXIT.done;
}

const TRUST_WORDS =
  'Scan it with the device, or open "trust first" there: the page says how the device comes to trust this shop, once, and leads to the address. Type the code there. Install nothing whose SHA-256 fingerprint is not the one above.\n';

/** The page that says how to trust the shop, with the fingerprint that it must show. */
function scannedAt({ url, fingerprint }: NonNullable<PairingCode['trust']>): string {
  return `${url}#${fingerprint.replaceAll(':', '')}`;
}

/** `tillctl devices paired`: the browsers on which a PIN is good, and those that were withdrawn. */
export async function devicesPaired(options: GlobalOptions, io: Io): Promise<ExitCode> {
  const { body, value } = await connect(options, io).call({ path: URL }, listOf(PairedDevice));
  if (options.json) printDocument(io, body);
  else io.out(value.data.length === 0 ? noneText('paired browsers') : pairedTable(value.data));
  return EXIT.done;
}

/** `tillctl devices withdraw NAME|ID`: at once and for good; a second call changes nothing. */
export async function devicesWithdraw(
  options: GlobalOptions & { readonly device: string },
  io: Io,
): Promise<ExitCode> {
  const client = connect(options, io);
  const { value } = await client.call({ path: URL }, listOf(PairedDevice));
  const { id } = chosen(value.data, options.device);
  const call = { method: 'POST', path: `${URL}/${id}/withdraw` } as const;
  const withdrawn = await client.call(call, dataOf(PairedDevice));
  if (options.json) printDocument(io, withdrawn.body);
  else io.out(pairedTable([withdrawn.value.data]));
  return EXIT.done;
}

/** @throws REFUSED, USAGE */
function chosen(devices: readonly PairedDevice[], word: string): PairedDevice {
  const byId = devices.find(({ id }) => id === canonicalId(word.trim()));
  const paired = withName(
    devices.filter(({ status }) => status === 'paired'),
    word,
  );
  const [found, another] = paired.length > 0 ? paired : withName(devices, word);
  if (!byId && found && another)
    throw new AppError(
      'USAGE',
      `several browsers are called "${found.name}": say an id (tillctl devices paired)`,
    );
  const device = byId ?? found;
  if (device) return device;
  const message = `there is no paired browser with the id or name "${guardText(word).slice(0, 64)}": tillctl devices paired shows them`;
  const error = { type: 'invalid_request_error', code: 'resource_not_found', message, param: 'id' };
  throw new AppError('REFUSED', message, { context: { status: 404, document: { error } } });
}
