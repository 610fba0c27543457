import * as commands from './commands.ts';
import type { Conversation } from './conversation.ts';
import { takesPaper } from './settings.ts';

/** Needs of a terminal before a sale, by the terminal status. @see PA00P015 10.2 */
const [NOT_INITIALISED, CLOCK_WRONG, NOT_REGISTERED, DIAGNOSIS_NEEDED] = ['51', '62', '6B', 'C2'];

/**
 * Resolves a terminal's need where no money moves: registration (6B), initialisation (51), a diagnosis (C2), the clock
 * (62). Never an end of day, even when the terminal requests one.
 * @returns false where staff must act.
 * @throws the errors of a question.
 */
export async function mend(
  status: string,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<boolean> {
  if (status === NOT_REGISTERED) {
    await conversation.register(signal);
    return true;
  }
  const command = commandFor(status, conversation);
  if (!command) return false;
  await conversation.ask({ command, stepMs: conversation.settings.t4Ms }, signal);
  return true;
}

function commandFor(status: string, conversation: Conversation): Uint8Array | undefined {
  const { password, quirks, timeZone } = conversation.settings;
  if (status === NOT_INITIALISED) return quirks.initialise ? commands.initialisation(password) : undefined;
  if (status === CLOCK_WRONG && timeZone !== undefined) {
    const { date, time } = civilTimeIn(timeZone, conversation.now());
    return commands.setClock(password, date, time);
  }
  return status === CLOCK_WRONG || status === DIAGNOSIS_NEEDED ? diagnosisFor(conversation) : undefined;
}

/** A diagnosis contacts the host and has a receipt: it runs only where the receipt comes to us and not on paper. */
function diagnosisFor({ settings }: Conversation): Uint8Array | undefined {
  return settings.quirks.diagnose && takesPaper(settings) ? commands.diagnosis() : undefined;
}

/** The shop's civil time: `YYMMDD` and `HHMMSS`. */
function civilTimeIn(timeZone: string, at: number): { readonly date: string; readonly time: string } {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: '2-digit',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const digits = (...types: readonly Intl.DateTimeFormatPartTypes[]) =>
    types.map((type) => (parts.get(type) ?? '').padStart(2, '0')).join('');
  return { date: digits('year', 'month', 'day'), time: digits('hour', 'minute', 'second') };
}
