/** The sender of a packet: a command of the till, a message of the terminal, or the answer to either. */
type MessageKind = 'command' | 'message' | 'answer' | 'vendor';

/** The layout of a packet's data before its bitmaps. */
export type MessageLayout =
  | 'bitmaps'
  | 'password'
  | 'optional_password'
  | 'registration'
  | 'read_card'
  | 'intermediate'
  | 'completion'
  | 'abort'
  | 'print_line'
  | 'raw';

/** Control field → sender, name, layout. @see PA00P015 2 and 3 */
const MESSAGES: Readonly<Record<string, readonly [kind: MessageKind, name: string, layout: MessageLayout]>> =
  {
    '0401': ['message', 'Set Date and Time in ECR', 'bitmaps'],
    '040C': ['message', 'Receive File', 'raw'],
    '040D': ['message', 'Input Request', 'bitmaps'],
    '040E': ['message', 'Menu Request', 'bitmaps'],
    '040F': ['message', 'Status-Information', 'bitmaps'],
    '04FF': ['message', 'Intermediate-Status-Information', 'intermediate'],
    '0501': ['command', 'Status-Enquiry', 'optional_password'],
    '0600': ['command', 'Registration', 'registration'],
    '0601': ['command', 'Authorisation', 'bitmaps'],
    '0602': ['command', 'Log-Off', 'raw'],
    '060C': ['command', 'Book Tip', 'optional_password'],
    '060F': ['message', 'Completion', 'completion'],
    '0610': ['command', 'Send Turnover Totals', 'password'],
    '0612': ['command', 'Print Turnover Receipts', 'password'],
    '0618': ['command', 'Reset Terminal', 'raw'],
    '061B': ['command', 'Set Terminal-ID', 'password'],
    '061E': ['message', 'Abort', 'abort'],
    '0620': ['command', 'Repeat Receipt', 'password'],
    '0622': ['command', 'Pre-Authorisation', 'bitmaps'],
    '0623': ['command', 'Partial Reversal', 'bitmaps'],
    '0624': ['command', 'Book Total', 'bitmaps'],
    '0625': ['command', 'Pre-Authorisation Reversal', 'bitmaps'],
    '0630': ['command', 'Reversal', 'password'],
    '0631': ['command', 'Refund', 'password'],
    '0650': ['command', 'End-of-Day', 'password'],
    '0670': ['command', 'Diagnosis', 'bitmaps'],
    '0691': ['command', 'Set Date and Time in PT', 'password'],
    '0693': ['command', 'Initialisation', 'password'],
    '0695': ['command', 'Change Password', 'raw'],
    '06B0': ['command', 'Abort', 'bitmaps'],
    '06C0': ['command', 'Read Card', 'read_card'],
    '06D1': ['message', 'Print Line', 'print_line'],
    '06D3': ['message', 'Print Text-Block', 'bitmaps'],
    '06D8': ['message', 'Dial-Up', 'raw'],
    '06D9': ['message', 'Transmit Data via Dial-Up', 'raw'],
    '06DA': ['message', 'Receive Data via Dial-Up', 'raw'],
    '06DB': ['message', 'Hang-Up', 'raw'],
    '06DD': ['message', 'Transparent-Mode', 'raw'],
    '06E0': ['command', 'Display Text', 'bitmaps'],
    '06E1': ['command', 'Display Text with Function-Key Input', 'bitmaps'],
    '06E2': ['command', 'Display Text with Numerical Input', 'bitmaps'],
    '06E3': ['command', 'PIN-Verification for Customer-Card', 'bitmaps'],
    '0801': ['command', 'Activate Service-Mode', 'raw'],
    '0810': ['command', 'Software-Update', 'raw'],
    '0840': ['command', 'Change Baud-Rate', 'raw'],
    '8000': ['answer', 'Positive Acknowledgement', 'bitmaps'],
    '8400': ['answer', 'Positive Acknowledgement', 'bitmaps'],
  };

interface MessageName {
  readonly kind: MessageKind;
  readonly name: string;
  readonly layout: MessageLayout;
}

/** The meaning of a control field; an unknown one is a vendor's. */
export function messageOf(control: string): MessageName {
  const known = MESSAGES[control];
  if (known) return { kind: known[0], name: known[1], layout: known[2] };
  if (control.startsWith('84'))
    return { kind: 'answer', name: 'Negative Acknowledgement', layout: 'bitmaps' };
  if (control.startsWith('80'))
    return { kind: 'answer', name: 'Positive Acknowledgement', layout: 'bitmaps' };
  return { kind: 'vendor', name: 'Unknown command', layout: 'raw' };
}

/** True for the classes of control fields that the protocol and its vendors use; other first bytes are not ZVT. */
export function isKnownClass(byte: number): boolean {
  return [0x01, 0x04, 0x05, 0x06, 0x08, 0x0f, 0x80, 0x84].includes(byte);
}
