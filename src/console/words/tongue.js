import { now } from '../app/now.js';
import { language } from './language.js';
import { formatMoney } from './money.js';
import { formatMoment } from './time.js';

/**
 * The language and formats of the page; a component that reads it is rendered again when the language changes.
 * @returns {import('../../sentences/tongue.js').Tongue}
 */
export function tongue() {
  return {
    language: language.value,
    money: formatMoney,
    moment: (instant) => formatMoment(instant, now.peek()),
  };
}
