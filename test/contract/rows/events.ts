import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { ENDS, type End, LIST_LIMIT, TERMINAL_PAYMENT } from '../interface.ts';
import { ask, type Group, type Row } from '../row.ts';
import { Event, listOf, type Payment } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { ended, PAYMENTS, paymentIn, retrieved } from './sales.ts';

const TYPES = 'Events: Event types';

export const eventGroup: Group = {
  name: 'events',
  rows: [
    ...ENDS.map(endRow),
    ...(['refund', 'void'] as const).map(backRow),
    {
      id: 'events/order',
      section: 'Endpoints: Pagination',
      what: 'events are listed oldest first, and each once',
      covers: ['operation:GET /v2/events'],
      run: async (side) => {
        const events = await allEvents(side);
        const moments = events.map(({ created }) => Date.parse(created));
        hold(
          moments.every((at, index) => at >= (moments[index - 1] ?? 0)),
          () => 'they are not in the order of time',
        );
        hold(new Set(events.map(({ id }) => id)).size === events.length, () => 'an id is there twice');
      },
    },
  ],
};

function endRow(end: End): Row {
  const covers = ['event:terminal_payment.requested', `event:terminal_payment.${end}`, 'event-envelope'];
  return {
    id: `events/terminal_payment.${end}`,
    section: TYPES,
    what: `a payment that ends ${end} has terminal_payment.requested and then terminal_payment.${end}, with the payment as its data`,
    covers,
    run: async (side) => {
      const payment = await ended(side, end);
      const events = await eventsOf(side, payment.id);
      const outcomes = ENDS.map((one) => `terminal_payment.${one}`);
      const types = events
        .filter(({ type }) => type.endsWith('.requested') || outcomes.includes(type))
        .map(({ type }) => type);
      hold(
        types.join() === `terminal_payment.requested,terminal_payment.${end}`,
        () => `its events are ${types.join()}`,
      );
      isTheResource(
        events.find(({ type }) => type === `terminal_payment.${end}`),
        payment,
      );
    },
  };
}

function backRow(way: 'refund' | 'void'): Row {
  const type = `terminal_${way}.succeeded`;
  return {
    id: `events/${type}`,
    section: TYPES,
    what: `a ${way} that succeeds has one ${type}, with the ${way} as its data`,
    covers: [`event:${type}`],
    run: async (side) => {
      const sale = await ended(side, 'succeeded');
      const { json } = await ask(
        side,
        { method: 'POST', path: `${PAYMENTS}/${sale.id}/${way}` },
        { status: 201 },
      );
      const { id } = paymentIn(json);
      await side.finish(id, 'succeeded');
      const found = (await eventsOf(side, id)).filter((event) => event.type === type);
      hold(found.length === 1, () => `there are ${found.length}`);
      isTheResource(found[0], await retrieved(side, id));
    },
  };
}

/** The data of an event is the resource as GET gives it. */
function isTheResource(event: Event | undefined, payment: Payment): void {
  for (const name of Object.keys(TERMINAL_PAYMENT))
    hold(
      event?.data[name] === payment[name],
      () => `data.${name} is ${String(event?.data[name])}, and GET says ${String(payment[name])}`,
    );
}

async function eventsOf(side: Side, paymentId: string): Promise<readonly Event[]> {
  return (await allEvents(side)).filter(({ data }) => data['id'] === paymentId);
}

async function allEvents(side: Side): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (let more = true; more; ) {
    const cursor = all.length === 0 ? '' : `&starting_after=${all.at(-1)?.id}`;
    const { json } = await ask(
      side,
      { path: `/v2/events?limit=${LIST_LIMIT.most}${cursor}` },
      { status: 200 },
    );
    const page = shapeOf('the events', listOf(Event), json);
    all.push(...page.data);
    more = page.has_more;
  }
  return all;
}
