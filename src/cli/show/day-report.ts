import type { CurrencyTakings, DayReport } from '../../api/contract/day-report.ts';
import { counted } from '../../base/counted.ts';
import { formatMoney } from '../../base/money.ts';
import { table } from './table.ts';

const HEADINGS = ['', 'SALES', 'REFUNDS', 'VOIDS', 'TIPS', 'NET'];

/** The takings of a day: a table for each currency, and what is still open. Hours without takings are left out. */
export function dayReportText(report: DayReport): string {
  const { day, time_zone: timeZone, open, currencies } = report;
  const head = `Takings of ${day} (${timeZone})\n`;
  const tables = currencies.map((one) => `\n${currencyTable(one, report)}`);
  const none = currencies.length === 0 ? '\nNothing was taken.\n' : '';
  const note =
    open === 0
      ? ''
      : `\nOf ${counted(open, 'payment', 'payments')} the outcome is not known yet: the sums may change.\n`;
  return `${head}${tables.join('')}${none}${note}`;
}

function currencyTable(
  takings: CurrencyTakings,
  { time_zone: timeZone, week_before: before }: DayReport,
): string {
  const { currency, total, week_before, terminals, schemes, hours } = takings;
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const row = (name: string, sums: CurrencyTakings['total']) => [name, ...cellsOf(sums, currency)];
  return table(HEADINGS, [
    row('total', total),
    row(`on ${before.day}`, week_before),
    ...terminals.map((one) => row(one.name ?? one.device_id, one)),
    ...schemes.map((one) => row(one.scheme ?? 'scheme not reported', one)),
    ...hours
      .filter(({ sales, refunds, voids }) => sales.count + refunds.count + voids.count > 0)
      .map((one) => row(hour.format(new Date(one.at)), one)),
  ]);
}

function cellsOf(
  { sales, refunds, voids, tips_minor: tips, net_minor: net }: CurrencyTakings['total'],
  currency: CurrencyTakings['currency'],
): readonly string[] {
  const money = (minor: number) => formatMoney({ minor, currency });
  const counted = ({ count, amount_minor: minor }: CurrencyTakings['total']['sales']) =>
    count === 0 ? '-' : `${count}: ${money(minor)}`;
  return [counted(sales), counted(refunds), counted(voids), tips === null ? '-' : money(tips), money(net)];
}
