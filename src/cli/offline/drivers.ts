import { resolve } from 'node:path';
import { installedDrivers, type NamedDriver } from '../../agent/hosted-drivers.ts';
import { namedAsOutside } from '../../api/render/json-record.ts';
import { AppError } from '../../base/errors.ts';
import { loadConfig } from '../../config/load.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { facts, table } from '../show/table.ts';
import { usualConfig } from './state-files.ts';

export interface DriversOptions extends GlobalOptions {
  readonly config?: string;
  readonly driverPackages?: string;
  readonly driver?: string;
}

const HEADINGS = ['DRIVER', 'NAME', 'LINES', 'REFUND', 'VOID', 'TIP', 'AFTER A LOST RESULT', 'FROM'];
const RECOVERS = {
  by_reference: 'found by our reference',
  by_number: 'found by its number',
  last_only: 'found if it was the last',
  none: 'a person is asked',
} as const;

/** `tillctl drivers [DRIVER]`: the drivers that a device can name. They are read as data: no code of a package runs. */
export async function drivers(options: DriversOptions, io: Io): Promise<ExitCode> {
  const { config, driver, driverPackages: folder } = options;
  const file = config === undefined ? usualConfig(io.cwd) : resolve(io.cwd, config);
  const { known, refused } = installedDrivers(
    loadConfig(file),
    folder === undefined ? null : resolve(io.cwd, folder),
  );
  const shown = known.filter(({ manifest }) => driver === undefined || manifest.id === driver);
  if (shown.length === 0) {
    const names = known.map(({ manifest }) => manifest.id).join(', ');
    throw new AppError(
      'USAGE',
      `no driver is called "${plain(driver ?? '')}"; there are ${names} (a package must be named in "driver_packages" of the configuration: --config FILE)`,
    );
  }
  if (options.json) printDocument(io, { data: shown.map(documentOf), refused });
  else if (driver === undefined) io.out(table(HEADINGS, shown.map(rowOf)));
  else for (const one of shown) io.out(`${plain(one.manifest.name)}\n${facts(factsOf(one))}`);
  for (const words of refused) io.err(`refused: ${plain(words)}\n`);
  return refused.length === 0 ? EXIT.done : EXIT.no;
}

function rowOf({ manifest, from }: NamedDriver): readonly string[] {
  const { id, name, transports, capabilities: can } = manifest;
  return [
    id,
    name,
    transports.join(', '),
    can.refund ? 'yes' : 'no',
    can.void === 'any' ? 'yes' : can.void === 'last' ? 'the last sale' : 'no',
    can.tip ? 'yes' : 'no',
    RECOVERS[can.recover],
    from?.name ?? 'tilld',
  ];
}

function factsOf({ manifest, from }: NamedDriver): readonly (readonly [string, string | null])[] {
  const { usbFingerprints = [], capabilities, defaults } = manifest;
  return [
    ['driver', manifest.id],
    ['from', from === null ? 'tilld' : `${from.name} in ${from.folder}`],
    ['specification', manifest.specification],
    ['lines', manifest.transports.join(', ')],
    ['connection', manifest.connection ?? 'kept'],
    ...Object.entries(namedAsOutside({ ...defaults })).map(([key, value]) => [key, String(value)] as const),
    ['USB ids', usbFingerprints.map((one) => `${one.vendorId}:${one.productId}`).join(', ') || null],
    ['largest amount', `${manifest.maxAmountMinor} in minor units`],
    ...Object.entries(namedAsOutside({ ...capabilities })).map(
      ([key, value]) => [key, value === true ? 'yes' : value === false ? 'no' : String(value)] as const,
    ),
  ];
}

/** Its manifest, without what only code can use. */
function documentOf({ manifest, from }: NamedDriver) {
  const { options: _, load: __, loadDecoder: ___, ...data } = manifest;
  return namedAsOutside({ ...data, package: from && { name: from.name, folder: from.folder } });
}
