import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { mirroredListOf } from '../../api/contract/mirrored.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { opened, ownFile } from '../editor.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { textOf } from '../input-file.ts';
import type { Io } from '../io.ts';
import { kept, type MappingsOptions, MOST_BYTES, replace, suggested } from '../mapping-set.ts';
import { mappingsOf, type ProductOfName, sheetOf } from '../mapping-sheet.ts';

const Products = mirroredListOf(z.looseObject({ id: z.string(), name: z.string().nullish() }));

/**
 * `tillctl mappings P edit [FILE]`: the mappings as a table in the user's editor, or a table that was kept. What changed is shown and asked about
 * before it is stored; where it is not stored, the table stays in its file.
 */
export async function edit(options: MappingsOptions, io: Io): Promise<ExitCode> {
  if (!io.canAsk || options.json)
    throw new AppError('USAGE', 'edit opens an editor: without a terminal take show --json, diff and apply');
  const before = (await kept(options, io)).value.data;
  const text = sheetOf(options.provider, before, (await suggested(options, io)).data);
  const file = options.file ?? (await ownFile(`${options.provider}-mappings.tsv`, text));
  const again = `Nothing was stored. Your table is kept, go on with it: tillctl mappings ${options.provider} edit ${file}\n`;
  try {
    await opened(resolve(io.cwd, file), io);
    const edited = await textOf(file, io, MOST_BYTES);
    if (edited !== text) {
      const mappings = await mappingsOf(edited, before, productOfName(options, io));
      const exit = await replace(options, { mappings: [...mappings] }, io, before);
      if (exit !== EXIT.done) io.err(again);
      else if (options.file === undefined) await rm(dirname(file), { recursive: true });
      return exit;
    }
  } catch (error) {
    io.err(again);
    throw error;
  }
  if (options.file === undefined) await rm(dirname(file), { recursive: true });
  io.err('Nothing was changed.\n');
  return EXIT.no;
}

/** Asks the mirrored products. */
function productOfName(options: MappingsOptions, io: Io): ProductOfName {
  const client = connect(options, io);
  return async (name) => {
    const query = new URLSearchParams({ search: name.slice(0, 200), limit: '100' });
    const { value } = await client.call({ path: `/v2/products?${query}` }, Products);
    const same = (other: string | null | undefined) => other?.trim().toLowerCase() === name.toLowerCase();
    const [one, ...more] = value.data.filter((product) => same(product.name));
    if (one === undefined)
      throw new AppError('USAGE', `there is no product "${name}": tillctl mirror products lists them`);
    if (more.length === 0) return one.id;
    const ids = [one, ...more].map(({ id }) => id).join(', ');
    throw new AppError('USAGE', `"${name}" is the name of ${1 + more.length} products: take the id (${ids})`);
  };
}
