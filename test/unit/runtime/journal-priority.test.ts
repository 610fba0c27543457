import { fstatSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isJournal, withJournalPriority } from '../../../src/runtime/journal-priority.ts';
import { createLog } from '../../../src/runtime/pino-log.ts';

describe('a line for the journal', () => {
  it.each([
    ['trace', '<7>'],
    ['debug', '<7>'],
    ['info', '<6>'],
    ['warn', '<4>'],
    ['error', '<3>'],
  ] as const)('of level %s begins with %s', (level, mark) => {
    const lines: string[] = [];
    const log = createLog('trace', withJournalPriority({ write: (line) => void lines.push(line) }));
    log.child({ part: 'x' })[level]({ a: 1 }, 'said');
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${mark}\\{.*"msg":"said"\\}\\n$`))]);
  });

  it('that is not of the log is a notice', () => {
    const lines: string[] = [];
    withJournalPriority({ write: (line) => void lines.push(line) }).write('not JSON\n');
    expect(lines).toEqual(['<5>not JSON\n']);
  });
});

describe('the journal', () => {
  const file = openSync(process.execPath, 'r');
  const { dev, ino } = fstatSync(file);

  it('is what systemd has named', () => {
    expect(isJournal({ JOURNAL_STREAM: `${dev}:${ino}` }, file)).toBe(true);
  });

  it.each([
    ['systemd names none', {}],
    ['the output was redirected since', { JOURNAL_STREAM: `${dev}:${ino + 1}` }],
    ['it is nonsense', { JOURNAL_STREAM: 'yes' }],
  ])('is not there where %s', (_, env) => {
    expect(isJournal(env, file)).toBe(false);
  });
});
