import type { Section } from './rule.ts';

const LOOK_UP = 'unit/outbox/delivery-rules > What a look-up leads to > %s';
const ANSWER = 'unit/outbox/delivery-rules > What an answer to a report leads to > %s';
const FIRST = 'unit/outbox/delivery-rules > Whether a row is looked up before it is sent > %s';

/** What everybody sees, work from the service, and what is reported to it. */
export const SERVICE: Section = {
  title: 'What everybody sees, work, reporting',
  rules: [
    {
      id: 'seen/charged',
      text: 'Charged: unknown until it is proved; error and cancelled mean no.',
      tests: [
        'unit/payment/machine > nobody is told "charged" or "not charged" before a final state',
        'unit/api/render-terminal-payment > a payment as staff and machines see it > %o',
      ],
    },
    {
      id: 'seen/reported',
      text: 'Reported is a light of its own: yes, pending, rejected.',
      tests: [
        'scenario/one-transaction > is pending until the service took the outcome, then yes',
        'scenario/one-transaction > is rejected once the service has refused for good; what was held back by us is pending',
        'scenario/work-from-the-service > does not keep the shop from selling when the service cannot be reached, and is told everything afterwards',
      ],
    },
    {
      id: 'seen/words',
      text: 'Every message to staff says whether the customer was charged and what to do now.',
      tests: [
        'unit/api/staff-message > %s, %s, cause %s',
        'unit/sentences/every-surface > says what the service answered while it stands, and that it is over once the service has taken it',
      ],
    },
    {
      id: 'work/claim',
      text: 'No work without a claim: refused is another agent’s, no answer is asked again.',
      tests: [
        "unit/service/poller > claims the work of its device, then hands it over with its age by the service's clock",
        'unit/service/poller > never touches work again whose claim got %s',
        'unit/service/poller > runs nothing after %s to a claim, and asks again with the same key, also when the list shows it no more',
        'unit/service/service-link > of two agents on one device exactly one gets each payment',
      ],
    },
    {
      id: 'work/adopt',
      text: 'Taking over another terminal is a person’s act.',
      tests: [
        'unit/api/back-office > takes a name, answers with the device, and is heard on the socket only',
      ],
    },
    {
      id: 'work/exclusive',
      text: 'A serial port is opened by one program only.',
      tests: ['unit/transport/serial > refuses a port that another program holds, in words'],
    },
    {
      id: 'work/echo',
      text: 'Work that names one of our attempts, by metadata, id or alias, is never run.',
      tests: [
        'unit/payment/intake > is taken once, by either of its names',
        'unit/service/poller > never asks for what is ours already, and hears it also after the claim',
      ],
    },
    {
      id: 'work/alias',
      text: 'The service’s own id is stored with its answer; polls asked for before are discarded.',
      tests: [
        "unit/store/stores > stores the service's own id as an alias in the transaction that takes its answer",
        'unit/service/poller > discards what a poll shows of a device and amount while a create of ours is unanswered, and takes it up later',
      ],
    },
    {
      id: 'work/age',
      text: 'Age comes from the service’s own clock: too old, or no date, is not run.',
      tests: [
        'scenario/work-from-the-service > that is older than its limit never reaches the terminal and is reported cancelled',
        'unit/service/poller > runs nothing of a service that tells no date',
        'unit/service/service-clock > goes on with the monotonic clock, whatever is done to the wall clock',
      ],
    },
    {
      id: 'work/keys',
      text: 'Our own commands always send a key.',
      tests: [
        'unit/cli/pay > sends one request that the contract allows, with a key, and ends 0 with what staff need to see',
        'unit/cli/refunds-and-voids > void sends one empty request with a key, asks nothing before, and follows to the outcome',
      ],
    },
    {
      id: 'report/written',
      text: 'A report is written with the change, and is done by a success or a look-up that shows it.',
      tests: [
        'unit/payment/machine > %s to a final state by "%s" reports and publishes it, and nothing else does',
        { test: ANSWER, row: '2xx that shows our outcome' },
        { test: LOOK_UP, row: "'our outcome'" },
      ],
    },
    {
      id: 'report/parked',
      text: 'After a final refusal it is parked with a reason and a task.',
      tests: [
        'unit/outbox/sender > parks with a reason, an alarm and a task for a person after a final no',
        { test: ANSWER, row: "'422'" },
      ],
    },
    {
      id: 'report/order',
      text: 'It waits for earlier rows of its attempt and of its sale; nothing else waits for it.',
      tests: [
        'unit/store/stores > lets a row wait for the older rows of its attempt and of its parent, and for nothing else',
        'unit/outbox/outbox-in-the-database > never lets a sale wait for its refund',
        'unit/outbox/sender > lets a report that does not get through hold up its own attempt only',
      ],
    },
    {
      id: 'report/newest',
      text: 'Fresh outcomes first, the backlog in what is left of the budget.',
      tests: [
        'unit/outbox/sender > sends fresh outcomes before the backlog, which gets what is left of the budget',
      ],
    },
    {
      id: 'report/key',
      text: 'The key is fixed with the row.',
      tests: [
        'unit/outbox/sender > repeats an unanswered report under the same key and body until it is answered',
      ],
    },
    {
      id: 'report/look-up',
      text: 'A key first used over 23 h ago, or used before a restart without an answer, is looked up first.',
      tests: [
        { test: FIRST, row: 'older than 23 h' },
        { test: FIRST, row: 'unanswered before a restart' },
        'unit/service/service-link > a restart after a lost answer looks up and reports nothing twice',
      ],
    },
    {
      id: 'look-up/ours',
      text: 'It shows our outcome: both rows are done.',
      tests: [{ test: LOOK_UP, row: "'our outcome'" }],
    },
    {
      id: 'look-up/open',
      text: 'It shows it open: the create is done with its alias, the result is sent with its own key.',
      tests: [
        { test: LOOK_UP, row: 'in progress under another id' },
        "unit/outbox/sender > an open payment gets the result under the row's own key",
      ],
    },
    {
      id: 'look-up/another',
      text: 'It shows another end: the create is done, ours is kept as rejected.',
      tests: [{ test: LOOK_UP, row: "'another final state'" }],
    },
    {
      id: 'look-up/absent',
      text: 'Absent, with a witness: the create is sent with its own key, a result is parked and nothing created.',
      tests: [
        { test: LOOK_UP, row: '404 with a witness' },
        'unit/outbox/sender > a create that is proved absent is sent with its own key, a result is parked and nothing is created',
        'unit/service/reports-to-service > believes a 404 only while a device of ours is visible with the very same key',
      ],
    },
    {
      id: 'look-up/exists',
      text: 'A create that exists already is done.',
      tests: [{ test: ANSWER, row: '409 already exists' }],
    },
    {
      id: 'look-up/hidden',
      text: 'Absent without a witness, or not allowed: everything stops with an alarm and is kept.',
      tests: [
        { test: LOOK_UP, row: '404 without a witness' },
        'unit/outbox/sender > a 404 that proves nothing stops everything and keeps everything',
        'unit/outbox/sender > stops on a %s with one alarm, keeps everything, tries again slowly, and at once when the key is taken',
      ],
    },
    {
      id: 'report/fields',
      text: 'Only fields that the service names go out; a refused body is tried once without ours.',
      tests: [
        "unit/outbox/reports > result names the interface's fields only",
        'unit/outbox/sender > tries the body without metadata once after a 400, under the same key, and remembers it across a restart',
      ],
    },
    {
      id: 'report/back-off',
      text: 'A service in trouble is left alone: back-off, Retry-After, breaker.',
      tests: [
        'unit/outbox/sender > honours Retry-After of a row',
        'unit/outbox/sender > stops for everybody on a 429 until Retry-After is over, and forgets nothing',
        'unit/net/http-client > opens on a failing peer, sends nothing while open, and closes after one good trial',
      ],
    },
    {
      id: 'report/conflict',
      text: 'In progress there: the same key after a pause. A mismatch of the key: parked, never a new key.',
      tests: [
        { test: ANSWER, row: '409 in progress' },
        { test: ANSWER, row: '422 mismatch' },
      ],
    },
    {
      id: 'report/otherwise',
      text: 'The service decided otherwise: the truth is the terminal’s; reported, with a task.',
      tests: [
        { test: ANSWER, row: '2xx that shows another final state' },
        'unit/outbox/outbox-in-the-database > parking a row makes one task of it, in the same transaction',
      ],
    },
  ],
};
