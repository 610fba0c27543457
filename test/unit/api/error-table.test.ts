import { expect, it } from 'vitest';
import { ADVICE } from '../../../src/api/openapi/refusal-advice.ts';
import { rowOf } from '../../../src/api/openapi/refusal-examples.ts';
import type { DescribedCode } from '../../../src/api/openapi/refusal-messages.ts';

const INTRODUCTION = `# Errors of the local interface

This table is made from \`openapi/refusal-advice.ts\`; a test holds it up to date. The same words, with a real response for each error, are in the examples of
\`/v2/openapi.json\`.

Branch on \`error.code\`, never on the words. \`error.message\` is written for staff: what happened, what it means for the customer's money, what to do now.
\`error.request_id\` finds the request in the log of tilld. An error frees its \`Idempotency-Key\`. Treat a code that you do not know by its status: 5xx and no
answer at all do not say whether a payment has started, and the same request with the same key is harmless; another 4xx moved no money.

**When you repeat a request whose answer was lost**, 401, 403, 408, 413, 415, 421, 429, 431 and 5xx are answered before the key is looked up. They say nothing of the
request before: keep the key, and repeat the request until there is another answer.

| code | status | may money have moved? | send it again? | what to show |
| --- | --- | --- | --- | --- |
`;

it('ERRORS.md says of every error code whether money may have moved, whether to try again, and what to show', async () => {
  const rows = (Object.keys(ADVICE) as DescribedCode[]).map((name) => {
    const { code, status } = rowOf(name);
    const { money, retry, show } = ADVICE[name];
    return { code, status, line: `| \`${code}\` | ${status} | ${money} | ${retry} | ${show} |` };
  });
  const lines = rows
    .toSorted((one, other) => one.code.localeCompare(other.code, 'en') || one.status - other.status)
    .map(({ line }) => line);
  const table = [...new Set(lines)].join('\n');
  await expect(`${INTRODUCTION}${table}\n`).toMatchFileSnapshot('../../../src/api/ERRORS.md');
});
