/** The counter that is attacked. */
export const DEVICE_ID = '0199c0de-0000-7000-8000-0000000000aa';

/** With which the provider of the field signs its webhooks. */
export const WEBHOOK_SECRET = 'the-secret-of-the-field-0123456789';
