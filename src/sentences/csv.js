/**
 * Rows of cells as CSV (RFC 4180: commas, CRLF).
 * @param {readonly (readonly (string | number)[])[]} rows
 */
export function csvOfRows(rows) {
  return rows.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/**
 * A text as a cell: quotes doubled where they are needed. One that a spreadsheet would take for a formula begins with an apostrophe.
 * @param {string} text
 */
export function textCell(text) {
  const safe = /^\s*[=+\-@＝＋－＠]|^[\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * An amount as a decimal with a point, with a minus before it where it is negative.
 * @param {number} minor
 * @param {number} digits after the point
 */
export function decimal(minor, digits) {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const sign = minor < 0 ? '-' : '';
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
