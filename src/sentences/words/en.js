/** The texts for tilld's codes: `refusal_` of a request, `end_` of a payment, `stand_` of the shop. `{name}` is filled in. */
export const en = {
  refusal_terminal_not_ready: 'The terminal is not ready. Look at it, do what it shows, then try again.',
  refusal_terminal_in_doubt:
    'First it must be clear what became of the payment before. Answer the open question.',
  refusal_wrong_terminal:
    'Another terminal answers in this place. Use another counter meanwhile. Put the terminal that belongs here back, or have a person who is signed in as operations adopt the new one.',
  refusal_terminal_busy:
    'Too many payments wait for this terminal already. Wait until it is free, then try again.',
  refusal_payment_already_open:
    'The same payment is running or unclear already. Look at that one; do not start a second.',
  refusal_payment_already_paid:
    'The same was paid a short while ago. Look at that payment before you take it again.',
  refusal_payment_retried:
    'It was tried again already, here or at another till. Do not try this one again: look at that payment, and do what it says.',
  refusal_invoice_already_paid:
    'This invoice is paid. Nothing was charged now. Do not take it again; look at the payment that paid it.',
  refusal_invoice_already_voided:
    'This invoice was voided. Nothing was charged. Do not take money for it; ask the office for a new one.',
  refusal_invoice_not_finalized:
    'This invoice is a draft. Nothing was charged. Have it finalized, then try again.',
  refusal_amount_exceeds_due:
    'That is more than is due on this invoice. Nothing was charged. Look at what is due and take no more than that.',
  refusal_split_exceeded:
    'That is more than is left of this bill; a part whose outcome is not known yet counts as paid. Nothing was charged now. Look at what is left and take no more than that.',
  refusal_currency_not_accepted:
    'The terminal or the invoice has another currency. Look at the invoice, or choose another terminal.',
  refusal_amount_due_unknown:
    'What is due on this invoice is not known here. Nothing was charged. Type the amount.',
  refusal_entitlement_missing:
    'The customer has no access to what this sale needs. Nothing was charged. Look at the entitlements of the customer.',
  refusal_amount_out_of_range: 'The terminal does not take this amount. Check it, or split the payment.',
  refusal_memory_lost:
    'tilld does not know what happened before. Compare the last receipt, answer the task under To do, then try again.',
  refusal_storage_full:
    'The disk of the till is full, so nothing can be recorded. Take another way to pay and call the person who looks after the machine.',
  refusal_service_unavailable:
    'tilld cannot record anything right now. Take another way to pay and call the person who looks after the machine.',
  refusal_rate_limit_exceeded: 'Too many requests at once. Wait a moment, then try again.',
  refusal_insufficient_permissions: 'Your role does not allow this. Ask a person who is signed in as lead.',
  refusal_sign_in_paused: 'Too many wrong PINs. Wait a while, or sign in with a passkey or a code.',
  refusal_pin_weak: 'This PIN is too easy to guess. Choose one without a row of digits.',
  refusal_passkey_refused: 'The passkey was not added. Try again.',
  refusal_name_taken: 'A person of this name, or with this user, is there already.',
  refusal_people_limit_reached: 'There are as many people as there may be. End the sign-in of one who left.',
  refusal_passkey_limit_reached: 'You have as many passkeys as there may be. Remove one.',
  refusal_paired_device_limit_reached: 'There are as many paired devices as there may be. Withdraw one.',
  refusal_sign_in_not_fresh:
    'Sign out and sign in again first: passkeys and the PIN are changed within ten minutes of a sign-in. Nothing was changed.',
  refusal_person_required:
    'This decision needs a named person. Sign in with a code of your own, not with a shared one.',
  refusal_payment_not_cancellable: 'It has ended already. Look at its outcome.',
  refusal_payment_not_in_doubt: 'It is decided already. Look at its outcome.',
  refusal_decision_too_early:
    'It is too early for this answer: the terminal may still be charging. Try again later; a lead may give it at the latest fifteen minutes after the doubt began.',
  refusal_receipt_unavailable: 'Only a payment that succeeded has a receipt. Look at its outcome.',
  refusal_receipts_not_served: 'No phone can reach this till. Print the receipt instead.',
  refusal_payment_not_refundable: 'This payment cannot be given back: it is no sale, or it was not charged.',
  refusal_refund_exceeds_amount:
    'That is more than is left to give back. Look at what was given back already.',
  refusal_void_not_possible: 'It cannot be undone any more. Refund it instead.',
  refusal_not_implemented: 'tilld does not keep that list: {reason}',
  refusal_operation_not_supported:
    'This terminal cannot do that. Refund it, or give the money back in another way.',
  refusal_resource_not_found: 'tilld does not know it any more. Look at the history.',
  refusal_unreachable:
    'tilld does not answer. Wait until it is connected again, then look at the history before you try again.',
  refusal_validation_error: 'What was typed or sent is not valid: {reason}',
  refusal_missing_required_field: 'Something that is needed is missing: {reason}',
  refusal_invalid_request_error: 'tilld cannot read this request: {reason}',
  refusal_payload_too_large: 'That is too much at once.',
  refusal_resource_missing: 'It does not exist, or not any more. Open the page again and look for it.',
  refusal_parameter_invalid: 'What was asked for contradicts itself: {reason}',
  refusal_route_unknown:
    'This tilld does not know this request. Load the page again: it may be of another version.',
  refusal_misdirected_request: 'tilld is not called by this name here. Open it by its own address.',
  refusal_origin_not_allowed: 'The request came from another site and was not carried out.',
  refusal_authentication_failed: 'tilld does not know who asks. Sign in again.',
  refusal_invalid_api_key: 'tilld does not know this key.',
  refusal_fleet_joined: 'This shop belongs to a fleet already. Leave it first.',
  refusal_invitation_invalid:
    'The hub does not take this code. Ask for a new one; a code is good for 15 minutes, once.',
  refusal_dry_run_busy: 'Another dry run is under way. Wait for its end, at most two minutes.',
  refusal_expired_api_key: 'This key has expired.',
  refusal_api_key_revoked: 'This key was revoked.',
  refusal_signature_invalid: 'The signature of the message is wrong.',
  refusal_timestamp_invalid: 'The time of the message is too far from ours. Check the clock of this machine.',
  refusal_sign_in_code_invalid: 'This code does not work. Ask for a new one.',
  refusal_session_invalid: 'You are not signed in any more. Sign in again.',
  refusal_ip_not_allowed: 'This is not allowed from this address.',
  refusal_internal_only: 'This works only on the machine of tilld itself, with tillctl.',
  refusal_IDEMPOTENCY_KEY_INVALID: 'The key of this request is not valid. Nothing was started.',
  refusal_IDEMPOTENCY_KEY_IN_PROGRESS:
    'The same request is being carried out right now. Wait for its answer.',
  refusal_IDEMPOTENCY_KEY_MISMATCH:
    'Another request has used this key already. Nothing was started; look at the history.',
  refusal_task_done: 'This was done already.',
  refusal_task_to_perform: 'An operator of the fleet asks for this. Do it, or decline it with a reason.',
  refusal_task_not_answered:
    'It is not known yet whether the customer was charged. Answer that question first; this task ends with the answer.',
  refusal_invalid_status: 'That does not fit how things stand now: {reason}',
  refusal_api_key_limit_reached: 'There are as many keys as there may be. Revoke one first.',
  refusal_too_many_webhook_endpoints:
    'There are as many webhook addresses as there may be. Remove one first.',
  refusal_integration_not_active: 'This integration is not switched on.',
  refusal_gateway_error: 'The other side did not do it: {reason}',
  refusal_shutting_down: 'tilld is being shut down. Wait until it is back, then try again.',
  refusal_draining: 'tilld is about to be restarted. Wait a moment, then try again.',
  refusal_internal_error:
    'Something went wrong inside tilld; its log says what. Look at the history before you try again.',
  end_declined: 'The terminal declined it.',
  end_no_paper: 'The terminal has no paper. Put in a new roll, then take the payment again.',
  end_aborted: 'It was stopped at the terminal.',
  aborted_here: 'It was cancelled from the till.',
  end_cancelled: 'It was cancelled before it reached the terminal.',
  end_expired: 'It waited too long and never reached the terminal.',
  end_restart: 'tilld stopped while the terminal was working on it.',
  end_memory_lost: 'It is older than what tilld remembers: look at the receipts of the terminal.',
  end_terminal_replaced:
    'The terminal that took it was replaced before it reported how it ended: a person has to find out.',
  end_terminal_not_believed:
    'The terminal gave an answer that it cannot give: a person has to find out how this ended.',
  end_wrong_terminal:
    'Something else may answer in the place of the terminal. This one never reached the terminal.',
  end_terminal_recovering:
    'It was not clear yet how the payment before it ended. This one never reached the terminal.',
  end_previous_was_charged:
    'The payment before it turned out to be charged. This one never reached the terminal.',
  end_not_started: 'The terminal did not begin.',
  end_driver_error: 'The dialogue with the terminal broke off.',
  end_other_currency: 'The terminal approved another currency than was asked for. Compare the receipt.',
  end_not_charged: 'How it ended was found out afterwards.',
  end_reversed_by_terminal: 'The terminal took its approval back.',
  end_needs_person: 'The terminal cannot say how it ended: a person must look at its receipts.',
  stand_no_devices: 'No terminal is configured.',
  stand_terminal_offline: 'A terminal is not connected.',
  stand_terminal_printer:
    'A terminal has no paper, or its cover is open. Put in a new roll, and close the cover.',
  stand_terminal_needs_person: 'A terminal answers and needs a person. Look at what it shows.',
  stand_terminal_wrong_terminal:
    'Another terminal answers than the one that belongs there, or one that is not believed.',
  stand_terminal_recovering: 'A terminal is being asked how its last payment ended.',
  stand_terminal_busy: 'A terminal is busy.',
  stand_terminal_ready: 'A terminal has something to say.',
  stand_draining: 'tilld is about to be restarted: nothing new begins. Wait a moment.',
  stand_disk_full: 'The disk is full: nothing is sold until there is room.',
  stand_read_only: 'The disk cannot be written: nothing is sold.',
  stand_storage_failed: 'The disk does not work: nothing is sold.',
  stand_storage_quarantined: 'The database was damaged, and what could be saved is in its place.',
  stand_memory_lost:
    'tilld does not remember what happened before: compare the last receipt. Nothing was charged by this.',
  stand_database_copied:
    'This database may be a copy of another one. No payment of the service is taken: compare the last receipt of each terminal. Nothing was charged by this.',
  stand_clock_wrong:
    'The clock of this machine is wrong. Times on lists and receipts may be wrong; no payment is taken twice or refused because of it. Have it set: tillctl doctor says how.',
  stand_journal_broken: 'The journal of the payments was not written by tilld alone.',
  stand_archive_stopped: 'Old payments are not archived any more; everything else goes on.',
  service_captive_portal:
    'The network wants a sign-in: its page answers in place of the service. Payments go on and are reported afterwards. Sign this machine in to the network.',
  service_wrong_host:
    'Another host or a proxy answers in place of the service. Payments go on and are reported afterwards. Tell the office: tillctl doctor shows what answers.',
  stand_service_offline: 'The service cannot be reached.',
  stand_integration_paused: 'An integration is paused.',
  stand_integration_refused: 'An integration is refused: its configuration is wrong.',
  stand_sync_stream_paused: 'A list is not read: the provider does not let the credential read it.',
  stand_sync_stale: 'A list has not been complete for too long.',
  stand_sync_all_parked: 'Every record of a list is on hold: nothing of it is up to date.',
  stand_sync_held: 'Deletions wait for a person.',
  stand_mirror_replaced:
    'The mirror was damaged and is read again: lists may lack records for a while. No payment depends on it, and nothing was charged by this. There is nothing to do.',
  stand_mirror_unreadable: 'The mirror could not be read a moment ago.',
  said: '{reason} The terminal said: “{words}”',
  refusal_unknown: 'tilld says: {reason}',
  take_lost: 'Not connected to tilld: wait until it is back. No payment can be started here until then.',
  sending_title: 'Sent, no answer yet',
  sending_charged: 'It is not known yet whether the customer was charged.',
  sending_now:
    'Do not start it again. The page keeps asking until tilld answers; the request is carried out once at most.',
  never_started_title: 'It was never started',
  never_started_charged: 'The customer was NOT charged: the request did not arrive.',
  never_started_now: 'Start again if it is still wanted.',
  refused_sale_this: 'This request charged the customer NOTHING: it was not started.',
  refused_back_this: 'This request gave NO money back: it was not started.',
  refused_other_payment: 'Payment {id}, {at}, stands in its way: {charged}',
  refused_paid_now:
    'Do not take it again. Only if the customer really pays a second time: look at that payment first, and confirm that you have.',
  refused_back_now:
    'Look at that one first. Only if the same amount is really to be given back once more, confirm that you have looked.',
  refused_over_now: 'Look at that payment. If this one is still wanted, start it again.',
  had_approval: 'The terminal had said APPROVED before the line broke.',
  had_approval_receipt: 'The terminal had said APPROVED before the line broke, receipt {number}.',
  corrects: 'Payment {id} had ended otherwise.',
  corrected_by: 'See payment {id}.',
  label_waiting: 'Waiting',
  label_running: 'Running',
  label_in_doubt: 'Not clear',
  label_paid: 'Paid',
  label_paid_part: 'Partly paid',
  label_going_back: 'Being given back',
  label_back_part: 'Partly given back',
  label_back: 'Given back',
  label_declined: 'Declined',
  label_cancelled: 'Cancelled',
  label_failed: 'Failed',
  label_corrected: 'Corrected',
  label_written_off: 'Never found out',
  task_cancel_too_late: 'Cancel came too late.',
  task_partial_approval: 'Only a part was approved.',
  task_amount_differs: 'The terminal charged or gave back another amount than was asked for.',
  task_amount_differs_now:
    'Compare the receipt before you take or give back anything else. Refund the difference if the customer did not agree.',
  task_correction: 'Newer evidence shows that it ended otherwise than was recorded here.',
  task_void_mismatch: 'Another sale was undone than the one that was meant.',
  task_void_mismatch_now:
    'Compare both receipts with the journal of the terminal before you take or give back anything else.',
  task_refund_to_other_card: 'The money went to another card than the one of the sale.',
  task_refund_to_other_card_now:
    'Compare the card numbers on the receipts of the sale and of this refund. A phone or a watch may show another number for the same card. If the card is not the customer’s, call the acquirer before you give anything else back.',
  task_maybe_reported_twice:
    'The service may hold this payment twice: the answer to its first report was lost for more than a day.',
  task_maybe_reported_twice_now:
    'Look for it in the service by its amount and time. If it is there twice, have one of the two removed; no money moved twice. Then close this task.',
  task_report_rejected: 'The service did not take the outcome.',
  task_report_rejected_now: 'Have it put right in the service, then close this task.',
  report_again: 'The service had not taken the outcome. It is being sent again.',
  report_again_now: 'Nothing is to be done about the report until the service answers.',
  report_taken: 'The service had not taken the outcome at first. It has taken it since.',
  close_task: 'Close this task.',
  task_invoice_paid_twice:
    'The invoice was paid twice: here and at another till. More was taken than it is for.',
  task_invoice_paid_twice_now:
    'Refund one of the two, here or at the other till, and tell the customer: “Your invoice was charged twice. We are giving you one payment back.” Then close this task.',
  task_invoice_unconfirmed: 'The service could not be asked whether the invoice was paid elsewhere.',
  task_invoice_unconfirmed_now:
    'Nothing is to be done now: the service is asked as soon as it can be reached.',
  task_memory_lost: 'tilld does not remember what happened before.',
  task_memory_lost_now: 'Before the next sale: compare the last receipt of this terminal with your papers.',
  task_storage_damaged: 'The database was damaged, and what could be saved is in its place.',
  task_storage_damaged_now: 'Compare the last payments with the receipts.',
  task_settlement_differs: 'The sum of the day on the terminal differs from ours.',
  task_settlement_differs_now: 'Compare the journal of the terminal with the history.',
  task_signature_to_check: 'The customer signed.',
  task_signature_to_check_now:
    'Compare the signature with the card; if it is not the same, undo the payment. Without an answer the payment stands.',
  task_terminal_replaced:
    'The terminal that took this payment was replaced before it reported how the payment ended.',
  task_terminal_replaced_payment:
    'The terminal{which} was replaced before it reported how this payment of {amount} ended.',
  task_terminal_not_believed:
    'Something answers in the place of a terminal, and it answers as that terminal cannot.',
  task_terminal_not_believed_now:
    'It gets no payment. See that it is your terminal and that nothing else answers at its address; then operations adopts it.',
  task_offline_approval: 'Approved without asking the bank.',
  task_offline_approval_now: 'Nothing to do now: it is certain once the day is closed.',
  task_fleet_end_of_day: '{operator}, an operator of your fleet, asks for the end of day of this terminal.',
  task_fleet_end_of_day_now: 'Close the day if now is the right moment, or decline with a reason.',
  task_fleet_resolve: '{operator}, an operator of your fleet, asks how this payment ended.',
  task_fleet_resolve_now:
    'Answer the question of the payment from what its slip or the terminal shows: you decide, not the operator. Or decline with a reason.',
  task_fleet_retry_report:
    '{operator}, an operator of your fleet, asks to send the service a report again that it had refused.',
  task_fleet_retry_report_now: 'Send it again if the cause is mended, or decline with a reason.',
  task_fleet_drop_report:
    '{operator}, an operator of your fleet, asks to discard a report that the service had refused.',
  task_fleet_drop_report_now:
    'It is never sent afterwards. Discard it only if the service has the payment otherwise, or decline with a reason.',
  task_fleet_adopt:
    '{operator}, an operator of your fleet, asks to adopt the terminal that answers here now.',
  task_fleet_adopt_now:
    'See that it is your terminal, and compare its serial number. Then adopt it, or decline with a reason.',
  task_fleet_unknown:
    '{operator}, an operator of your fleet, asks for something that this page does not know.',
  task_fleet_unknown_now: 'Decline it with a reason, or ask those who run your fleet.',
  task_fleet_reason: 'The reason given: “{reason}”.',
  task_fleet_charged: 'This request has charged no customer.',
  task_fleet_begun: '{by} has begun it. Wait for its end.',
  task_unknown: 'A person must look at this.',
  end_payment_already_open:
    'Another payment of the same sale was open then. This one never reached the terminal.',
  end_payment_already_paid:
    'Another payment had paid the same sale by then. This one never reached the terminal.',
  end_written_off: 'A person has looked, and it was not found out how it ended.',
  end_refund_blocked: 'The same amount had just been given back. This one never reached the terminal.',
  end_invoice_already_paid: 'The invoice was already paid then. This one never reached the terminal.',
  stand_report_refused: 'The service did not take a report: see To do.',
  lost_sale:
    'tilld does not answer. It is not known whether the customer was charged: do not take the payment again.',
  lost_back:
    'tilld does not answer. It is not known whether money was given back: do not give it back again.',
  tasks_now: 'Answer the open task about it.',
  refused_sale: 'The customer was NOT charged: nothing was started.',
  refused_back: 'NO money was given back: nothing was started.',
  close_requested: 'The end of day waits for the terminal.',
  close_requested_now: 'Wait, do not start it again.',
  close_in_progress: 'The terminal is closing its day.',
  close_in_progress_now: 'Wait, and leave the terminal switched on.',
  close_succeeded: 'The day is closed.',
  close_by_itself: 'The terminal closed its day by itself.',
  close_refused: 'The terminal refused to close its day. Its batch is still open.',
  close_refused_now: 'Correct what it shows, then start the end of day again.',
  close_cancelled: 'The end of day never reached the terminal. Its day is still open.',
  close_cancelled_now: 'Start it again.',
  close_unknown: 'It is not known whether the terminal closed its day.',
  close_unknown_now:
    'Look at the terminal: if it printed the totals, the day is closed; else start the end of day again.',
  close_charges_none: 'An end of day charges no customer: every payment stands as it was.',
  journal_agrees: 'Every charge that the terminal reports is in our books. Nothing else is to be done.',
  journal_contradicts:
    '{count} payments ended otherwise at the terminal than in our books. Corrections were recorded, and what the terminal says counts: see what is to do.',
  journal_contradicts_one:
    '{count} payment ended otherwise at the terminal than in our books. A correction was recorded, and what the terminal says counts: see what is to do.',
  journal_missing:
    '{count} payments of ours are not in the terminal’s journal, so it is not sure that these customers were charged: compare the receipts before you close the day.',
  journal_missing_one:
    '{count} payment of ours is not in the terminal’s journal, so it is not sure that this customer was charged: compare the receipts before you close the day.',
  journal_unknown:
    '{count} transactions in the terminal’s journal did not come from here: a customer may have been charged by hand. Ask who used the terminal.',
  journal_unknown_one:
    '{count} transaction in the terminal’s journal did not come from here: a customer may have been charged by hand. Ask who used the terminal.',
  journal_sum_differs: 'The terminal’s sum differs from ours: compare the lines before you close the day.',
  journal_in_part: 'The terminal reports only a part of its journal; the rest was not compared.',
  compare_agrees: 'The terminal’s sum is the same as ours: {terminal}. Nothing else is to be done.',
  compare_more:
    'The terminal’s sum is NOT ours: the terminal has {terminal}, tilld has {ours}. The terminal has {difference} more: a customer may have been charged without tilld. Put the printed totals aside and compare its journal with the payments of the day.',
  compare_less:
    'The terminal’s sum is NOT ours: the terminal has {terminal}, tilld has {ours}. The terminal has {difference} less: a payment may be missing there, or was given back without tilld. Put the printed totals aside and compare its journal with the payments of the day.',
  compare_day_not_whole:
    'The terminal has {terminal}, tilld has {ours}: they differ by {difference}. tilld does not know when this day began at the terminal, so payments from before tilld may be in its sum. Compare them once with the printed totals; from the next close on the sums must be the same.',
  compare_no_sum:
    'The terminal reports no sum to tilld; tilld has {ours}. Keep the printed totals and compare them with it.',
  compare_nothing: 'There are no sums of this close: keep the printed totals for the accounts.',
};
