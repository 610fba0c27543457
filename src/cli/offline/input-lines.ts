/** One line of the input; `tooLong` lines come without their text. */
export type InputLine = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too_long' };

/** Splits input into lines of at most `longest` characters; the text of a longer line is dropped. */
export async function* inputLines(
  input: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<InputLine> {
  const decoder = new TextDecoder();
  let buffered = '';
  let skipping = false;
  const take = (text: string): InputLine => {
    const line: InputLine = skipping || text.length > longest ? { kind: 'too_long' } : { kind: 'line', text };
    skipping = false;
    return line;
  };
  for await (const chunk of input) {
    const pieces = (buffered + decoder.decode(chunk, { stream: true })).split('\n');
    buffered = pieces.pop() ?? '';
    for (const piece of pieces) yield take(piece);
    if (buffered.length > longest) {
      buffered = '';
      skipping = true;
    }
  }
  if (buffered !== '' || skipping) yield take(buffered);
}
