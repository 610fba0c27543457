import type { Command } from 'commander';
import { collect, type Does, named, wholeNumber } from './does.ts';

/** Recipes: how a provider's interface is read. */
export function addRecipe(root: Command, does: Does): void {
  const recipe = root
    .command('recipe')
    .description('try, check and draft recipes: how the interface of a provider is read');
  recipe
    .command('try')
    .description(
      'read one page by a recipe, and show each record raw, mapped and as it would be written; nothing is stored',
    )
    .argument('<recipe>', 'a file, or the name of a built-in recipe')
    .option('--provider <provider>', 'whose credential and settings (default: the first that has a recipe)')
    .option('--resource <name>', 'this resource (default: the first of the recipe)')
    .option('--limit <n>', 'records that are shown, 1 to 20', wholeNumber(1, 20), 3)
    .option('--api-key-file <file>', 'a key instead of the one that is kept; - reads standard input')
    .option('--base-url <url>', 'https address of the provider (plain http on this machine only)')
    .option('--app-name <name>', 'the name under which tilld introduces itself')
    .option('--app-email <address>', 'the address that the provider may write to')
    .option('--time-zone <zone>', 'of times without one, like Europe/Berlin')
    .option('--value <name=text>', 'a value of the recipe; repeat for more', collect)
    .action(does(async () => (await import('../verbs/recipe-try.ts')).recipeTry, named('recipe')));
  recipe
    .command('check')
    .description(
      'whether a recipe is right, each mistake with its line and column, and its examples; needs no daemon',
    )
    .argument('<file>', 'JSON with comments')
    .action(does(async () => (await import('../offline/recipe-check.ts')).recipeCheck, named('file')));
  recipe
    .command('new')
    .description(
      "a draft of a recipe from a provider's OpenAPI document or from one of its answers, on standard output; needs no daemon",
    )
    .requiredOption(
      '--from <file|url>',
      'the document, or an answer saved as customers.json, in JSON; repeat for more answers; - reads standard input',
      collect,
    )
    .action(does(async () => (await import('../offline/recipe-new.ts')).recipeNew));
}
