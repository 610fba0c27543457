import { type Currency, formatMoney } from '../base/money.ts';
import type { Tongue } from './tongue.js';

/** The language of the daemon and the command line: English, amounts as `12.34 EUR`, times in this machine's time zone. */
export const ENGLISH: Tongue = {
  language: 'en',
  money: (minor, currency) => formatMoney({ minor, currency: currency as Currency }),
  moment: (instant) => MOMENT.format(new Date(instant)),
};

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
