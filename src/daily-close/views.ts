import { stringify } from 'csv-stringify/sync';
import { decimalText } from '../money/index.ts';
import { INERT } from '../platform/spreadsheet/write-csv.ts';
import type { CloseFigures } from './close-figures.ts';

/** What each figure of a day is called, on the page, in files and at the terminal. */
export const TOTAL_WORDS: Readonly<Record<keyof CloseFigures['totals'], string>> = {
  moneyIn: 'Money in, confirmed',
  moneyOut: 'Paid out, less what came back',
  fees: 'Fees earned',
  vatAndDuty: 'VAT and stamp duty',
  refunds: 'Refunds by providers',
  disputes: 'Disputes lost',
  settledByProviders: 'Settled by providers',
  keptByProviders: 'Kept by providers as fees',
  deductedByProviders: 'Deducted by providers for refunds and disputes',
};

const naira = (kobo: string): string => decimalText(BigInt(kobo));

/** The same figures as rows: section, name, then what belongs to it. */
export function closeCsv(figures: CloseFigures): string {
  const { mode, day, totals, kinds, providers, postings } = figures;
  const row = (section: string, name: string, cells: Partial<Record<string, string>>) => ({
    Mode: mode,
    Day: day,
    Section: section,
    Name: name,
    Opening: '',
    Debits: '',
    Credits: '',
    Amount: '',
    Transfers: '',
    Closing: '',
    ...cells,
  });
  const records = [
    ...Object.entries(totals).map(([name, amount]) =>
      row('TOTAL', TOTAL_WORDS[name as keyof typeof TOTAL_WORDS], { Amount: naira(amount) }),
    ),
    ...kinds.map(({ kind, opening, debits, credits, closing }) =>
      row('ACCOUNTS', kind, {
        Opening: naira(opening),
        Debits: naira(debits),
        Credits: naira(credits),
        Closing: naira(closing),
      }),
    ),
    ...providers.flatMap(({ rail, opening, closing, ...flows }) => [
      row('PROVIDER', rail, { Opening: naira(opening), Closing: naira(closing) }),
      ...Object.entries(flows).map(([flow, amount]) => row('PROVIDER', `${rail}: ${flow}`, { Amount: naira(amount) })),
    ]),
    ...postings.map(({ code, debitKind, creditKind, rail, transfers, amount }) =>
      row('POSTING', `${code}: ${debitKind} to ${creditKind}${rail === null ? '' : ` (${rail})`}`, {
        Amount: naira(amount),
        Transfers: String(transfers),
      }),
    ),
  ];
  return stringify(records, { header: true, ...INERT });
}
