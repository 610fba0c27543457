import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { now } from '../app/now.js';
import { useAction } from '../parts/action.js';
import { Dialog } from '../parts/dialog.js';
import { QrCode } from '../parts/qr-code.js';
import { moments } from '../words/formatters.js';
import { hasReceipt } from './has-receipt.js';
import { t } from './words.js';

/** @import { Payment, ReceiptLink } from '../app/contract.js' */

/**
 * The button for a QR code that opens the receipt on the customer's phone; none where no phone reaches tilld, or where the payment has no receipt.
 * @param {{ payment: Payment }} props
 */
export function PhoneReceipt({ payment }) {
  const { api, shop } = useConsole();
  const [link, setLink] = useState(/** @type {ReceiptLink | null} */ (null));
  const { problem, run } = useAction();
  if (!hasReceipt(payment) || (shop.status.value?.urls.receipts ?? null) === null) return null;
  const show = () =>
    run(async () => setLink((await api.post(`/v2/terminal-payments/${payment.id}/receipt-link`)).data));
  return [
    // Not disabled meanwhile: it would lose the focus, and the dialog could not give it back.
    h('button', { key: 'button', type: 'button', class: 'button', onClick: show }, t('phone_receipt')),
    problem !== '' && h('p', { key: 'problem', class: 'problem', role: 'alert' }, problem),
    link !== null && h(Code, { key: 'code', link, close: () => setLink(null) }),
  ];
}

/** @param {{ link: ReceiptLink, close: () => void }} props */
function Code({ link: { url, expires_at: until, certificate }, close }) {
  const end = Date.parse(until);
  if (now.value >= end)
    return h(
      Dialog,
      { title: t('phone_receipt'), close },
      h('p', { role: 'status' }, t('phone_receipt_ended')),
    );
  const time = moments({ timeStyle: 'short' }).format(end);
  return h(
    Dialog,
    { title: t('phone_receipt'), close },
    h(QrCode, { text: url, label: t('phone_receipt_qr') }),
    h('p', {}, t('phone_receipt_words', { until: time })),
    certificate === 'shop' && h('p', { class: 'note' }, t('phone_receipt_warning')),
  );
}
