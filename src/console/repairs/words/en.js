/** The texts of the list of what is wrong. `{name}` is filled in. */
export const en = {
  title: 'What is wrong',
  reading: 'One moment …',
  all_well: 'All is well: nothing needs a person.',
  not_examined:
    'Nothing is wrong with payments, reports and syncs. This machine is not examined yet: tilld does that by itself some minutes after its start, when no payment runs.',
  mine: 'You can fix {count} things',
  mine_one: 'You can fix {count} thing',
  others: 'Others can fix {count} things',
  others_one: 'Others can fix {count} thing',
  who: 'A person who is signed in as {role} can fix this.',
  level_error: 'Error',
  level_warning: 'Warning',
  a_terminal: 'a terminal',
  task: 'To do',
  open_question: 'Answer the question',
  open_payment: 'See the payment',
  task_done: 'It is done …',
  task_done_title: 'What came of it?',
  task_done_submit: 'It is done',
  task_note: 'What you did',
  your_name: 'Your name',
  asked_end_of_day: 'Close the day',
  asked_retry_report: 'Send it again',
  asked_drop_report: 'Discard the report',
  asked_decline: 'Decline …',
  asked_decline_title: 'Why is it declined?',
  asked_decline_reason: 'The reason, which the operator gets',
  asked_decline_submit: 'Decline',
  asked_why: 'Why',
  refused: '{count} refused reports',
  refused_one: '{count} refused report',
  refused_words:
    'What the customers were charged is as the payments show; only the service does not have it yet. Fix the cause, then retry.',
  reports_more: 'and {count} more reports, which are not listed here.',
  reports_more_one: 'and {count} more report, which is not listed here.',
  reports_others: 'Reports that are not listed',
  reports_causes: 'Of all refused reports, by cause:',
  refused_waiting: '{count} more reports wait behind them.',
  refused_waiting_one: '{count} more report waits behind them.',
  cause_refused: 'The service refused what it was sent.',
  cause_key_mismatch: 'The service has something else under the same key.',
  cause_not_at_service: 'The service does not have the payment that the report is about.',
  cause_parent_not_at_service: 'The service does not have the sale whose money is given back.',
  cause_answer_names_parent: 'The service answered with the sale, not with its refund or void.',
  cause_rejected: 'The service has another outcome than the terminal.',
  cause_other: 'The service did not take it.',
  retry: 'Retry all {count}',
  retry_one: 'Retry',
  open_reports: 'See the reports',
  terminal_offline: '{name} is not connected',
  terminal_offline_words:
    'No payment is possible there. Check its power and its cable; it connects again by itself. Take another terminal meanwhile.',
  terminal_needs: '{name} needs a person',
  terminal_needs_words: 'No payment is possible there until it is done. Take another terminal meanwhile.',
  terminal_paper: 'The paper or the cover of {name}',
  terminal_paper_words:
    'No payment is possible there. Put in a new roll and close the cover; it goes on by itself. Take another terminal meanwhile.',
  terminal_wrong: 'Another terminal answers as {name}',
  terminal_wrong_words:
    'It gets no payment: nothing was charged there. Put the known terminal back, or adopt the new one.',
  adopt: 'Adopt the terminal',
  open_terminals: 'See the terminals',
  service: 'Service connection',
  open_connection: 'See the connection',
  shop: 'This shop',
  open_doctor: 'Open the doctor',
  open_place: 'Open the page that fixes it',
  at_machine: 'Fix it at the machine that runs tilld; the doctor says how.',
  finding_payments: 'A payment waits for a person. Do not charge it again before its question is answered.',
  finding_reports:
    'Reports wait that the service should have by now. The customers were charged as the payments show, and nothing is lost. See what the reports wait for.',
  finding_terminal:
    'A terminal does not fit what the configuration or the service says of it, so payments there may be refused, or may not be reported. Compare both before the next payment there.',
  finding_port:
    'The port of a terminal is missing, closed to tilld, or used by another program, so payments there may fail. Check the cable first; the doctor says what to change at the machine.',
  finding_certificate:
    'A certificate is missing, wrong, or ends soon. Without a good one other devices do not connect to tilld; payments at this machine go on. Have it renewed at the machine before tilld is restarted.',
  finding_disk:
    'The disk has little room left, or tilld cannot write to it as it must. Once it is full, no payment is taken. Make room at the machine; the doctor says where.',
  finding_clock:
    'The clock or the time zone of this machine is wrong, or its time differs from that of the service. Amounts are right; times in lists, receipts and reports may not be. Have the clock set at the machine.',
  finding_service:
    'The service cannot be used as it should be. Payments go on and are reported later. See the connection.',
  finding_credentials:
    'A key or a credential is missing or refused. Payments go on; the reports, syncs or webhooks that need it wait. Have the right one put in place at the machine.',
  finding_database:
    'The database of the payments may be damaged, be a copy, or be hard to save after damage. The payments that are listed stay as they are. Read the doctor before tilld is restarted.',
  finding_journal:
    'The journal, which proves what was charged, does not fit together or was not confirmed lately. Payments go on. Keep a copy of the database, and compare the payments with the receipts of the terminal.',
  finding_archive:
    'Old payments cannot be read, or are not archived any more. New payments go on. The doctor says what to do at the machine.',
  finding_backup:
    'The payments have no recent backup. If the disk of this machine fails, what was charged since the last backup is not known here any more. Have a backup made at the machine.',
  finding_sync:
    'Data of a provider is not read, not complete, or not sent back. Payments go on. See the integration.',
  finding_mappings:
    'Products of a provider are mapped to nothing, so records with them wait. Payments go on. Choose a product for each of them.',
  finding_webhooks:
    'Another program does not get the events of this till. Payments go on. The doctor names its address; have it checked there.',
  finding_api_keys:
    'An API key has ended or ends soon; the till that uses it is refused from then on. Have a new key made at the machine, and enter it at that till.',
  finding_network:
    'Other devices of the shop may not find or reach tilld. Payments at this machine go on. The doctor says what to change at the machine or in the network.',
  finding_configuration:
    'The configuration is wrong or unusual, and tilld may not start with it again. Payments go on meanwhile. Have it corrected at the machine before tilld is restarted.',
  finding_machine:
    'This machine, or the way tilld is installed on it, is not as it should be. Payments go on now; after a restart or a power cut they may not. The doctor says what to change at the machine.',
  integration_paused: '{provider} is paused',
  integration_refused: '{provider} is not running',
  integration_errors_words:
    'Too many runs failed in a row, so nothing new is read from there. Payments go on. Fix the cause, then resume.',
  integration_credentials_words:
    'The provider refuses the credential, so nothing new is read from there. Payments go on. Replace the credential; it resumes by itself.',
  integration_refused_words:
    'Its configuration is wrong, so nothing is read from there. Payments go on. Correct it at the machine, then restart tilld.',
  recipe_changed: 'The recipe of {provider} has changed',
  resume: 'Resume',
  replace_credential: 'Replace the credential',
  open_integration: 'Open the integration',
  stream_paused: '{name} is paused',
  stream_paused_words:
    'The provider does not let the credential read this list; the other lists go on, and so do payments. Give the permission at the provider, then sync.',
  stream_held: '{name}: deletions wait for a decision',
  stream_held_words:
    'More records than usual would be deleted, so nothing was deleted. Look at the source, then decide.',
  stream_stale: '{name} is not up to date',
  stream_stale_words: 'This list was not read as a whole for too long. Payments go on.',
  decide_deletions: 'Look and decide',
  sync_now: 'Sync now',
  on_hold: '{count} records on hold',
  on_hold_one: '{count} record on hold',
  on_hold_words_one:
    'The sync goes on without it. Open the integration to see what it waits for, or retry it.',
  on_hold_words:
    'The sync goes on without them. Open the integration to see what they wait for, or retry them.',
  on_hold_all_words:
    'Nothing of a list is up to date, because every record of it is on hold. Open the integration to see what they wait for, or retry them.',
  retry_on_hold: 'Retry all {count}',
  retry_on_hold_one: 'Retry',
  examine: 'Examine',
  examining: 'Examining …',
  examined: 'The doctor looked {age} ago.',
  never_examined: 'The doctor has not looked since tilld was started.',
  examined_in_vain: 'The last examination was not possible; the doctor says why.',
  area_payments: 'Open payments',
  area_reports: 'Reports to the service',
  area_terminal: 'Terminals',
  area_port: 'Serial ports',
  area_certificate: 'Certificates',
  area_disk: 'Disk',
  area_clock: 'Clock',
  area_service: 'Service connection',
  area_database: 'Database',
  area_journal: 'Journal',
  area_backup: 'Backup',
  area_sync: 'Syncs',
  area_credentials: 'Keys and credentials',
  area_archive: 'Archive of old payments',
  area_mappings: 'Product mapping',
  area_webhooks: 'Webhooks',
  area_api_keys: 'API keys',
  area_network: 'Network',
  area_configuration: 'Configuration',
  area_machine: 'This machine',
  open_list: 'See what is wrong',
};
