import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { recipeSchema } from '../../drivers/providers/rest/recipe-rules.ts';
import { VOCABULARY, type VocabularyField } from '../integration/mapping/vocabulary.ts';

const BEGIN = '<!-- vocabulary: made by src/agent/recipe-documents.ts; do not edit -->';
const END = '<!-- end of the vocabulary -->';

/** JSON Schema draft 7 of a recipe, for editors. */
export function recipeJsonSchema(): string {
  const schema = z.toJSONSchema(recipeSchema, { io: 'input', target: 'draft-7', reused: 'ref' });
  return `${JSON.stringify({ $comment: 'Made by src/agent/recipe-documents.ts; do not edit.', ...schema }, null, 2)}\n`;
}

/** The path of the committed schema. */
export function recipeJsonSchemaFile(): string {
  return fileURLToPath(new URL('../../drivers/providers/rest/recipe.schema.json', import.meta.url));
}

/** The path of the description that has the table of fields. */
export function recipeReadmeFile(): string {
  return fileURLToPath(new URL('../../drivers/providers/rest/README.md', import.meta.url));
}

/** The description with the table of the fields that a recipe can name. */
export function withVocabulary(readme: string): string {
  const [before = '', rest = ''] = readme.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}\n\n${vocabularyTable()}\n${END}${after}`;
}

function vocabularyTable(): string {
  const rows = Object.entries(VOCABULARY).flatMap(([resource, fields]) =>
    fields.map((field) => rowOf(resource, field)),
  );
  return [
    '| resource | field | type | meaning | example |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function rowOf(resource: string, { name, type, isRequired, meaning, example }: VocabularyField): string {
  return `| ${resource} | \`${name}\`${isRequired ? ', needed' : ''} | ${type} | ${meaning} | \`${example}\` |`;
}

if (import.meta.main) {
  writeFileSync(recipeJsonSchemaFile(), recipeJsonSchema());
  writeFileSync(recipeReadmeFile(), withVocabulary(readFileSync(recipeReadmeFile(), 'utf8')));
}
