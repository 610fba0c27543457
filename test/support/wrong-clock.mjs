// Loaded into a daemon with `--import`: its wall clock is off by what the file named in WRONG_CLOCK says, in ms, and follows it.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
const shifted = () => realNow() + Number(readFileSync(process.env['WRONG_CLOCK'] ?? '', 'utf8'));

class WrongDate extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(shifted());
    else super(...parts);
  }

  static now() {
    return shifted();
  }
}

globalThis.Date = WrongDate;
