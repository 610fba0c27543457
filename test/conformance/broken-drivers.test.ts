import { describe, expect, it } from 'vitest';
import type { Link } from '../../src/terminal/link.ts';
import type { TerminalSession } from '../../src/terminal/ports.ts';
import { play } from './run.ts';
import type { Subject } from './subject.ts';
import { nexoOverTcp } from './subjects/nexo.ts';
import { subjects as lines } from './subjects/skeleton/lines.ts';
import { suiteOf } from './suite.ts';

/** What is changed of a driver that keeps every promise. */
interface Break {
  readonly link?: (link: Link) => Link;
  readonly session?: (session: TerminalSession) => Partial<TerminalSession>;
}

const [skeleton] = lines;

describe('a driver that breaks one promise', () => {
  it('makes up a reference: the sale is red', async () => {
    const session: Break['session'] = (own) => ({
      execute: async (...sale) => {
        const outcome = await own.execute(...sale);
        if (outcome.kind !== 'approved') return outcome;
        return { ...outcome, report: { ...outcome.report, reference: 'MADEUP' } };
      },
    });
    expect(await wordsOf('money/sale-approves', skeleton, { session })).toContain('the reference "MADEUP"');
  });

  it('gives what staff typed the reference of its own last sale: the row of it is red', async () => {
    let ticket = '';
    const session: Break['session'] = (own) => ({
      execute: (command, ...more) => {
        ticket = command.ticket;
        return own.execute(command, ...more);
      },
      lastTransaction: async (signal) => {
        const last = await own.lastTransaction(signal);
        return last.kind === 'found' ? { ...last, report: { ...last.report, reference: ticket } } : last;
      },
    });
    expect(await wordsOf('recovery/by-hand', skeleton, { session })).toContain('no till gave it one');
  });

  it('leaves the answer to a question unacknowledged: the clean dialogue is red', async () => {
    const words = await wordsOf('segmentation/whole', skeleton, {
      link: withoutAcknowledgementOf(['Q', 'L']),
    });
    expect(words).toContain('must be answered once (other)');
  });

  it('states other totals than the closed batch had: the end of day is red', async () => {
    const session: Break['session'] = (own) => ({
      endOfDay: async (...close) => {
        const outcome = await own.endOfDay(...close);
        if (outcome.kind !== 'closed' || outcome.totals?.amountMinor === undefined) return outcome;
        return { ...outcome, totals: { ...outcome.totals, amountMinor: outcome.totals.amountMinor + 1 } };
      },
    });
    expect(await wordsOf('day/closes', nexoOverTcp, { session })).toContain('the totals are');
  });

  it('answers a journal with lines behind its close: the row is red, and an empty one is none', async () => {
    const withLine: Break['session'] = () => ({
      journal: async () => ({
        complete: false,
        lines: [{ verdict: 'approved', kind: 'sale' }],
        totals: null,
      }),
    });
    const empty: Break['session'] = () => ({
      journal: async () => ({ complete: false, lines: [], totals: null }),
    });
    expect(await wordsOf('closing/behind-it', skeleton, { session: withLine })).toContain('journal answers');
    expect(await wordsOf('closing/behind-it', skeleton, { session: empty })).toBe('green');
  });
});

/** The words of a red row; the verdict of any other. */
async function wordsOf(id: string, subject: Subject | undefined, broken: Break): Promise<string> {
  const scenario = suiteOf().find((one) => one.id === id);
  if (!scenario || !subject) throw new Error(`there is no ${id}`);
  const verdict = await play(scenario, withDriver(subject, broken));
  return verdict.kind === 'red' ? verdict.words : verdict.kind;
}

function withDriver(subject: Subject, { link = (own) => own, session = () => ({}) }: Break): Subject {
  const load: Subject['manifest']['load'] = async () => {
    const driver = await subject.manifest.load();
    return {
      open: async (opened, ...more) => {
        const own = await driver.open(link(opened), ...more);
        return over(own, session(own));
      },
    };
  };
  return { ...subject, manifest: { ...subject.manifest, load } };
}

/** Takes the answers to these commands, and acknowledges none of them. */
function withoutAcknowledgementOf(commands: readonly string[]): (link: Link) => Link {
  let last = '';
  return (link) =>
    over(link, {
      write: async (bytes) => {
        const letter = String.fromCharCode(bytes[0] ?? 0);
        if (letter === 'A' && commands.includes(last)) return;
        if (letter !== 'A') last = letter;
        await link.write(bytes);
      },
    });
}

/** The object with some of its methods replaced; the others keep their `this`. */
function over<Of extends object>(of: Of, changes: Partial<Of>): Of {
  return new Proxy(of, {
    get: (_, key) => {
      if (Object.hasOwn(changes, key)) return Reflect.get(changes, key);
      const value: unknown = Reflect.get(of, key);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}
