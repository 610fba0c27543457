/** What tilld tells by a code: `refusal_` of a request, `end_` of a payment, `stand_` of the shop. `{name}` is filled in. */
export const en = {
  refusal_terminal_not_ready: 'The terminal is not ready. Look at it, mend what it says, then try again.',
  refusal_terminal_in_doubt:
    'First it must be clear what became of the payment before. Answer the open question.',
  refusal_wrong_terminal:
    'Another terminal answers in this place. Use another one, and call whoever looks after the terminals.',
  refusal_terminal_busy: 'The terminal has enough to do. Wait until it is free, then try again.',
  refusal_payment_already_open:
    'The same payment is running or unclear already. Look at that one; do not start a second.',
  refusal_payment_already_paid:
    'The same was paid a short while ago. Look at that payment before you take it again.',
  refusal_invoice_already_paid:
    'This invoice is paid. Nothing was charged now. Do not take it again; look at the payment that paid it.',
  refusal_invoice_already_voided:
    'This invoice was voided. Nothing was charged. Do not take money for it; ask the office for a new one.',
  refusal_invoice_not_finalized:
    'This invoice is a draft. Nothing was charged. Have it finalized, then try again.',
  refusal_amount_exceeds_due:
    'That is more than is due of this invoice. Nothing was charged. Look at what is due and take no more than that.',
  refusal_currency_not_accepted: 'This terminal takes another currency. Choose another terminal.',
  refusal_amount_out_of_range: 'The terminal does not take this amount. Check it, or split the payment.',
  refusal_memory_lost:
    'tilld does not know what happened before. Compare the last receipt, answer the task under To do, then try again.',
  refusal_storage_full:
    'The disk of the till is full, so nothing can be recorded. Take another way to pay and call whoever looks after the machine.',
  refusal_service_unavailable:
    'tilld cannot record anything right now. Take another way to pay and call whoever looks after the machine.',
  refusal_rate_limit_exceeded: 'Too many requests at once. Wait a moment, then try again.',
  refusal_insufficient_permissions: 'Your role does not allow this. Ask somebody who is signed in as lead.',
  refusal_payment_not_cancellable: 'It has ended already. Look at its outcome.',
  refusal_payment_not_in_doubt: 'It is decided already. Look at its outcome.',
  refusal_decision_too_early:
    'It is too early to say "not charged": the terminal may still be charging. Ask a lead, or try again in some minutes.',
  refusal_payment_not_refundable: 'This payment cannot be given back: it is no sale, or it was not charged.',
  refusal_refund_exceeds_amount:
    'That is more than is left to give back. Look at what was given back already.',
  refusal_void_not_possible: 'It cannot be undone any more. Refund it instead.',
  refusal_operation_not_supported:
    'This terminal cannot do that. Refund it, or give the money back in another way.',
  refusal_resource_not_found: 'tilld does not know it any more. Look at the history.',
  refusal_unreachable:
    'tilld does not answer. Wait until it is connected again, then look at the history before you try again.',
  refusal_validation_error: 'What was typed or sent is not valid: {reason}',
  refusal_missing_required_field: 'Something that is needed is missing: {reason}',
  refusal_invalid_request_error: 'tilld cannot read this request: {reason}',
  refusal_payload_too_large: 'That is too much at once.',
  refusal_parameter_invalid: 'What was asked for contradicts itself: {reason}',
  refusal_resource_missing: 'What this list goes on from does not exist any more. Open the page again.',
  refusal_route_unknown:
    'This tilld does not know this request. Load the page again: it may be of another version.',
  refusal_misdirected_request: 'tilld is not called by this name here. Open it by its own address.',
  refusal_origin_not_allowed: 'The request came from another site and was not carried out.',
  refusal_authentication_failed: 'tilld does not know who asks. Sign in again.',
  refusal_invalid_api_key: 'tilld does not know this key.',
  refusal_expired_api_key: 'This key has expired.',
  refusal_api_key_revoked: 'This key was taken back.',
  refusal_signature_invalid: 'The signature of the message is wrong.',
  refusal_timestamp_invalid: 'The time of the message is too far from ours. Check the clock of this machine.',
  refusal_sign_in_code_invalid: 'This code does not open anything. Ask for a new one.',
  refusal_session_ended: 'You are not signed in any more. Sign in again.',
  refusal_ip_not_allowed: 'This is not allowed from this address.',
  refusal_internal_only: 'This works only on the machine of tilld itself, with tillctl.',
  refusal_IDEMPOTENCY_KEY_INVALID: 'The key of this request is not valid. Nothing was started.',
  refusal_IDEMPOTENCY_KEY_IN_PROGRESS:
    'The same request is being carried out right now. Wait for its answer.',
  refusal_IDEMPOTENCY_KEY_MISMATCH:
    'Another request has used this key already. Nothing was started; look at the history.',
  refusal_task_done: 'Somebody has done this already.',
  refusal_invalid_status: 'That does not fit how things stand now: {reason}',
  refusal_api_key_limit_reached: 'There are as many keys as there may be. Take one back first.',
  refusal_too_many_webhook_endpoints:
    'There are as many webhook addresses as there may be. Remove one first.',
  refusal_integration_not_active: 'This integration is not switched on.',
  refusal_gateway_error: 'The other side did not do it: {reason}',
  refusal_shutting_down: 'tilld is being shut down. Wait until it is back, then try again.',
  refusal_internal_error:
    'Something went wrong inside tilld; its log says what. Look at the history before you try again.',
  end_declined: 'The terminal declined it.',
  end_aborted: 'It was stopped at the terminal.',
  end_cancelled: 'It was cancelled before it reached the terminal.',
  end_expired: 'It waited too long and never reached the terminal.',
  end_restart: 'tilld stopped while the terminal was working on it.',
  end_memory_lost: 'It is older than what tilld remembers: look at the receipts of the terminal.',
  end_terminal_replaced:
    'The terminal that took it was replaced before it told how it ended: a person has to find out.',
  end_terminal_recovering: 'The payment before it was not settled yet. It never reached the terminal.',
  end_previous_was_charged: 'The payment before it turned out to be charged. It never reached the terminal.',
  end_not_started: 'The terminal did not begin.',
  end_driver_error: 'The dialogue with the terminal broke off.',
  end_other_currency: 'The terminal approved another currency than was asked for. Compare the receipt.',
  end_not_charged: 'The terminal has stored nothing, or somebody has looked: not charged.',
  end_reversed_by_terminal: 'The terminal took its approval back.',
  end_needs_person: 'The terminal cannot tell how it ended: somebody must look at its receipts.',
  stand_no_devices: 'No terminal is configured.',
  stand_terminal_offline: 'A terminal is not connected.',
  stand_terminal_wrong_terminal: 'Another terminal answers than the one that belongs there.',
  stand_terminal_recovering: 'A terminal is being asked how its last payment ended.',
  stand_terminal_busy: 'A terminal is busy.',
  stand_terminal_ready: 'A terminal has something to say.',
  stand_disk_full: 'The disk is full: nothing is sold until there is room.',
  stand_read_only: 'The disk cannot be written: nothing is sold.',
  stand_storage_failed: 'The disk does not work: nothing is sold.',
  stand_storage_quarantined: 'The database was damaged, and what could be saved is in its place.',
  stand_memory_lost: 'tilld does not remember what happened before: compare the last receipt.',
  stand_database_copied:
    'This database may be a copy of another one. No payment of the service is taken: compare the last receipt of each terminal. Nothing was charged by this.',
  stand_clock_wrong:
    'The clock of this machine is wrong. Times on lists and receipts may be wrong; no payment is taken twice or refused because of it.',
  stand_journal_broken: 'The journal of the payments was changed by somebody else than tilld.',
  stand_archive_stopped: 'Old payments are not archived any more; everything else goes on.',
  stand_service_offline: 'The service cannot be reached.',
  stand_integration_paused: 'An integration is paused.',
  stand_sync_stale: 'A list has not been complete for too long.',
  stand_sync_held: 'Deletions wait for a person.',
  stand_mirror_unreadable: 'The mirror could not be read a moment ago.',
  said: '{reason} The terminal said: “{words}”',
  refusal_unknown: 'tilld says: {reason}',
};
