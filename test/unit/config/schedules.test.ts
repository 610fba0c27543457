import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { parseConfig } from '../../../src/config/load.ts';

const INTEGRATION = { connector: 'rest', sink: 'mirror', settings: { recipe: 'directus' } };

function problemOf(integration: object): string {
  const text = JSON.stringify(
    { version: 1, environment: 'live', integrations: { provider_a: { ...INTEGRATION, ...integration } } },
    null,
    1,
  );
  try {
    parseConfig(text, 'tilld.jsonc');
    return '';
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const cron = (expression: string) => ({ schedules: { invoices: { cron: expression } } });

describe('the schedules of an integration', () => {
  it.each([
    '0 6 * * 1-5',
    '*/10 8-20 * * mon-sat',
    '0 0 L * *',
    '0 9 * * 1#1',
    '@daily',
    '* * * * *',
    '0 3 1 1 *',
  ])('take %s', (expression) => {
    expect(problemOf(cron(expression))).toBe('');
  });

  it.each([
    ['* * * * * *', 'has 6 fields, and needs 5'],
    ['*/5 * * * * *', 'there is none for seconds'],
    ['0 6 * *', 'has 4 fields'],
    ['', 'fields'],
    ['61 * * * *', 'has "61", which is no minute'],
    ['0 25 * * *', 'has "25", which is no hour'],
    ['*/0 * * * *', 'has "*/0", which is no minute'],
    ['0 0 30 2 *', 'never comes'],
    ['0 0 31 4,6 *', 'never comes'],
    ['0 0 29 2 *', 'comes less than once a year'],
    ['0 6 1 * 1', 'names a day of the month and a day of the week'],
    ['@reboot', 'is no cron expression'],
    ['0 6 * * ;rm', 'is no'],
    [`0 6 * * ${'1,'.repeat(100)}1`, ''],
  ])('refuse the expression %s, with line and column', (expression, words) => {
    const problem = problemOf(cron(expression));
    expect(problem).toContain(words);
    expect(problem).toMatch(/^ +\d+:\d+ integrations\.provider_a\.schedules\.invoices\.cron: /m);
  });

  it.each([
    [{ time_zone: 'Europe/Berln' }, /\d+:\d+ integrations\.provider_a\.time_zone: is no time zone/],
    [
      { schedules: { invoices: { time_zone: 'Mars/Base' } } },
      /\d+:\d+ integrations\.provider_a\.schedules\.invoices\.time_zone: is no time zone/,
    ],
    [
      { quiet_hours: { from: '24:00', to: '06:00' } },
      /\d+:\d+ integrations\.provider_a\.quiet_hours\.from: must be/,
    ],
    [
      { quiet_hours: { from: '06:00', to: '06:00' } },
      /\d+:\d+ integrations\.provider_a\.quiet_hours: begin and end/,
    ],
    [
      { schedules: { invoices: { crn: '0 6 * * *' } } },
      /\d+:\d+ integrations\.provider_a\.schedules\.invoices\.crn: unknown key "crn", did you mean "cron"/,
    ],
    [{ schedules: { invoices: { interval_s: 5 } } }, /schedules\.invoices\.interval_s: is 5; at least 60/],
    [
      { schedules: { invoices: { quiet_hours: 'nne' } } },
      /\d+:\d+ integrations\.provider_a\.schedules\.invoices\.quiet_hours/,
    ],
    [
      { schedules: { invoices: { quiet_hours: { from: '6', to: '07:00' } } } },
      /schedules\.invoices\.quiet_hours.*must be a time of day/,
    ],
  ])('refuse %o, with line and column', (integration, words) => {
    expect(problemOf(integration)).toMatch(words);
  });

  it('take quiet hours over midnight, and a resource without any', () => {
    const integration = {
      quiet_hours: { from: '22:00', to: '06:00' },
      time_zone: 'Europe/Berlin',
      schedules: { invoices: { quiet_hours: 'none', jitter_s: 0, interval_s: 60 } },
    };
    expect(problemOf(integration)).toBe('');
  });
});
