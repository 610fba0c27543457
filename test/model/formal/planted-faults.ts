/** A sentence of the rules that the model breaks when `-DFAULT_<macro>` is set. */
export interface PlantedFault {
  readonly name: string;
  /** Name of the LTL formula that must be found broken. */
  readonly property: string;
  /** The configuration in which it is looked for; the same one passes without the fault. */
  readonly configuration: string;
  /** What the agent or a person does wrong. */
  readonly rule: string;
}

const fault = (name: string, property: string, configuration: string, rule: string): PlantedFault => ({
  name,
  property,
  configuration,
  rule,
});

/** Every planted fault; README.md names the sentence of the rules that each breaks. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
  fault('ANY_TERMINAL', 'honest', 'counter', "another terminal's memory decides an attempt"),
  fault(
    'OLD_TERMINAL_IS_FREE',
    'once',
    'counter',
    'a doubt on an exchanged terminal does not guard its sale',
  ),
  fault(
    'ADOPTED_WITHOUT_TASK',
    'owned',
    'counter',
    'a terminal is adopted and the doubts of the old one get no task',
  ),
  fault(
    'ABSENT_IS_REVERSED',
    'honest',
    'counter',
    'an empty memory counts though it was empty before the command',
  ),
  fault('MACHINE_EARLY', 'honest', 'counter', 'the machine says "not charged" before the settle time'),
  fault(
    'PERSON_EARLY',
    'honest_person',
    'asked-at-once',
    'a person says "not charged" before the settle time',
  ),
  fault('COMPARES_EARLY', 'honest', 'asked-at-once', 'a contradiction is judged before the settle time'),
  fault('CUSTOMER_OUTLASTS_SETTLE', 'honest', 'counter', 'the customer has more time than the settle time'),
  fault('SETTLE_BY_WALL_CLOCK', 'honest', 'counter', 'the settle time is measured by the wall clock'),
  fault('GUARD_BY_WALL_CLOCK', 'once', 'counter', 'the guard of a paid sale ends by the wall clock'),
  fault('RELEASED_IS_FREE', 'once', 'counter', 'a doubt that was released does not guard its sale'),
  fault('WRITTEN_OFF_IS_FREE', 'once', 'counter', 'a payment that was written off does not guard its sale'),
  fault('RELEASED_WITHOUT_TASK', 'owned', 'counter', 'a doubt is released and no person gets a task'),
  fault(
    'NEVER_RELEASED',
    'decided',
    'live-counter',
    'a doubt without evidence is never released to a person',
  ),
  fault('NEVER_COMPARED', 'contained', 'live-counter', 'a false answer is never compared with the terminal'),
  fault('SILENCE_IS_DECLINE', 'honest', 'counter', 'a lost dialogue is a decline'),
  fault('SENT_AGAIN', 'once', 'counter', 'the command of a doubt is sent again'),
  fault('BYTE_BEFORE_ROW', 'honest', 'counter', 'the command leaves before its row is on disk'),
  fault('FIRST_APPROVAL', 'paid', 'counter', 'an approval is success before its acknowledgement is taken'),
  fault('READS_WHILE_BUSY', 'paid', 'counter', 'a transaction that still runs is read as the outcome'),
  fault('RESTORE_UNNOTICED', 'once', 'restore-people', 'a restored database sells at once'),
  fault(
    'RESTORED_EXPIRES',
    'honest',
    'restore-people',
    'a request of a restored database expires as "not charged"',
  ),
  fault(
    'WORK_OF_A_RESTORE_RUNS',
    'once',
    'service-restore',
    'work of the service older than the restore runs',
  ),
  fault('FOREIGN_ANSWER_IS_CLAIM', 'once', 'service-claim', 'a claim without an answer counts as ours'),
  fault('CLAIM_WITHOUT_INSTANCE', 'once', 'service-claim', 'two machines claim under one key'),
  fault('OWN_WORK_RUNS_AGAIN', 'once', 'service-claim', 'work that names an attempt of ours runs again'),
  fault(
    'NO_LOOK_UP',
    'reported_once',
    'service-claim',
    'a create is repeated though its key may be forgotten',
  ),
  fault(
    'OUTCOME_WITHOUT_ROW',
    'reported',
    'live-service',
    'the outcome and its outbox row are two transactions',
  ),
];
