/**
 * The page by which a device comes to trust the shop (`src/api/lan/trust-page.ts`) works without this script. It compares the fingerprint that the QR
 * code carried with the page's own, and goes on by itself where the device trusts the shop already.
 */
const { address = '', fingerprint = '' } = document.body.dataset;
const scanned = location.hash.slice(1);

if (scanned !== '' && scanned !== fingerprint.replaceAll(':', ''))
  document.getElementById('other')?.removeAttribute('hidden');
else {
  void goOn();
  // The person comes back from the settings of the device.
  document.addEventListener('visibilitychange', () => document.hidden || void goOn());
}

/** An answer over TLS, whatever it says, shows that the device trusts the shop. */
async function goOn() {
  try {
    await fetch(`${address}/trust`, { mode: 'no-cors', cache: 'no-store' });
  } catch {
    return;
  }
  location.replace(scanned === '' ? address : `${address}/#/pair`);
}
