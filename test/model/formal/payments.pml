/* The rules of money as a model: a till, people, one place with two terminals that may stand there, the agent with its
   database, and the service. README.md says what each property and each planted fault stands for, and what is left out.

   Bounds (-D): ASKS, WORKS, CRASHES, LINKS, EXCHANGES, CLOSES, RESTORES, JUMPS, WRONGS, OFFS, LOSSES, FORGETS, OTHERS, SERVICE,
   ASKED_AT_ONCE (a person gets the task before the settle time).
   -DLIVE: faults may stop at any time, for the liveness properties. -DFAULT_…: a planted fault. -DTRACE: steps are printed. */
#ifndef ASKS
#define ASKS 2
#endif
#ifndef WORKS
#define WORKS 1
#endif
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef LINKS
#define LINKS 0
#endif
#ifndef EXCHANGES
#define EXCHANGES 0
#endif
#ifndef CLOSES
#define CLOSES 0
#endif
#ifndef RESTORES
#define RESTORES 0
#endif
#ifndef JUMPS
#define JUMPS 0
#endif
#ifndef WRONGS
#define WRONGS 0
#endif
#ifndef OFFS
#define OFFS 0
#endif
#ifndef LOSSES
#define LOSSES 0
#endif
#ifndef FORGETS
#define FORGETS 0
#endif
#ifndef OTHERS
#define OTHERS 0
#endif
/* A line of a trace: the step, then what is told of each attempt, as replay/trace.ts reads it. */
#ifdef TRACE
#define SAY(text, i) printf("STEP "); printf(text, i); \
  printf(" : %d %d %d %d", st[0], st[1], st[2], st[3]); printf(" : %d %d %d %d", task, corrected, charged, known); printf("\n");
#else
#define SAY(text, i)
#endif

/* States of an attempt. NO: declined, cancelled or error, all of them mean "not charged". OFF: written off. */
#define NONE 0
#define REQ 1
#define DISP 2
#define APPR 3
#define DOUBT 4
#define YES 5
#define NO 6
#define OFF 7
/* Phases of a terminal at work. */
#define CARD 1
#define APPROVED 2
#define ACKED 3
#define DECLINED 4
#define NOWHERE 2
#define EMPTY 0

#define HAS(mask, i) (((mask) >> (i)) & 1)
#define SET(mask, i) mask = mask | (1 << (i))
#define CLR(mask, i) mask = mask & (255 - (1 << (i)))
#define ANY(P) (P(0) || P(1) || P(2) || P(3))
#define SALE(i) ((i) >= ASKS)
#define SALE0 ((1 << ASKS) - 1)
#define SALE1 (15 - SALE0)
#define SALEMASK(i) (SALE(i) -> SALE1 : SALE0)

/* The database: what a crash leaves and a restore takes back. */
byte st[4];
byte where[4] = NOWHERE;   /* the terminal that got the command */
byte mark[4];              /* that terminal's last transaction, read before the command */
byte task, released;       /* a person has a task; the terminal sells on */
byte elapsed;              /* the settle time has passed, in elapsed time */
byte noByMachine, noByPerson, yesByMachine, yesByPerson;  /* what is told of each attempt, and on whose word */
byte corrected;
byte create[4];            /* outbox: 0 no row, 1 pending, 2 sent without an answer, 3 applied */
byte result[4];            /* outbox: 0 no row, 1 pending, 2 applied */
byte claim;                /* 0 not asked, 2 ours, 3 of another agent */

/* The process run and its surroundings. */
bool up = true;
byte dialogue;             /* attempt + 1 */
byte known;                /* the terminal that was adopted */
byte lookFirst;            /* outbox rows to be looked up before they are sent */
byte unwritten;            /* only with FAULT_OUTCOME_WITHOUT_ROW */
bool restored, amnesia, amnesiaElapsed, workIsOld;
byte basketOpen;           /* sales that a person said were not paid, after a restore */

/* Terminals. */
byte at;                   /* the terminal that stands on the counter */
byte last[2];              /* its last transaction: attempt + 1 */
byte busy[2];              /* attempt + 1 */
byte phase[2];

/* The service. */
byte record[4];            /* 0 absent, 1 open, 2 final */
byte claimedBy;            /* 0 free, 1 us, 2 another agent */
bool keysForgotten, recordedTwice;

/* The truth, which the agent cannot see. */
byte charged, reversed;
byte used;                 /* ids that were given out */
byte wrong, excused;       /* false answers of people: the attempt; the sale */
bool chargedAgain, otherCharged, jumped;

byte crashes, links, exchanges, closes, restores, wrongs, offs, losses;

#if RESTORES > 0
byte copySt[4], copyWhere[4], copyMark[4], copyCreate[4], copyResult[4];
byte copyTask, copyReleased, copyElapsed, copyNoM, copyNoP, copyYesM, copyYesP, copyCorrected, copyClaim, copyKnown;
bool copied;
#endif

#ifdef FAULT_SETTLE_BY_WALL_CLOCK
#define SETTLED(i) (HAS(elapsed, i) || jumped)
#else
#define SETTLED(i) HAS(elapsed, i)
#endif
#ifdef FAULT_PERSON_EARLY
#define PERSON_MAY(i) true
#else
#define PERSON_MAY(i) HAS(elapsed, i)
#endif
#ifdef FAULT_MACHINE_EARLY
#define MACHINE_MAY(i) true
#else
#define MACHINE_MAY(i) SETTLED(i)
#endif
#ifdef FAULT_COMPARES_EARLY
#define COMPARE_MAY(i) true
#else
#define COMPARE_MAY(i) SETTLED(i)
#endif
#ifdef FAULT_READS_WHILE_BUSY
#define IDLE_FOR(i) true
#else
#define IDLE_FOR(i) (busy[at] == 0)
#endif

/* Guards of one sale. */
#ifdef FAULT_RELEASED_IS_FREE
#define DOUBT_STANDS(i) (!HAS(released, i))
#else
#ifdef FAULT_OLD_TERMINAL_IS_FREE
#define DOUBT_STANDS(i) (where[i] == known)
#else
#define DOUBT_STANDS(i) true
#endif
#endif
#ifdef FAULT_GUARD_BY_WALL_CLOCK
#define PAID_STANDS (!jumped)
#else
#define PAID_STANDS true
#endif
#ifdef FAULT_WRITTEN_OFF_IS_FREE
#define OFF_STANDS false
#else
#define OFF_STANDS true
#endif
#define STANDS(i) (st[i] == REQ || st[i] == DISP || st[i] == APPR || (st[i] == DOUBT && DOUBT_STANDS(i)) || \
  (st[i] == YES && PAID_STANDS) || (st[i] == OFF && OFF_STANDS) || HAS(corrected, i))
#define STANDS0(i) (!SALE(i) && STANDS(i))
#define STANDS1(i) (SALE(i) && STANDS(i))
#define BASKET_MAY(s) (!amnesia || HAS(basketOpen, s))

/* An outcome and its outbox row are one transaction. */
#ifndef SERVICE
#define OUTCOME(i)
#else
#ifdef FAULT_OUTCOME_WITHOUT_ROW
#define OUTCOME(i) SET(unwritten, i);
#else
#define OUTCOME(i) result[i] = 1;
#endif
#endif
#ifdef SERVICE
#define CREATE_ROW(i) create[i] = 1;
#else
#define CREATE_ROW(i)
#endif
/* What no later step reads is cleared, so that equal futures are one state. */
#define CLOSE_CASE(i) CLR(task, i); CLR(released, i); CLR(elapsed, i); mark[i] = EMPTY; OUTCOME(i)
#define SAY_YES(i) st[i] = YES; SET(yesByMachine, i); CLOSE_CASE(i)
#define SAY_NO(i) st[i] = NO; SET(noByMachine, i); CLOSE_CASE(i)

/* A doubt keeps an owner: its terminal's recovery, or a person. */
#ifdef FAULT_ADOPTED_WITHOUT_TASK
#define TASK_IF_AWAY(i)
#else
#define TASK_IF_AWAY(i) if :: st[i] == DOUBT && where[i] != known -> SET(task, i) :: else fi;
#endif
/* A person may be asked at once. */
#ifdef ASKED_AT_ONCE
#define ASK_PERSON(i) SET(task, i);
#else
#define ASK_PERSON(i)
#endif
#ifdef FAULT_SILENCE_IS_DECLINE
#define LOST(i) SAY_NO(i)
#else
#define LOST(i) st[i] = DOUBT; ASK_PERSON(i)
#endif
#define LOSE_DIALOGUE \
  if :: dialogue == 0 :: else -> \
     if :: st[dialogue - 1] == DISP || st[dialogue - 1] == APPR -> LOST(dialogue - 1) :: else fi; dialogue = 0 fi;

/* Whose memory may decide. */
#ifdef FAULT_ANY_TERMINAL
#define OWN(i) true
#else
#define OWN(i) (where[i] == at)
#endif
/* What proves that the batch is still the same: an older transaction of it, which is the mark itself. */
#ifdef FAULT_ABSENT_IS_REVERSED
#define WITNESS(i) true
#else
#define WITNESS(i) (mark[i] != EMPTY)
#endif
#ifdef FAULT_ANY_TERMINAL
#define UNCHANGED(i) ((last[at] == mark[i] && WITNESS(i)) || where[i] != at)
#else
#define UNCHANGED(i) (last[at] == mark[i] && WITNESS(i))
#endif
#define MINE(i) (last[at] == i + 1)

/* In a trace what the agent does by itself comes before anything new happens around it, and no time passes while a request waits or a
   dialogue runs, whose own time limits are not modelled: so that a replay can let the real agent come to rest between two steps. No clock is
   set while a request waits, whose age the agent takes from every clock. What was asked for first is sent first. */
#ifdef TRACE
byte front;
#define CALM (!(URGENT(0) || URGENT(1) || URGENT(2) || URGENT(3)))
#define NOTHING_WAITS (st[0] != REQ && st[1] != REQ && st[2] != REQ && st[3] != REQ)
#define NOTHING_RUNS (dialogue == 0 && NOTHING_WAITS)
#define FIRST(i) (front == i || st[front] != REQ)
#define QUEUE(i) if :: st[0] == REQ -> front = 0 :: st[1] == REQ -> front = 1 :: st[2] == REQ -> front = 2 :: st[3] == REQ -> front = 3 \
  :: else -> front = i fi;
#else
#define CALM true
#define NOTHING_WAITS true
#define NOTHING_RUNS true
#define FIRST(i) true
#define QUEUE(i)
#endif
#define URGENT(i) (up && ((st[i] == REQ && dialogue == 0 && (ANY(BLOCKS) || at != known)) || (at == known && where[i] == at && dialogue == 0 && ( \
  (st[i] == DOUBT && busy[at] == 0 && MINE(i)) || (st[i] == DOUBT && !MINE(i) && UNCHANGED(i) && SETTLED(i)) || \
  (st[i] == DOUBT && busy[at] == 0 && HAS(elapsed, i) && !HAS(released, i) && !MINE(i) && !UNCHANGED(i)) || \
  (st[i] == NO && busy[at] == 0 && (HAS(noByMachine, i) || HAS(noByPerson, i)) && HAS(charged, i)) || \
  (st[i] == YES && HAS(yesByPerson, i) && UNCHANGED(i) && SETTLED(i))))))

#define BLOCKS(i) (st[i] == DOUBT && where[i] == known && !HAS(released, i))
#define READY (up && at == known && (!amnesia || amnesiaElapsed))

/* Till: any sale again at any time; a refusal changes nothing. */
#define ASK(i, stands) \
  :: atomic { up && CALM && !HAS(used, i) && !ANY(stands) && BASKET_MAY(SALE(i)) && (i == 0 || i == ASKS || HAS(used, (i + 3) % 4)) -> \
       QUEUE(i) st[i] = REQ; SET(used, i); CREATE_ROW(i) SAY("sell %d", i) }

/* A person answers a task; a wrong answer is bounded by WRONGS. */
#define TRUTH(i) (HAS(charged, i) || (where[i] == NOWHERE && (charged & SALEMASK(i)) != 0))
#define ANSWER(i) \
  :: atomic { up && CALM && HAS(task, i) && st[i] == DOUBT && TRUTH(i) -> \
       st[i] = YES; SET(yesByPerson, i); CLR(task, i); CLR(released, i); OUTCOME(i) SAY("person_yes %d", i) } \
  :: atomic { up && CALM && HAS(task, i) && st[i] == DOUBT && !TRUTH(i) && PERSON_MAY(i) -> \
       st[i] = NO; SET(noByPerson, i); CLOSE_CASE(i) SAY("person_no %d", i) } \
  :: atomic { up && CALM && HAS(task, i) && st[i] == DOUBT && !TRUTH(i) && wrongs < WRONGS -> wrongs++; \
       st[i] = YES; SET(yesByPerson, i); CLR(task, i); CLR(released, i); OUTCOME(i) SAY("person_false_yes %d", i) } \
  :: atomic { up && CALM && HAS(task, i) && st[i] == DOUBT && TRUTH(i) && PERSON_MAY(i) && wrongs < WRONGS -> wrongs++; \
       st[i] = NO; SET(noByPerson, i); SET(wrong, i); excused = excused | (1 << SALE(i)); CLOSE_CASE(i) \
       SAY("person_false_no %d", i) } \
  :: atomic { up && CALM && HAS(task, i) && st[i] == DOUBT && PERSON_MAY(i) && offs < OFFS -> offs++; \
       st[i] = OFF; CLOSE_CASE(i) SAY("person_off %d", i) }

#define BASKET(s, mask) \
  :: atomic { up && CALM && amnesia && amnesiaElapsed && !HAS(basketOpen, s) && (charged & mask) == 0 -> \
       SET(basketOpen, s); SAY("basket_open %d", s) } \
  :: atomic { up && CALM && amnesia && amnesiaElapsed && !HAS(basketOpen, s) && (charged & mask) != 0 && wrongs < WRONGS -> \
       wrongs++; SET(basketOpen, s); SET(excused, s); SAY("basket_false_open %d", s) }

active proctype People() {
end:
  do
  ASK(0, STANDS0)
#if ASKS > 1
  ASK(1, STANDS0)
#endif
#if ASKS > 2
  ASK(2, STANDS0)
#endif
#ifndef SERVICE
#if WORKS > 0
  ASK(ASKS, STANDS1)
#endif
#endif
  ANSWER(0)
  ANSWER(1)
  ANSWER(2)
  ANSWER(3)
#if RESTORES > 0
  BASKET(0, SALE0)
  BASKET(1, SALE1)
#endif
  od
}

/* The agent's lane, dialogue, recovery and comparison. */
#ifdef FAULT_BYTE_BEFORE_ROW
#define DISPATCH(i) \
  :: atomic { READY && CALM && FIRST(i) && st[i] == REQ && dialogue == 0 && busy[at] == 0 && !ANY(BLOCKS) -> \
       dialogue = i + 1; where[i] = at; mark[i] = last[at]; busy[at] = i + 1; phase[at] = CARD; SAY("sent %d", i) } \
  :: atomic { up && st[i] == REQ && dialogue == i + 1 -> st[i] = DISP }
#else
#define DISPATCH(i) \
  :: atomic { READY && CALM && FIRST(i) && st[i] == REQ && dialogue == 0 && busy[at] == 0 && !ANY(BLOCKS) -> \
       st[i] = DISP; dialogue = i + 1; where[i] = at; mark[i] = last[at]; SAY("dispatched %d", i) } \
  :: atomic { up && st[i] == DISP && dialogue == i + 1 && busy[at] == 0 -> \
       busy[at] = i + 1; phase[at] = CARD; SAY("sent %d", i) }
#endif
#define EXPIRE(i) \
  :: atomic { up && st[i] == REQ && dialogue == 0 && (ANY(BLOCKS) || at != known) -> SAY_NO(i) SAY("expired %d", i) }

#ifdef FAULT_FIRST_APPROVAL
#define HEAR_APPROVAL(i) SAY_YES(i)
#define ACKNOWLEDGE(i) st[i] == YES
#else
#define HEAR_APPROVAL(i) st[i] = APPR;
#define ACKNOWLEDGE(i) st[i] == APPR
#endif
#define HEAR(i) \
  :: atomic { up && dialogue == i + 1 && busy[at] == i + 1 && phase[at] == APPROVED && st[i] == DISP -> \
       HEAR_APPROVAL(i) SAY("approval_heard %d", i) } \
  :: atomic { up && dialogue == i + 1 && busy[at] == i + 1 && phase[at] == APPROVED && ACKNOWLEDGE(i) -> \
       phase[at] = ACKED; SAY("acknowledged %d", i) } \
  :: atomic { up && dialogue == i + 1 && busy[at] == i + 1 && phase[at] == ACKED -> \
       SAY_YES(i) dialogue = 0; busy[at] = 0; phase[at] = 0; SAY("ended_paid %d", i) } \
  :: atomic { up && dialogue == i + 1 && busy[at] == i + 1 && phase[at] == DECLINED && st[i] == DISP -> \
       SAY_NO(i) dialogue = 0; busy[at] = 0; phase[at] = 0; SAY("ended_declined %d", i) }

#ifdef FAULT_RELEASED_WITHOUT_TASK
#define RELEASE_TASK(i)
#else
#define RELEASE_TASK(i) SET(task, i);
#endif
#ifdef FAULT_NEVER_RELEASED
#define RELEASE(i)
#else
#define RELEASE(i) \
  :: atomic { up && at == known && where[i] == at && busy[at] == 0 && st[i] == DOUBT && HAS(elapsed, i) && !HAS(released, i) && \
              !MINE(i) && !UNCHANGED(i) -> \
       SET(released, i); RELEASE_TASK(i) SAY("released %d", i) }
#endif
#define RECOVER(i) \
  :: atomic { up && at == known && OWN(i) && IDLE_FOR(i) && st[i] == DOUBT && dialogue == 0 && MINE(i) && !HAS(reversed, i) -> \
       SAY_YES(i) SAY("recovered_yes %d", i) } \
  :: atomic { up && at == known && OWN(i) && busy[at] == 0 && st[i] == DOUBT && dialogue == 0 && MINE(i) && HAS(reversed, i) -> \
       SAY_NO(i) SAY("recovered_reversed %d", i) } \
  :: atomic { up && at == known && OWN(i) && st[i] == DOUBT && dialogue == 0 && !MINE(i) && UNCHANGED(i) && MACHINE_MAY(i) -> \
       SAY_NO(i) SAY("recovered_no %d", i) } \
  :: atomic { up && at == known && where[i] == at && st[i] == DOUBT && busy[at] != 0 -> skip } \
  RELEASE(i)

#ifdef FAULT_SENT_AGAIN
#define SEND_AGAIN(i) \
  :: atomic { up && at == known && where[i] == at && st[i] == DOUBT && dialogue == 0 && busy[at] == 0 && !HAS(task, i) -> \
       st[i] = DISP; dialogue = i + 1; busy[at] = i + 1; phase[at] = CARD }
#else
#define SEND_AGAIN(i)
#endif

#ifdef FAULT_NEVER_COMPARED
#define COMPARE(i)
#else
#define COMPARE(i) \
  :: atomic { up && at == known && where[i] == at && busy[at] == 0 && dialogue == 0 && st[i] == NO && \
              (HAS(noByMachine, i) || HAS(noByPerson, i)) && HAS(charged, i) -> \
       CLR(noByMachine, i); CLR(noByPerson, i); SET(corrected, i); SAY("corrected_yes %d", i) } \
  :: atomic { up && at == known && where[i] == at && dialogue == 0 && st[i] == YES && HAS(yesByPerson, i) && \
              last[at] == mark[i] && WITNESS(i) && COMPARE_MAY(i) -> \
       CLR(yesByPerson, i); SET(corrected, i); SET(noByMachine, i); SAY("corrected_no %d", i) }
#endif

#define AGENT(i) DISPATCH(i) EXPIRE(i) HEAR(i) RECOVER(i) SEND_AGAIN(i) COMPARE(i)

active proctype Agent() {
end:
  do
  AGENT(0)
  AGENT(1)
  AGENT(2)
  AGENT(3)
#ifdef FAULT_OUTCOME_WITHOUT_ROW
  :: atomic { up && HAS(unwritten, 0) -> CLR(unwritten, 0); result[0] = 1 }
  :: atomic { up && HAS(unwritten, 1) -> CLR(unwritten, 1); result[1] = 1 }
  :: atomic { up && HAS(unwritten, 2) -> CLR(unwritten, 2); result[2] = 1 }
#endif
  od
}

/* A terminal goes on by itself when its dialogue is lost. An approval that was not acknowledged is kept or taken back. */
#define ALONE(t) (at != t || dialogue != busy[t])
proctype Terminal(byte t) {
end:
  do
  :: atomic { CALM && busy[t] != 0 && phase[t] == CARD -> 
       if :: HAS(charged, busy[t] - 1) -> chargedAgain = true :: else fi;
       SET(charged, busy[t] - 1); last[t] = busy[t]; phase[t] = APPROVED; SAY("pays %d", busy[t] - 1) }
  :: atomic { CALM && busy[t] != 0 && phase[t] == CARD -> phase[t] = DECLINED; SAY("declines %d", busy[t] - 1) }
  :: atomic { CALM && busy[t] != 0 && ALONE(t) && phase[t] == APPROVED -> SAY("keeps %d", busy[t] - 1) busy[t] = 0; phase[t] = 0 }
  :: atomic { CALM && busy[t] != 0 && ALONE(t) && phase[t] == APPROVED ->
       CLR(charged, busy[t] - 1); SET(reversed, busy[t] - 1); SAY("reverses %d", busy[t] - 1) busy[t] = 0; phase[t] = 0 }
  :: atomic { CALM && busy[t] != 0 && ALONE(t) && (phase[t] == ACKED || phase[t] == DECLINED) -> SAY("ends_alone %d", busy[t] - 1)
       busy[t] = 0; phase[t] = 0 }
  od
}

/* What time and the shop bring by themselves: the settle time passes, the agent starts again, a person adopts. */
#ifdef FAULT_CUSTOMER_OUTLASTS_SETTLE
#define TAIL_ENDED true
#else
#define TAIL_ENDED (busy[0] == 0 && busy[1] == 0)
#endif
#define WAITS(i) ((st[i] == DOUBT || HAS(yesByPerson, i)) && !HAS(elapsed, i))
#define PASS(i) if :: WAITS(i) -> SET(elapsed, i) :: else fi;
#ifdef FAULT_RESTORED_EXPIRES
#define OF_A_RESTORE false
#else
#define OF_A_RESTORE amnesiaNow
#endif
#define RESTART(i) \
  if :: st[i] == REQ && OF_A_RESTORE -> st[i] = DOUBT; where[i] = NOWHERE; SET(task, i) \
     :: st[i] == REQ && !(OF_A_RESTORE) -> SAY_NO(i) \
     :: st[i] == DISP || st[i] == APPR -> LOST(i) \
     :: else fi; \
  if :: create[i] == 2 || (restored && create[i] == 1) -> create[i] = 2; SET(lookFirst, i) :: else fi; \
  TASK_IF_AWAY(i)

active proctype World() {
  bool amnesiaNow;
end:
  do
  :: atomic { up && CALM && NOTHING_RUNS && TAIL_ENDED && (ANY(WAITS) || (amnesia && !amnesiaElapsed)) ->
       PASS(0) PASS(1) PASS(2) PASS(3) amnesiaElapsed = amnesia; SAY("settle_time %d", 0) }
  :: atomic { !up -> up = true;
#ifndef FAULT_RESTORE_UNNOTICED
       if :: restored -> amnesiaNow = true; amnesia = true; amnesiaElapsed = false; workIsOld = true; basketOpen = 0 :: else fi;
#endif
       RESTART(0) RESTART(1) RESTART(2) RESTART(3)
       amnesiaNow = false; restored = false; SAY("starts %d", 0) }
#if EXCHANGES > 0
  :: atomic { up && CALM && at != known -> known = at; TASK_IF_AWAY(0) TASK_IF_AWAY(1) TASK_IF_AWAY(2) TASK_IF_AWAY(3) SAY("adopts %d", at) }
#endif
  od
}

/* Faults, each bounded. */
#define COPY(i) copySt[i] = st[i]; copyWhere[i] = where[i]; copyMark[i] = mark[i]; copyCreate[i] = create[i]; copyResult[i] = result[i];
#define PUT_BACK(i) st[i] = copySt[i]; where[i] = copyWhere[i]; mark[i] = copyMark[i]; create[i] = copyCreate[i]; result[i] = copyResult[i]; \
  copySt[i] = 0; copyWhere[i] = 0; copyMark[i] = 0; copyCreate[i] = 0; copyResult[i] = 0;

active proctype Fate() {
end:
  do
#if CRASHES > 0
  :: atomic { up && CALM && crashes < CRASHES -> crashes++; up = false; dialogue = 0; unwritten = 0; SAY("crash %d", 0) }
#endif
#if LINKS > 0
  :: atomic { up && CALM && dialogue != 0 && links < LINKS -> links++; LOSE_DIALOGUE SAY("link_lost %d", 0) }
#endif
#if EXCHANGES > 0
  :: atomic { CALM && exchanges < EXCHANGES -> exchanges++; LOSE_DIALOGUE at = 1 - at; SAY("exchange %d", at) }
#endif
#if CLOSES > 0
  :: atomic { CALM && closes < CLOSES && busy[0] == 0 && last[0] != EMPTY -> closes++; last[0] = EMPTY; SAY("closes %d", 0) }
  :: atomic { CALM && closes < CLOSES && busy[1] == 0 && last[1] != EMPTY -> closes++; last[1] = EMPTY; SAY("closes %d", 1) }
#endif
#if JUMPS > 0
  :: atomic { CALM && NOTHING_WAITS && !jumped -> jumped = true; SAY("clock_step %d", 0) }
#endif
#if FORGETS > 0
  :: atomic { !keysForgotten -> keysForgotten = true; SAY("keys_forgotten %d", 0) }
#endif
#if RESTORES > 0
  :: atomic { up && CALM && !copied && restores < RESTORES -> copied = true; COPY(0) COPY(1) COPY(2) COPY(3)
       copyTask = task; copyReleased = released; copyElapsed = elapsed; copyNoM = noByMachine; copyNoP = noByPerson;
       copyYesM = yesByMachine; copyYesP = yesByPerson; copyCorrected = corrected; copyClaim = claim; copyKnown = known; SAY("copy %d", 0) }
  :: atomic { !up && copied -> copied = false; restores++; restored = true; PUT_BACK(0) PUT_BACK(1) PUT_BACK(2) PUT_BACK(3)
       task = copyTask; released = copyReleased; elapsed = copyElapsed; noByMachine = copyNoM; noByPerson = copyNoP;
       yesByMachine = copyYesM; yesByPerson = copyYesP; corrected = copyCorrected; claim = copyClaim; known = copyKnown;
       copyTask = 0; copyReleased = 0; copyElapsed = 0; copyNoM = 0; copyNoP = 0; copyYesM = 0; copyYesP = 0; copyCorrected = 0;
       copyClaim = 0; copyKnown = 0; SAY("restore %d", 0) }
#endif
#ifdef TRACE
  /* A random walk would spend every fault before the first dialogue. */
  :: skip :: skip :: skip :: skip :: skip :: skip :: skip :: skip :: skip :: skip :: skip :: skip :: skip :: skip :: skip :: skip
#endif
#ifdef LIVE
  :: break
#else
  :: false
#endif
  od
}

#ifdef SERVICE
/* Reports with repeats and lost answers, and the claim of a work item that another agent wants too. */
#define STORE(i) if :: record[i] == 0 -> record[i] = 1 :: record[i] != 0 && keysForgotten -> recordedTwice = true :: else fi;
#ifdef FAULT_NO_LOOK_UP
#define LOOK(i) false
#else
#define LOOK(i) (create[i] == 2 && (keysForgotten || HAS(lookFirst, i)))
#endif
#define REPORT(i) \
  :: atomic { up && (create[i] == 1 || create[i] == 2) && !(LOOK(i)) -> STORE(i) create[i] = 3 } \
  :: atomic { up && (create[i] == 1 || create[i] == 2) && !(LOOK(i)) && losses < LOSSES -> losses++; STORE(i) create[i] = 2 } \
  :: atomic { up && create[i] == 1 && !(LOOK(i)) && losses < LOSSES -> losses++; create[i] = 2 } \
  :: atomic { up && LOOK(i) && record[i] != 0 -> create[i] = 3; CLR(lookFirst, i) } \
  :: atomic { up && LOOK(i) && record[i] == 0 -> create[i] = 1; CLR(lookFirst, i) } \
  :: atomic { up && create[i] == 3 && result[i] == 1 -> record[i] = 2; result[i] = 2 } \
  :: atomic { up && create[i] == 3 && result[i] == 1 && losses < LOSSES -> losses++; record[i] = 2 }

#ifdef FAULT_FOREIGN_ANSWER_IS_CLAIM
#define UNANSWERED_CLAIM 2
#else
#define UNANSWERED_CLAIM 0
#endif
#ifdef FAULT_CLAIM_WITHOUT_INSTANCE
#define OTHERS_CLAIM 2
#else
#define OTHERS_CLAIM 3
#endif
#define WORK ASKS
#ifdef FAULT_WORK_OF_A_RESTORE_RUNS
#define WORK_IS_OLD false
#else
#define WORK_IS_OLD workIsOld
#endif
#define TAKE(i) create[i] = 3; SET(used, i); if :: WORK_IS_OLD -> st[i] = DOUBT; SET(task, i) :: else -> st[i] = REQ fi; SAY("work %d", i)

active proctype Service() {
end:
  do
  REPORT(0)
  REPORT(1)
  REPORT(2)
  REPORT(3)
  /* The claim: answered; its answer is lost; it is lost itself. */
  :: atomic { up && claim == 0 && claimedBy != 2 -> claimedBy = 1; claim = 2 }
  :: atomic { up && claim == 0 && claimedBy == 2 -> claim = OTHERS_CLAIM }
  :: atomic { up && claim == 0 && claimedBy == 0 && losses < LOSSES -> losses++; claimedBy = 1; claim = UNANSWERED_CLAIM }
  :: atomic { up && claim == 0 && losses < LOSSES -> losses++; claim = UNANSWERED_CLAIM }
  :: atomic { up && claim == 2 && st[WORK] == NONE && !HAS(used, WORK) -> TAKE(WORK) }
#if ASKS < 3
  :: atomic { up && claim == 2 && st[WORK] == NONE && HAS(used, WORK) && st[WORK + 1] == NONE && !HAS(used, WORK + 1) -> TAKE(WORK + 1) }
#ifdef FAULT_OWN_WORK_RUNS_AGAIN
  :: atomic { up && claim == 2 && (st[WORK] == YES || st[WORK] == DOUBT) && !HAS(used, WORK + 1) -> TAKE(WORK + 1) }
#endif
#endif
#if OTHERS > 0
  :: atomic { claimedBy == 0 -> claimedBy = 2; otherCharged = true }
#endif
  od
}
#endif

init { atomic { run Terminal(0); run Terminal(1) } }

/* Properties. */
#define MANY(mask) (((mask) & ((mask) - 1)) != 0)
#define ONCE (!chargedAgain && (!MANY(charged & SALE0) || HAS(excused, 0)) && \
  (!(MANY(charged & SALE1) || (otherCharged && (charged & SALE1) != 0)) || HAS(excused, 1)))
#define HONEST ((noByMachine & charged) == 0)
#define HONEST_PERSON ((noByPerson & charged & (255 - wrong)) == 0)
#define PAID ((yesByMachine & (255 - charged)) == 0)
#define OWNERLESS(i) (up && st[i] == DOUBT && !HAS(task, i) && (HAS(released, i) || where[i] != known))
#define OWNED (!ANY(OWNERLESS))
#define FORGOTTEN(i) (up && HAS(charged, i) && (st[i] == NONE || st[i] == REQ) && !amnesia)
#define BOOKED (!ANY(FORGOTTEN))
#define REPORTED_ONCE (!recordedTwice)

#define UNDECIDED(i) (st[i] == DOUBT && !HAS(task, i))
#define WAITING(i) (st[i] == REQ || st[i] == DISP || st[i] == APPR)
#define UNREPORTED(i) (create[i] != 0 && (st[i] == YES || st[i] == NO || st[i] == OFF) && result[i] != 2)
#define UNCONTAINED(i) (HAS(wrong, i) && HAS(charged, i) && st[i] == NO && !HAS(corrected, i) && where[i] == at)

#ifndef TRACE
ltl safe { [] (ONCE && HONEST && HONEST_PERSON && PAID && OWNED && BOOKED && REPORTED_ONCE) }
ltl once { [] ONCE }
ltl honest { [] HONEST }
ltl honest_person { [] HONEST_PERSON }
ltl paid { [] PAID }
ltl owned { [] OWNED }
ltl booked { [] BOOKED }
ltl reported_once { [] REPORTED_ONCE }

ltl live { [] <> (up && !ANY(UNDECIDED) && !ANY(WAITING) && !ANY(UNREPORTED) && !ANY(UNCONTAINED)) }
ltl decided { [] <> !ANY(UNDECIDED) }
ltl sells_on { [] <> !ANY(WAITING) }
ltl reported { [] <> !ANY(UNREPORTED) }
ltl contained { [] <> !ANY(UNCONTAINED) }
#endif
