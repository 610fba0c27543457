import { AppError } from '../../../src/base/errors.ts';
import { must } from '../breach.ts';
import { OPEN } from '../dialogues.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, closeSeat } from '../stage/aftermath.ts';
import { Bench } from '../stage/bench.ts';
import { judgeFree, judgePaperless } from '../stage/law.ts';
import { LOSE } from '../stage/steps.ts';
import type { ForeignTerminal, Subject } from '../subject.ts';

const theme = 'opening';
/** No opening may take longer, whatever the terminal does: the core gives up then. */
const OPEN_MS = 20_000;

export const opening: readonly Scenario[] = [
  {
    id: 'opening/free',
    theme,
    title: 'an opening moves no money, closes nothing and prints nothing',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      await bench.sit();
      judgeFree(bench.happenings, 'open');
      judgePaperless(bench.happenings, 'open');
      must(bench.ledger.length === 0, 'an opening is in the ledger');
      await aftermath(bench);
    },
  },
  {
    id: 'opening/nobody-there',
    theme,
    title:
      'an opening to a terminal that says nothing is refused within 20 s, may be tried again, and leaves no open link',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      bench.cable.handle = () => LOSE;
      const began = bench.clock.monotonic();
      const error = await failedOpening(bench);
      must(error.retry !== 'never', `${error.code} says that it is never to be tried again`);
      const took = bench.clock.monotonic() - began;
      must(took <= OPEN_MS, `it took ${took / 1000} s`);
      await aftermath(bench);
    },
  },
  {
    id: 'opening/dead-link',
    theme,
    title: 'an opening over a link that has ended is refused',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const link = bench.plug();
      bench.cable.cut();
      await failedOpening(bench, link);
      await aftermath(bench);
    },
  },
  {
    id: 'opening/stopped-before',
    theme,
    title: 'an opening whose signal was aborted before is refused, and leaves no open link',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const controller = new AbortController();
      controller.abort();
      await failedOpening(bench, bench.plug(), controller);
      await aftermath(bench);
    },
  },
  {
    id: 'opening/after-failed-ones',
    theme,
    title: 'after ten failed openings the eleventh succeeds, and nothing of the ten is left',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      for (let round = 0; round < 10; round += 1) {
        bench.cable.begin();
        bench.cable.handle = ({ index }) => (index >= round ? LOSE : { do: 'pass' });
        const link = bench.plug();
        const session = await bench.openOver(link).catch(() => undefined);
        if (session) await closeSeat(bench, { link, session });
        await bench.clock.run('the link of a failed open', link.closed);
        must(bench.driverClock.running.length === 0, `timers run: ${bench.driverClock.running.join()}`);
      }
      await aftermath(bench);
    },
  },
  {
    id: 'opening/again-and-again',
    theme,
    title: 'twenty conversations one after the other are twenty clean ones',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      for (let round = 0; round < 20; round += 1) {
        await closeSeat(bench, await bench.sit());
        must(bench.driverClock.running.length === 0, `timers run: ${bench.driverClock.running.join()}`);
      }
      await aftermath(bench);
    },
  },
  {
    id: 'opening/wrong-protocol',
    theme,
    title: 'a terminal that speaks another protocol is told apart, with its code, and gets no money command',
    notFor: ({ foreign }) =>
      foreign.length > 0 ? null : 'no fingerprint of a foreign terminal is published',
    run: async (subject) => {
      for (const foreigner of subject.foreign) await meetForeigner(subject, foreigner);
    },
  },
  {
    id: 'opening/babble',
    theme,
    title: 'a line that babbles without end does not hold an opening longer than 20 s',
    run: async (subject) => {
      for (const noise of subject.noise) {
        const bench = await Bench.set(subject);
        bench.cable.handle = ({ from }) => {
          if (from === 'terminal') return LOSE;
          for (let time = 0; time < 100; time += 1)
            bench.clock.timer('babble', time * 150, () => bench.cable.sayToTill(noise));
          return LOSE;
        };
        const began = bench.clock.monotonic();
        await failedOpening(bench);
        must(bench.clock.monotonic() - began <= OPEN_MS, 'it took longer');
        await aftermath(bench);
      }
    },
  },
  {
    id: 'opening/flood',
    theme,
    title: 'a thousand packets that nobody asked for fail an opening or are passed over, and are not kept',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const written = await firstWritten(subject);
      const link = bench.plug();
      for (let time = 0; time < 1000; time += 1) bench.cable.sayToTill(written);
      const opened = await bench.openOver(link).catch((error: unknown) => {
        must(error instanceof AppError, `rejected with something else than an AppError: ${error}`);
      });
      if (opened) await closeSeat(bench, { link, session: opened });
      await aftermath(bench);
    },
  },
];

async function failedOpening(
  bench: Bench,
  link = bench.plug(),
  controller = new AbortController(),
): Promise<AppError> {
  const opened = await bench.openOver(link, controller).catch((error: unknown) => error);
  must(opened instanceof Error, 'it opened');
  must(opened instanceof AppError, `rejected with something else than an AppError: ${opened}`);
  await bench.clock.run('the link of a failed open', link.closed);
  must(bench.driverClock.running.length === 0, `timers run: ${bench.driverClock.running.join()}`);
  await link.close();
  return opened;
}

async function meetForeigner(
  subject: Subject,
  { name, greets, answers, code }: ForeignTerminal,
): Promise<void> {
  const bench = await Bench.set(subject);
  bench.cable.handle = ({ from }) => {
    if (from === 'till' && answers) bench.cable.sayToTill(answers);
    return LOSE;
  };
  const link = bench.plug();
  if (greets) bench.cable.sayToTill(greets);
  const error = await failedOpening(bench, link);
  must(error.code === code, `${name} is told as ${error.code}, not as ${code}`);
  judgeFree(bench.happenings, `the meeting with ${name}`);
  await aftermath(bench);
}

/** What a terminal of this family says in an opening, and if it is only that something arrived. */
async function firstWritten(subject: Subject): Promise<Uint8Array> {
  const bench = await Bench.set(subject);
  const prepared = await OPEN.prepare(bench);
  bench.cable.begin();
  await prepared.run();
  const written = bench.cable.steps.filter(({ from }) => from === 'terminal');
  const telling = written.findLast(({ words }) => !words.includes('line_ack')) ?? written.at(-1);
  must(telling !== undefined, 'the terminal says nothing in an opening');
  return telling.bytes;
}
