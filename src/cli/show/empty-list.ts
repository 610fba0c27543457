/**
 * The line for a list without rows: that there are none, of the kind that was asked for.
 * @param what the plural, like `payments`
 * @param filters the restrictions in words, like `with status declined`; an undefined one was not given
 */
export function noneText(what: string, ...filters: readonly (string | false | undefined)[]): string {
  return `${['There are no', what, ...filters.filter(Boolean)].join(' ')}.\n`;
}

/** `with status declined` */
export function withStatus(status: string | undefined): string | undefined {
  return status === undefined ? undefined : `with status ${status}`;
}
