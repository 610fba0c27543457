import { h } from 'preact';
import { encode } from 'uqr';

/**
 * A text as a QR code.
 * @param {{ text: string, label: string }} props
 */
export function QrCode({ text, label }) {
  const { size, data } = encode(text, { ecc: 'M', border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return h(
    'svg',
    { class: 'qr-code', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label },
    h('rect', { width: size, height: size, fill: '#fff' }),
    h('path', { d: dark.join(''), fill: '#000' }),
  );
}
