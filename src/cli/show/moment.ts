const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
/** Swedish writes dates as ISO 8601 does. */
const SHAPE = { dateStyle: 'short', timeStyle: 'medium' } as const;

/** An instant of the interface in this machine's time zone: `2026-11-26 19:02:38`; in UTC (`--utc`) with a `Z`. Other text stays as it is. */
export function moment(text: string): string {
  if (!INSTANT.test(text)) return text;
  const at = new Date(text);
  return `${at.toLocaleString('sv-SE', SHAPE)}${at.getTimezoneOffset() === 0 ? 'Z' : ''}`;
}

/** A sentence with every instant in it as {@link moment} writes it. */
export function withMoments(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, moment);
}
