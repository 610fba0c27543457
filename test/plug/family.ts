import { driver as concertDriver } from '../../drivers/terminals/concert/driver.ts';
import { concert } from '../../drivers/terminals/concert/manifest.ts';
import { concertDialect } from '../../drivers/terminals/concert/virtual.ts';
import { driver as ecr17Driver } from '../../drivers/terminals/ecr17/driver.ts';
import { ecr17 } from '../../drivers/terminals/ecr17/manifest.ts';
import { ecr17Dialect } from '../../drivers/terminals/ecr17/virtual.ts';
import { driver as transbankDriver } from '../../drivers/terminals/transbank/driver.ts';
import { transbank } from '../../drivers/terminals/transbank/manifest.ts';
import { transbankDialect } from '../../drivers/terminals/transbank/virtual.ts';
import { driver as zvtDriver } from '../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import type { Currency } from '../../src/base/money.ts';
import type { TerminalManifest } from '../../src/driver-kit/define.ts';
import type { VirtualDialect } from '../../src/sandbox/terminal/dialect.ts';
import type { TerminalDriver } from '../../src/terminal/ports.ts';
import type { Kind } from './place.ts';

/** A family that is plugged and pulled. */
export interface PlugFamily {
  readonly manifest: TerminalManifest;
  readonly driver: TerminalDriver;
  readonly dialect: () => VirtualDialect;
  readonly currency: Currency;
  /** The kinds of cycles that are not played, because of what the protocol has. */
  readonly without: readonly Kind[];
}

/** Every family that speaks over a cable. */
export const FAMILIES: Readonly<Record<string, PlugFamily>> = {
  zvt: {
    manifest: zvt,
    driver: zvtDriver,
    dialect: () => zvtDialect({ hostMs: 5 }),
    currency: 'EUR',
    without: [],
  },
  concert: {
    manifest: concert,
    driver: concertDriver,
    dialect: () => concertDialect({ hostMs: 5, tellsSerial: true }),
    currency: 'EUR',
    // Its heartbeat is 15 s: a silence is noticed after that.
    without: ['silent'],
  },
  ecr17: {
    manifest: ecr17,
    driver: ecr17Driver,
    dialect: () => ecr17Dialect({ hostMs: 5 }),
    currency: 'EUR',
    // Its heartbeat is 60 s.
    without: ['silent'],
  },
  transbank: {
    manifest: transbank,
    driver: transbankDriver,
    dialect: () => transbankDialect({ hostMs: 5, answerMs: 5 }),
    currency: 'CLP',
    // Before the first sale of its day it does not say which terminal it is.
    without: ['stranger'],
  },
};
