/** Tries that one counterexample is worth. */
const MOST_TRIES = 400;

/**
 * The smallest input found by leaving parts out, then by zeroing bytes, that still breaks the promise. Each part is half as long as
 * the one before; a slow promise gets fewer tries.
 */
export async function minimised(
  bytes: Uint8Array,
  breaks: (smaller: Uint8Array) => Promise<boolean>,
  budgetMs = 20_000,
): Promise<Uint8Array> {
  const until = performance.now() + budgetMs;
  let [smallest, tries] = [bytes, 0];
  const accepts = async (candidate: Uint8Array): Promise<boolean> => {
    if (tries >= MOST_TRIES || performance.now() > until) return false;
    tries += 1;
    if (!(await breaks(candidate))) return false;
    smallest = candidate;
    return true;
  };
  for (let size = Math.ceil(bytes.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.length; ) if (!(await accepts(without(smallest, at, size)))) at += size;
  }
  for (let at = 0; at < smallest.length && smallest.length <= 64; at += 1)
    if (smallest[at] !== 0) await accepts(smallest.with(at, 0));
  return smallest;
}

function without(bytes: Uint8Array, at: number, size: number): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + size)]);
}
