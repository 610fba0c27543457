import { isDeepStrictEqual } from 'node:util';
import { isSameTerminal } from '../../../src/terminal/identity.ts';
import type { Capabilities, TerminalIdentity } from '../../../src/terminal/ports.ts';
import { must } from '../breach.ts';
import { soldBefore } from '../dialogues.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, closeSeat, sitDown, untilReady } from '../stage/aftermath.ts';
import { Bench, type Seat } from '../stage/bench.ts';

const theme = 'identity';

export const identity: readonly Scenario[] = [
  {
    id: 'identity/grade',
    theme,
    title: 'capability identity: who the terminal is, is reported as strongly as declared',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const who = await whoIs(bench, seat);
      const { identity: declared } = subject.capabilities;
      must(who.grade === declared, `declared ${declared}, told ${who.grade}`);
      must(
        declared !== 'serial' || who.serial !== undefined,
        'the grade is serial, but no serial is reported',
      );
      must(
        declared !== 'tid' || who.terminalId !== undefined,
        'the grade is tid, but no terminal id is reported',
      );
      await aftermath(bench);
    },
  },
  {
    id: 'identity/steady',
    theme,
    title: 'a terminal is the same after a payment, on a new link and after a power loss',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const first = await whoIs(bench, seat);
      const past = [await soldBefore(bench, seat)];
      const afterSale = await whoIs(bench, seat);
      await closeSeat(bench, seat);
      const onNewLink = await whoIs(bench, await bench.sit());
      bench.losePower();
      await bench.clock.pass(10_000);
      bench.cable.cut();
      const afterPower = await whoIs(bench, await sitDown(bench));
      for (const who of [afterSale, onNewLink, afterPower])
        must(isDeepStrictEqual(who, first), `${JSON.stringify(who)} instead of ${JSON.stringify(first)}`);
      await aftermath(bench, past);
    },
  },
  {
    id: 'identity/another-terminal',
    theme,
    title: 'another terminal of the same family in the same place is told apart',
    notFor: ({ capabilities }) =>
      capabilities.identity === 'port'
        ? 'capability identity: port: nothing but its port is known of it'
        : null,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const ours = await whoIs(bench, seat);
      await closeSeat(bench, seat);
      bench.exchangeTerminal();
      const other = await whoIs(bench, await sitDown(bench));
      must(!isSameTerminal(ours, other), 'another terminal is taken for ours');
      await aftermath(bench);
    },
  },
  {
    id: 'identity/narrow',
    theme,
    title: 'what is measured on a device is never wider than what the driver declares',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      await whoIs(bench, seat);
      await untilReady(bench, seat);
      const past = [await soldBefore(bench, seat)];
      await bench.call('lastTransaction', (signal) => seat.session.lastTransaction(signal));
      mustBeNoWider(seat.session.capabilities, subject.capabilities);
      await aftermath(bench, past);
    },
  },
];

function whoIs(bench: Bench, { session }: Seat): Promise<TerminalIdentity> {
  return bench.call('identify', (signal) => session.identify(signal));
}

/** The values of a capability, narrowest first. */
const ORDER: { readonly [Key in keyof Capabilities]?: readonly unknown[] } = {
  refund: [false, true],
  void: ['none', 'last', 'any'],
  voidNeedsCard: [true, false],
  tip: [false, true],
  abort: [false, true],
  recover: ['none', 'last_only', 'by_number', 'by_reference'],
  commitPoint: ['acknowledged', 'received'],
  endOfDay: [false, true],
  totalsWithoutPaper: [false, true],
  reprint: [undefined, false, true],
  identity: ['port', 'tid', 'serial'],
};

function mustBeNoWider(measured: Capabilities, declared: Capabilities): void {
  for (const [name, values] of Object.entries(ORDER)) {
    const at = (of: Capabilities) => values.indexOf(Object.entries(of).find(([key]) => key === name)?.[1]);
    must(at(measured) <= at(declared), `${name} is measured wider than declared`);
  }
  must(measured.settleMs >= declared.settleMs, 'settleMs is measured shorter than declared');
}
