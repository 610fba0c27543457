// A driver package of an attacker. Its terminal tells it what to try, and hears what came of it.
import * as kit from 'tilld/driver-kit';
import { tries } from './tries.js';
import { violence } from './violence.js';

const text = new TextEncoder();

const CAPABILITIES = {
  refund: false,
  void: 'none',
  voidNeedsCard: false,
  tip: false,
  abort: false,
  recover: 'none',
  commitPoint: 'received',
  settleMs: 1000,
  goesOnMs: 0,
  endOfDay: false,
  totalsWithoutPaper: false,
  identity: 'port',
};

/** What it does in its next payment. */
let inPayment = null;

async function attack(name, argument, tools) {
  const act = tries[name] ?? violence[name];
  try {
    return `GOT ${String(await act(argument, tools)).slice(0, 400)}`;
  } catch (error) {
    return `refused: ${String(error?.message ?? error).slice(0, 200)}`;
  }
}

async function obey(link, context) {
  let line = '';
  for await (const chunk of link.bytes) {
    line += new TextDecoder().decode(chunk);
    if (!line.includes('\n')) continue;
    const { name, argument, when } = JSON.parse(line);
    line = '';
    if (when === 'payment') inPayment = name;
    const answer = when === 'payment' ? 'armed' : await attack(name, argument, { link, context, kit });
    await link.write(text.encode(`${answer.replaceAll('\n', ' ')}\n`));
  }
}

export const driver = {
  async open(link, context) {
    await link.write(text.encode('hello\n'));
    void obey(link, context).catch(() => undefined);
    return {
      capabilities: CAPABILITIES,
      identify: async () => ({ grade: 'port' }),
      readiness: async () => ({ kind: 'ready' }),
      lastTransaction: async () => ({ kind: 'empty' }),
      async execute(command, observer) {
        const { minor } = command.amount;
        const name = inPayment;
        const report = { verdict: 'approved', kind: 'sale', amountMinor: minor, currency: 'EUR' };
        const outcome = { kind: 'approved', report, receipts: {} };
        observer.accepted();
        if (name !== null) await violence[name]({ observer, report, outcome }, { link, context, kit });
        return outcome;
      },
      abort() {},
      endOfDay: async () => ({ kind: 'refused', code: 'NO', message: 'no' }),
      totals: async () => null,
      journal: async () => ({ complete: false, lines: [], totals: null }),
      close: async () => undefined,
    };
  },
};
