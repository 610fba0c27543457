/**
 * The texts for staff, by outcome: the title, whether the customer was charged (or refunded), and what to do now.
 * Placeholders: `{asked} {paid} {back} {rest} {more} {cash} {going}` are amounts; `{which}` names the terminal that the payment went to, with a space
 * before it, and is empty where it is not known.
 */
export const outcomes = {
  waiting: {
    title: 'Waiting for the terminal',
    charged: 'The customer has not been charged so far.',
    now: 'Wait. Do not start it again.',
  },
  working: {
    title: 'The terminal is working on it',
    charged: 'It is not known yet whether the customer was charged.',
    now: 'Wait for the result. Do not start it again.',
  },
  cancelling: {
    title: 'Cancel was asked for',
    charged: 'It is not known yet whether the customer was charged.',
    now: 'The terminal decides. Press its stop key and wait.',
  },
  doubt_asking: {
    title: 'Not clear yet',
    charged: 'It is not known yet whether the customer was charged.',
    now: 'The terminal is being asked. Wait, and do not take this payment again.',
  },
  doubt_person: {
    title: 'Please look at the terminal{which}',
    charged: 'It is not known yet whether the customer was charged.',
    now: 'Look at the last receipt on the terminal{which} and answer the question. Do not take this payment again before that.',
  },
  paid: {
    title: 'Paid {paid}',
    charged: 'The customer HAS paid {paid}.',
    now: 'Hand over the goods.',
  },
  paid_cash: {
    title: 'Paid {paid}',
    charged: 'The customer HAS paid {paid}.',
    now: 'Hand over the goods and {cash} in cash.',
  },
  paid_tip: {
    title: 'Paid {paid}',
    charged: 'The customer HAS paid {paid}, of which {tip} is a tip.',
    now: 'Hand over the goods.',
  },
  paid_late: {
    title: 'Cancel came too late',
    charged: 'The customer HAS paid {paid}.',
    now: 'Hand over the goods or refund.',
  },
  paid_more: {
    title: 'Paid {paid}, {more} more than asked for',
    charged: 'The customer HAS paid {paid} although {asked} was asked for.',
    now: 'Hand over the goods and compare the receipt. Refund {more} if the customer did not agree to more.',
  },
  paid_part: {
    title: 'PARTLY paid: {paid} of {asked}',
    charged: 'The customer HAS been charged {paid}, not the whole amount.',
    now: 'Take the rest of {rest} or refund what was paid. Do not hand over the goods before that.',
  },
  paid_correction: {
    title: 'Paid after all: {paid}',
    charged: 'The customer HAS paid {paid}: newer evidence shows it.',
    now: 'Refund it, or let it stand and hand over the goods. Take no second payment.',
  },
  paid_going_back: {
    title: 'Being given back',
    charged: 'The customer HAS paid {paid}, and {going} of it is being given back right now.',
    now: 'Wait for the outcome of that before you hand over anything or give back more.',
  },
  paid_back_part: {
    title: 'Paid {paid}, {back} given back',
    charged: 'The customer HAS paid {paid}, and {back} of it WAS given back: {rest} stands.',
    now: 'Nothing else is to be done. {rest} at most can still be given back.',
  },
  paid_back_all: {
    title: 'All given back',
    charged: 'The customer had paid {paid}, and ALL of it WAS given back.',
    now: 'Nothing else is to be done. Hand over goods only against another payment.',
  },
  declined: {
    title: 'Declined',
    charged: 'The customer was NOT charged.',
    now: 'Try another card or another way to pay.',
  },
  cancelled: {
    title: 'Cancelled',
    charged: 'The customer was NOT charged.',
    now: 'Start again if it is still wanted.',
  },
  failed: {
    title: 'It did not go through',
    charged: 'The customer was NOT charged.',
    now: 'Look at the terminal, then try again.',
  },
  corrected_yes: {
    title: 'Paid after all',
    charged: 'Newer evidence contradicts what was shown before: the customer WAS charged.',
    now: 'Refund it, or let it stand and hand over the goods, unless that is done already. Take no second payment.',
  },
  corrected_no: {
    title: 'Not paid after all',
    charged: 'Newer evidence contradicts what was shown before: the customer was NOT charged.',
    now: 'Hand over the goods only against another payment.',
  },
  corrected_unknown: {
    title: 'The records contradict each other',
    charged:
      'It is not known whether the customer was charged: the records of the terminal contradict how this payment ended.',
    now: 'Compare the journal of the terminal with the receipt. Do not take this payment again before that.',
  },
  back_waiting: {
    title: 'Waiting for the terminal',
    charged: 'No money has been given back so far.',
    now: 'Wait. Do not start it again.',
  },
  back_working: {
    title: 'The terminal is giving money back',
    charged: 'It is not known yet whether money was given back.',
    now: 'Wait for the result. Do not start it again.',
  },
  back_cancelling: {
    title: 'Cancel was asked for',
    charged: 'It is not known yet whether money was given back.',
    now: 'The terminal decides. Press its stop key and wait.',
  },
  back_late_now: {
    title: 'The payment is being undone',
    charged:
      'The cancel came too late, and the customer was charged. It is not known yet whether that is undone.',
    now: 'Wait for the result. Do not hand over the goods yet.',
  },
  back_partial_now: {
    title: 'The part payment is being undone',
    charged: 'Only a part was approved and charged. It is not known yet whether that is undone.',
    now: 'Wait for the result. Do not hand over the goods yet.',
  },
  back_doubt_asking: {
    title: 'Not clear yet',
    charged: 'It is not known yet whether money was given back.',
    now: 'The terminal is being asked. Wait, and do not give this money back again.',
  },
  back_doubt_person: {
    title: 'Please look at the terminal{which}',
    charged: 'It is not known yet whether money was given back.',
    now: 'Look at the last receipt on the terminal{which} and answer the question. Do not give this money back again before that.',
  },
  back_done: {
    title: 'Given back {paid}',
    charged: '{paid} WAS given back to the customer.',
    now: 'Nothing else is to be done.',
  },
  back_part: {
    title: 'Only {paid} given back',
    charged: 'Only {paid} WAS given back to the customer, not the whole amount.',
    now: 'Give back the rest of {rest}, or ask the customer.',
  },
  back_correction: {
    title: 'Given back after all: {paid}',
    charged: '{paid} WAS given back to the customer: newer evidence shows it.',
    now: 'Do not give it back again.',
  },
  back_late_done: {
    title: 'The payment was undone',
    charged: 'The cancel came too late, but {paid} WAS given back: the customer pays nothing.',
    now: 'Do not hand over the goods.',
  },
  back_partial_done: {
    title: 'The part payment was undone',
    charged: 'Only a part had been approved, and {paid} WAS given back: the customer pays nothing.',
    now: 'Take the whole amount again before you hand over the goods.',
  },
  back_late_failed: {
    title: 'The payment stands',
    charged: 'NO money was given back by this: the cancel came too late.',
    now: 'Look at the original payment: hand over the goods or refund it.',
  },
  back_partial_failed: {
    title: 'The part payment stands',
    charged: 'NO money was given back by this: only a part was approved.',
    now: 'Look at the original payment: take the rest or refund it.',
  },
  back_declined: {
    title: 'Refund declined',
    charged: 'NO money was given back by this.',
    now: 'Try the refund again, or give the money back in another way.',
  },
  back_cancelled: {
    title: 'Cancelled',
    charged: 'NO money was given back by this.',
    now: 'Start again if it is still wanted.',
  },
  back_failed: {
    title: 'The refund did not go through',
    charged: 'NO money was given back by this.',
    now: 'Look at the terminal, then try the refund again.',
  },
  void_failed: {
    title: 'It could not be undone',
    charged: 'NO money was given back by this.',
    now: 'Refund the payment instead, unless that is done already.',
  },
  back_corrected_yes: {
    title: 'Given back after all',
    charged: 'Newer evidence contradicts what was shown before: the money WAS given back.',
    now: 'Do not give it back again.',
  },
  back_corrected_no: {
    title: 'Not given back after all',
    charged: 'Newer evidence contradicts what was shown before: the money was NOT given back.',
    now: 'Give it back once more, or in another way.',
  },
  back_corrected_unknown: {
    title: 'The records contradict each other',
    charged:
      'It is not known whether money was given back: the records of the terminal contradict how this ended.',
    now: 'Compare the journal of the terminal with the receipt. Do not give this money back again before that.',
  },
  doubt_replaced: {
    title: 'The terminal{which} was replaced',
    charged: 'It is not known yet whether the customer was charged.',
    now: 'Find out from the customer’s slip, the acquirer’s statement or the journal that the acquirer keeps of the old terminal, and answer the question. Do not take this payment again before that.',
  },
  back_doubt_replaced: {
    title: 'The terminal{which} was replaced',
    charged: 'It is not known yet whether money was given back.',
    now: 'Find out from the customer’s slip, the acquirer’s statement or the journal that the acquirer keeps of the old terminal, and answer the question. Do not give this money back again before that.',
  },
  doubt_not_believed: {
    title: 'The approval is not believed',
    charged: 'It is not known whether the customer was charged.',
    now: 'Do not hand over anything because of what this terminal says. Find out from the customer’s slip, the acquirer’s statement or the journal that the acquirer keeps of the terminal, and answer the question. Do not take this payment again before that.',
  },
  back_doubt_not_believed: {
    title: 'The approval is not believed',
    charged: 'It is not known whether money was given back.',
    now: 'Find out from the customer’s slip, the acquirer’s statement or the journal that the acquirer keeps of the terminal, and answer the question. Do not give this money back again before that.',
  },
  written_off: {
    title: 'It was never found out',
    charged: 'It was never found out whether the customer was charged.',
    now: 'Treat it as charged: do not take this basket again. If the customer shows a statement with the charge, record it as succeeded.',
  },
  back_written_off: {
    title: 'It was never found out',
    charged: 'It was never found out whether money was given back.',
    now: 'Treat it as given back: do not give this money back again. If a statement shows that it was given back, record it as succeeded.',
  },
  back_paid_after_all: {
    title: 'Paid after all: {paid}',
    charged: 'The money was NOT given back: newer evidence shows that the customer paid {paid} after all.',
    now: 'Look at the payment that stands: refund it, or let it stand and hand over the goods, unless that is done already. Take no second payment.',
  },
  back_never_paid: {
    title: 'Not paid after all: {paid}',
    charged: 'The customer was NOT charged {paid}, or has it back: newer evidence shows it.',
    now: 'Take the payment again if the goods were handed over, or let it stand. Do not give it back again.',
  },
  back_more: {
    title: 'Given back {paid}, {more} more than asked for',
    charged: '{paid} WAS given back to the customer although {asked} was asked for.',
    now: 'Compare the receipt of the terminal before you give back or charge anything else.',
  },
};
