import { formatMoney } from '../words/money.js';
import { sentence, t } from './words.js';

/** @import { Device } from '../app/contract.js' */

/**
 * Why tilld would refuse this sale, as far as it is known before it is sent, and what to do; empty: as far as is known it can be taken.
 * @param {Device | undefined} device undefined: none is chosen
 * @param {number | null} minor null: the typed text is no amount
 * @param {boolean} isLost whether the connection to tilld is lost
 * @param {boolean} [hasOther] whether there is another terminal to choose
 */
export function whyNotTaken(device, minor, isLost, hasOther = false) {
  if (isLost) return sentence('take_lost');
  if (device === undefined) return '';
  const why = whyNotAt(device);
  if (why === '') return whyNotOf(device, minor ?? 0);
  return hasOther ? `${why} ${t('take_other')}` : why;
}

/**
 * What a terminal is to the till: one without power is not connected, also while a doubt waits on it; one that answers and needs a person is.
 * @param {Device} device
 */
export function standOfTerminal({ status, is_connected: isConnected, needs }) {
  if (status === 'offline' && needs !== null) return 'needs_person';
  return status === 'recovering' && !isConnected ? 'offline' : status;
}

/** Why its terminal takes no sale now, and what to do; empty: it does. @param {Device} device */
function whyNotAt(device) {
  const { name } = device;
  const status = standOfTerminal(device);
  if (status === 'offline') return t('take_offline', { name });
  if (status === 'needs_person') return t(isPaper(device) ? 'take_paper' : 'take_needs_person', { name });
  if (status === 'wrong_terminal') return t('take_wrong_terminal', { name });
  return status === 'recovering' ? t('take_recovering', { name }) : '';
}

/** What a terminal that answers needs from a person, in the language of the page. @param {Device} device */
export function needWords(device) {
  return t(isPaper(device) ? 'device_paper_now' : 'device_needs_now', { name: device.name });
}

/** Whether its printer is what a person must look at: its paper, or its cover. @param {Device} device */
export function isPaper({ needs }) {
  return needs === 'terminal_printer';
}

/** @param {Device} device @param {number} minor */
function whyNotOf({ name, currency, min_amount_minor: least, max_amount_minor: most }, minor) {
  if (minor > most) return t('take_too_much', { name, most: formatMoney(most, currency) });
  return minor > 0 && minor < least
    ? t('take_too_little', { name, least: formatMoney(least, currency) })
    : '';
}
