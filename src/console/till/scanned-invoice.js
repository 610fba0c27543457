import { useEffect } from 'preact/hooks';
import { ApiError } from '../app/api.js';
import { useConsole } from '../app/console.js';
import { exactInvoices } from './invoice-lists.js';
import { whyNot } from './invoice-row.js';
import { scannedText } from './scanned-text.js';
import { useTill } from './till.js';
import { useScanner } from './use-scanner.js';
import { t } from './words.js';

/** @import { Console } from '../app/console.js' */
/** @import { Invoice } from './invoice-stand.js' */

/**
 * What the picker begins with behind a scan that picks nothing: the text of its search, and why; `isUnknown`: no invoice has exactly this text.
 * @typedef {{ no: number, text: string, said: string, isUnknown: boolean }} Unpicked
 */

/**
 * Scans on every view of the till. One that comes while a payment is sent, or on a view that a person has not finished with, is dropped.
 * @param {import('./till.js').Till} till
 */
export function useTillScans(till) {
  const app = useConsole();
  useScanner((scan) => {
    const text = scannedText(scan);
    const [, view = 'take'] = app.router.path.value;
    if (text === '' || till.taking.pending.value) return;
    if (view !== 'take') {
      if (!mayLeave(app)) return;
      till.clear();
      app.router.go(['till']);
    }
    till.scanned(text);
  });
}

/** The history, and a payment that has its outcome; not while a dialog is open. @param {Console} app */
function mayLeave({ router, shop }) {
  const [, view, id = ''] = router.path.value;
  if (document.querySelector('dialog[open]')) return false;
  if (view === 'history') return true;
  const payment = view === 'payment' ? shop.payments.get(id) : undefined;
  return payment !== undefined && payment.completed_at !== null && !payment.needs_person;
}

/**
 * Looks up the invoice of exactly the scanned number or id, and proposes what is due of it. It starts no payment.
 * @param {string} currency of the terminal
 * @param {{ picked: () => void, unpicked: (unpicked: Unpicked) => void }} then
 */
export function useScannedInvoice(currency, { picked, unpicked }) {
  const till = useTill();
  const { api } = useConsole();
  const scan = till.scan.value;
  useEffect(() => {
    if (!scan) return;
    const abort = new AbortController();
    const end = () => {
      if (till.scan.peek() === scan) till.scan.value = null;
    };
    void lookedUp(api, scan.text, currency, abort.signal).then(({ invoice, said, isUnknown }) => {
      if (abort.signal.aborted) return;
      end();
      if (invoice === null) return unpicked({ ...scan, said, isUnknown });
      till.payInvoice(invoice, currency);
      picked();
    });
    return () => {
      abort.abort();
      end();
    };
  }, [scan]);
}

/**
 * @param {import('../app/api.js').Api} api
 * @param {string} text
 * @param {string} currency
 * @param {AbortSignal} signal
 * @returns {Promise<{ invoice: Invoice | null, said: string, isUnknown: boolean }>}
 */
async function lookedUp(api, text, currency, signal) {
  try {
    const { exact, isWhole } = await exactInvoices(api, text, signal);
    const [one, ...others] = exact;
    const isUnknown = !one && isWhole;
    if (isUnknown) return { invoice: null, said: t('scan_none', { text }), isUnknown };
    if (!one || others.length > 0) return { invoice: null, said: t('scan_many'), isUnknown };
    const said = whyNot(one, currency);
    return { invoice: said === '' ? one : null, said, isUnknown };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The picker asks the same daemon, and says what is wrong.
    return { invoice: null, said: '', isUnknown: false };
  }
}
