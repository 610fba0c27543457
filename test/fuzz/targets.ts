import type { Target } from './target.ts';
import { concert } from './targets/concert.ts';
import { ecr17Lines } from './targets/ecr17-lines.ts';
import { http } from './targets/http.ts';
import { inputs } from './targets/inputs.ts';
import { kit } from './targets/kit.ts';
import { transbankLines } from './targets/transbank-lines.ts';
import { zvtLines } from './targets/zvt-lines.ts';
import { zvtMeaning } from './targets/zvt-meaning.ts';
import { zvtMessages } from './targets/zvt-messages.ts';

/** Every parser under fire. */
export const targets: readonly Target[] = [
  ...zvtLines,
  ...zvtMessages,
  ...zvtMeaning,
  ...kit,
  ...http,
  ...inputs,
  ...concert,
  ...ecr17Lines,
  ...transbankLines,
];
