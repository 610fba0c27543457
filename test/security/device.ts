/** The counter that is attacked. */
export const DEVICE_ID = '0199c0de-0000-7000-8000-0000000000aa';
