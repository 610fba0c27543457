/** Foreign text that is safe for a terminal: without control, escape and direction characters, line breaks kept. */
export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{C}\n]/gu, '·');
}
