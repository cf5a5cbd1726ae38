import type { ListSearch } from '../api/list-search.ts';
import { formatMoney, parseMoney } from '../format/money.ts';
import { formatDay } from '../format/time.ts';

/** The lists that have filters, totals, a file, columns to choose and saved views. */
export type ViewList = 'TRANSACTIONS' | 'PAYOUTS' | 'PAYMENTS_IN';

const PERIOD = ['from', 'to'] as const;
const AMOUNT = ['amountFrom', 'amountTo'] as const;

/** What the address of each list holds beside the place in it and the columns. */
export const FIELDS_OF = {
  TRANSACTIONS: ['search', 'by', 'batch', 'status', 'category', 'rail', 'counterparty', ...AMOUNT, ...PERIOD, 'order'],
  PAYOUTS: ['status', 'rail', 'counterparty', ...AMOUNT, ...PERIOD, 'order'],
  PAYMENTS_IN: ['status', 'channel', 'payer', 'customerId', ...AMOUNT, ...PERIOD, 'order'],
} as const;

export type FilterField = (typeof FIELDS_OF)[ViewList][number];
export type Filters = { [field in FilterField]?: string | undefined };
/** What the address of a list holds. */
export type FilterSearch = Filters & { [name in keyof ListSearch<'columns'>]?: string | undefined };

/** A word that the interface knows, and what people call it. */
export interface Choice {
  value: string;
  label: string;
}

/** The words in the address, each of which the list knows; what it does not know is left out rather than refused. */
export function wordsIn(text: string | undefined, known: readonly Choice[]): string[] {
  const given = text?.split(',') ?? [];
  return known.map(({ value }) => value).filter((value) => given.includes(value));
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const RAIL = /^[a-z][a-z0-9-]{1,39}$/;

/**
 * The filters that all lists share, as the interface takes them.
 * @param statuses what the list knows
 */
export function askedOf(search: Filters, statuses: readonly Choice[]) {
  const { from, to, amountFrom, amountTo, order } = search;
  const status = wordsIn(search.status, statuses).join(',');
  return {
    ...(status !== '' && { status }),
    ...(from !== undefined && DAY.test(from) && { from }),
    ...(to !== undefined && DAY.test(to) && { to }),
    ...amountAsked('amountFrom', amountFrom),
    ...amountAsked('amountTo', amountTo),
    ...(order === 'OLDEST' && { order: 'OLDEST' as const }),
  };
}

function amountAsked<Name extends string>(name: Name, text: string | undefined): { [name in Name]?: string } {
  const amount = text === undefined ? undefined : parseMoney(text);
  return amount === undefined ? {} : ({ [name]: String(amount) } as { [name in Name]: string });
}

/** Part of a name or number, where it is long enough to be asked for. */
export const partAsked = (text: string | undefined): string | undefined =>
  text === undefined || text.trim().length < 2 ? undefined : text.trim();

export const railAsked = (text: string | undefined): string | undefined =>
  text !== undefined && RAIL.test(text) ? text : undefined;

/** What only shows the same rows in another way, or says how another field is meant. */
const NARROWS_NOTHING: readonly FilterField[] = ['order', 'by'];

/** The fields that narrow the list. */
export function activeFields(list: ViewList, search: Filters): FilterField[] {
  return FIELDS_OF[list].filter((field) => search[field] !== undefined && !NARROWS_NOTHING.includes(field));
}

/** Nothing of any filter. */
export function noFilters(list: ViewList): Filters {
  return Object.fromEntries(FIELDS_OF[list].map((field) => [field, undefined]));
}

/** What people call the words of a list. */
export interface FilterWords {
  statuses: readonly Choice[];
  others?: Partial<Record<FilterField, readonly Choice[]>>;
}

const NAMES: Record<FilterField, string> = {
  search: 'Search',
  by: 'Search as',
  batch: 'Bulk payout',
  status: 'Status',
  category: 'Kind',
  rail: 'Rail',
  channel: 'Channel',
  counterparty: 'To or from',
  payer: 'Payer',
  customerId: 'Customer',
  amountFrom: 'Amount from',
  amountTo: 'Amount to',
  from: 'From',
  to: 'To',
  order: 'Order',
};

/** A filter as people read it: `Status: Failed, Returned`. */
export function filterText(field: FilterField, value: string, { statuses, others }: FilterWords): string {
  return `${NAMES[field]}: ${valueText(field, value, field === 'status' ? statuses : (others?.[field] ?? []))}`;
}

function valueText(field: FilterField, value: string, words: readonly Choice[]): string {
  if (field === 'amountFrom' || field === 'amountTo') {
    const amount = parseMoney(value);
    return amount === undefined ? value : formatMoney(amount);
  }
  if ((field === 'from' || field === 'to') && DAY.test(value)) return formatDay(`${value}T12:00:00Z`);
  if (field === 'customerId') return 'one';
  const found = wordsIn(value, words).map((word) => words.find((known) => known.value === word)?.label ?? word);
  return found.length === 0 ? value : found.join(', ');
}
