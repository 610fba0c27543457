import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { recipeFrom } from './recipe-source.ts';

/** `tillctl recipe check FILE` */
export async function recipeCheck(
  { file, json }: GlobalOptions & { readonly file: string },
  io: Io,
): Promise<ExitCode> {
  const { path, value } = await recipeFrom(file, io.cwd);
  const resources = Object.keys(Object(value['resources']));
  if (json) printDocument(io, { data: { file: path, ok: true, resources } });
  else io.out(`${path} is fine: ${resources.join(', ')}.\n`);
  return EXIT.done;
}
