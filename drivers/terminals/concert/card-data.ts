import { maskCardNumbers, TruncatedCardNumber } from '../../../src/driver-kit/terminal.ts';

/** Eleven digits or more, single blanks or hyphens between them. */
const LONG_RUN = /\d(?:[ -]?\d){10,}/g;
const [HEAD, TAIL] = [6, 4];

/**
 * The report of an E+ answer (55 characters) without the middle of any possible card or account number; its length is kept.
 * Numbers are recognised by their shape and not by a check digit: a number directly followed by zeros has no valid one.
 */
export function maskReport(report: string): string {
  return report.replace(LONG_RUN, (run) => (/[1-9]/.test(run) ? withoutMiddle(run) : run));
}

/** A free text of the terminal without card numbers. */
export function maskText(text: string): string {
  return maskCardNumbers(text);
}

/** The card number of an E+ report, when the report begins with one: 13 to 19 digits and a blank, or the end. */
export function cardOfReport(report: string): TruncatedCardNumber | undefined {
  const found = /^(\d{13,19})(?: |$)/.exec(report)?.[1];
  return found === undefined || !/[1-9]/.test(found) ? undefined : TruncatedCardNumber.of(found);
}

/** The value of tag AA, at most 64 characters: truncated here if the terminal did not; its length is kept. */
export function maskCard(value: string): string {
  return value.replace(LONG_RUN, withoutMiddle);
}

function withoutMiddle(run: string): string {
  const digits = run.replace(/\D/g, '').length;
  let seen = 0;
  return run.replace(/\d/g, (digit) => {
    seen += 1;
    return seen <= HEAD || seen > digits - TAIL ? digit : '*';
  });
}
