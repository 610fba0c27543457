import { isDeepStrictEqual } from 'node:util';
import { must } from '../breach.ts';
import { askForOwn, type Dialogue, QUESTIONS, soldBefore } from '../dialogues.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, closeSeat } from '../stage/aftermath.ts';
import { Bench } from '../stage/bench.ts';
import { judgeFree, judgePaperless } from '../stage/law.ts';
import { nextReference } from '../stage/references.ts';
import type { Subject } from '../subject.ts';

const theme = 'free of money';
/** A heartbeat every few seconds, for an hour. */
const BEATS = 240;
const BEAT_MS = 15_000;

const WORDS: Readonly<Record<string, string>> = {
  identify: 'identify',
  readiness: 'readiness (status)',
  lastTransaction: 'the question for the last transaction (probe)',
  totals: 'the question for the totals',
  journal: 'the question for the journal',
  ownTransaction: 'the question for a payment of ours',
};

export const moneyFree: readonly Scenario[] = [
  ...QUESTIONS.map(freeOf),
  {
    id: 'free/heartbeat',
    theme,
    title: 'an hour of heartbeats holds no money command, prints nothing and leaves the ledger as it was',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      const ledger = bench.ledger;
      const from = bench.happenings.length;
      for (let beat = 0; beat < BEATS; beat += 1) {
        await bench.call('readiness', (signal) => seat.session.readiness(signal));
        if (beat % 20 === 0) await bench.call('identify', (signal) => seat.session.identify(signal));
        await bench.clock.pass(BEAT_MS);
      }
      judgeFree(bench.happenings.slice(from), 'a heartbeat');
      judgePaperless(bench.happenings.slice(from), 'a heartbeat');
      must(isDeepStrictEqual(bench.ledger, ledger), 'a heartbeat changed the ledger');
      await aftermath(bench, past);
    },
  },
  {
    id: 'free/a-life',
    theme,
    title:
      'a life without payments (open, ask everything, close, lose the power, ask again) holds no money command',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      for (let round = 0; round < 2; round += 1) {
        const seat = await bench.sit();
        for (const { name } of possible(subject)) await ask(bench, seat.session, name);
        await closeSeat(bench, seat);
        bench.losePower();
        await bench.clock.pass(60_000);
      }
      judgeFree(bench.happenings, 'a life without payments');
      judgePaperless(bench.happenings, 'a life without payments');
      must(bench.ledger.length === 0, 'a life without payments is in the ledger');
      await aftermath(bench);
    },
  },
];

function freeOf({ name, notFor }: Dialogue): Scenario {
  return {
    id: `free/${name}`,
    theme,
    title: `${WORDS[name]} holds no money command, prints nothing and leaves the ledger as it was: before a payment, after it, and on a terminal that has just lost its power`,
    notFor,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      await askAndLook(bench, seat.session, name);
      const past = [await soldBefore(bench, seat)];
      await askAndLook(bench, seat.session, name);
      bench.losePower();
      await bench.clock.pass(10_000);
      await askAndLook(bench, seat.session, name);
      await aftermath(bench, past);
    },
  };
}

async function askAndLook(bench: Bench, session: Asked, name: string): Promise<void> {
  const [ledger, from] = [bench.ledger, bench.happenings.length];
  await ask(bench, session, name);
  judgeFree(bench.happenings.slice(from), name);
  judgePaperless(bench.happenings.slice(from), name);
  must(isDeepStrictEqual(bench.ledger, ledger), `${name} changed the ledger`);
}

type Asked = Awaited<ReturnType<Bench['sit']>>['session'];

/** Asks; over a link that the power loss has ended it may reject. */
async function ask(bench: Bench, session: Asked, name: string): Promise<void> {
  const questions: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
    identify: (signal) => session.identify(signal),
    readiness: (signal) => session.readiness(signal),
    lastTransaction: (signal) => session.lastTransaction(signal),
    totals: (signal) => session.totals(signal),
    journal: (signal) => session.journal(signal),
    ownTransaction: async (signal) => askForOwn(session, nextReference(), signal),
  };
  const question = questions[name];
  must(question !== undefined, `nobody knows how to ask ${name}`);
  await bench.call(name, question).catch((error: unknown) => {
    must(error instanceof Error && error.name === 'AppError', `${name} threw ${error}`);
  });
}

function possible(subject: Subject): readonly Dialogue[] {
  return QUESTIONS.filter(({ notFor }) => notFor(subject) === null);
}
