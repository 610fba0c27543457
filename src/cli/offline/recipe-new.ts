import { AppError, messageOf } from '../../base/errors.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { textOf } from '../input-file.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { plain } from '../show/plain.ts';
import { documentOfAnswer } from './recipe-answer.ts';
import { draftOf } from './recipe-draft.ts';
import { shortLines } from './short-lines.ts';

type Node = Readonly<Record<string, unknown>>;

const MOST_BYTES = 16_777_216;
const WITHIN_MS = 30_000;

/** `tillctl recipe new --from openapi.json|customers.json|URL …`: a draft on standard output; what is open goes to standard error. */
export async function recipeNew(
  { from, json }: GlobalOptions & { readonly from: readonly string[] },
  io: Io,
): Promise<ExitCode> {
  const documents: Node[] = [];
  for (const one of from)
    documents.push(
      documentIn(/^https?:\/\//.test(one) ? await downloaded(one) : await textOf(one, io, MOST_BYTES), one),
    );
  const { recipe, open } = draftOf(together(documents));
  if (json) printDocument(io, { data: { recipe, open } });
  else io.out(`${shortLines(recipe)}\n`);
  if (!json) for (const words of open) io.err(`open: ${plain(words)}\n`);
  if (!json)
    io.err(
      'next: write it into a file, then `tillctl recipe check FILE` and `tillctl recipe try FILE --api-key-file KEYFILE --base-url ADDRESS`; ' +
        'then name the file in the configuration: drivers/providers/rest/README.md, "From a server to its first sync"\n',
    );
  return EXIT.done;
}

async function downloaded(url: string): Promise<string> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) });
    if (!reply.ok) throw new Error(`it answers ${reply.status}`);
    const bytes = await reply.arrayBuffer();
    if (bytes.byteLength > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    throw new AppError('USAGE', `${url} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** @throws USAGE for several of which one is no answer */
function together(documents: readonly Node[]): Node {
  const [first = {}, ...more] = documents;
  if (more.length === 0) return first;
  if (!documents.every((one) => one['x-answer'] === true))
    throw new AppError(
      'USAGE',
      'several --from are answers, each with one list; an OpenAPI document comes alone',
    );
  return {
    ...first,
    paths: Object.assign({}, ...documents.map(({ paths }) => paths)),
  };
}

function documentIn(text: string, from: string): Node {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null && 'openapi' in document) return { ...document };
    const described = documentOfAnswer(document, from);
    if (described !== null) return described;
  } catch (error) {
    throw new AppError('USAGE', `${from} is no JSON; a document in YAML must be converted first`, {
      cause: error,
    });
  }
  throw new AppError(
    'USAGE',
    `${from} is no OpenAPI 3 document, for it has no "openapi", and no answer of a source with a list of records either`,
  );
}
