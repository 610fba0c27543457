/** The texts of one integration: what it holds, its source and its credential. `{name}` is filled in. */
export const integration = {
  held_why_resync: 'Why: missing from a full resync.',
  held_why_deletes: 'Why: deleted at the source, or missing from two complete readings.',
  held_ids: 'Ids at the source: {ids}',
  held_ids_more: 'Ids at the source: {ids} and {count} more',
  held_ids_more_one: 'Ids at the source: {ids} and {count} more',
  save: 'Save',
  lookback_change: 'Change the days',
  lookback_title: 'How far back does the first sync of invoices read?',
  lookback_days: 'Days',
  lookback_words:
    'It counts for the first sync of invoices. What was read stays; a full resync reads invoices of any age.',
  credential: 'Credential',
  credential_part_apiKey: 'Key',
  credential_part_baseUrl: 'Address',
  credential_part_appName: 'Our name there',
  credential_part_appEmail: 'Our e-mail address there',
  credential_kept: 'stored, never shown',
  credential_none: 'not stored',
  credential_missing: 'Missing',
  credential_unreadable: 'What is stored cannot be opened with the sealing key of this machine. Replace it.',
  credential_person: 'A person renews it at the machine, in a browser:',
};
