import type { CodeSum } from '../ledger/index.ts';

/**
 * Kinds of lines by the beginning of a transfer's code, the longer beginning first. Any other code is a kind of its
 * own.
 */
const BY_CODE: readonly (readonly [beginning: string, kind: string])[] = [
  ['COLLECTION_FEE', 'FEE'],
  ['COLLECTION_VAT', 'VAT'],
  ['COLLECTION', 'PAYMENT'],
  ['REFUND', 'REFUND'],
  ['DISPUTE', 'DISPUTE'],
  ['RESERVE_RELEASE', 'RESERVE_RELEASED'],
  ['RESERVE', 'RESERVE_KEPT'],
  ['RECEIVABLE_REPAYMENT', 'DEBT_REPAID'],
  ['MANUAL_CREDIT', 'ADJUSTMENT'],
  ['STORE_', 'OWN_TRANSFER'],
  ['SUBACCOUNT_', 'OWN_TRANSFER'],
  ['SANDBOX_FUNDING', 'FUNDING'],
  ['PAYOUT', 'PAYOUT'],
];

/** The beginning of codes whose kind depends on the purpose of the payout. */
export const PAYOUT_CODES = 'PAYOUT';
const BY_PURPOSE: Readonly<Record<string, string>> = { REFUND: 'REFUND', SETTLEMENT: 'SETTLEMENT' };

/** What was collected, and what of it left or was kept: these add up to the net that is settled. */
export const COUNTED_KINDS: ReadonlySet<string> = new Set([
  'PAYMENT',
  'FEE',
  'VAT',
  'REFUND',
  'DISPUTE',
  'RESERVE_KEPT',
  'RESERVE_RELEASED',
  'DEBT_REPAID',
]);

/** Every kind with the words for it, in the order of the report. */
export const KIND_WORDS: Readonly<Record<string, string>> = {
  PAYMENT: 'Payments',
  FEE: 'Fees',
  VAT: 'VAT on fees',
  REFUND: 'Refunds',
  DISPUTE: 'Disputes',
  RESERVE_KEPT: 'Kept in reserve',
  RESERVE_RELEASED: 'Released from reserve',
  DEBT_REPAID: 'Debt from disputes repaid',
  ADJUSTMENT: 'Adjustments',
  OWN_TRANSFER: 'Between your own wallets',
  FUNDING: 'Funding',
  PAYOUT: 'Payouts, with their charges',
  SETTLEMENT: 'Earlier settlements',
};

export const wordsOfKind = (kind: string): string =>
  KIND_WORDS[kind] ??
  kind
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/^./, (first) => first.toUpperCase());

/** The kind of an entry. @param purpose of the payout that it belongs to, where it is one */
export function kindOf(code: string, purpose: string | undefined): string {
  const special = code.startsWith(PAYOUT_CODES) && purpose !== undefined ? BY_PURPOSE[purpose] : undefined;
  return special ?? BY_CODE.find(([beginning]) => code.startsWith(beginning))?.[1] ?? code;
}

/** The same as SQL, for the proof: `t` has the code, `p` the purpose or null. */
export const kindSql = (t: string, p: string): string => `case
      ${Object.entries(BY_PURPOSE)
        .map(
          ([purpose, kind]) =>
            `when starts_with(${t}.code, '${PAYOUT_CODES}') and ${p}.purpose = '${purpose}' then '${kind}'`,
        )
        .join('\n      ')}
      ${BY_CODE.map(([beginning, kind]) => `when starts_with(${t}.code, '${beginning}') then '${kind}'`).join('\n      ')}
      else ${t}.code end`;

export const countedSql = `('${[...COUNTED_KINDS].join("', '")}')`;

/** The sum of the entries of a kind, in kobo: above zero where the wallet gained. */
export interface KindSum {
  entries: number;
  minor: bigint;
}

export type KindSums = ReadonlyMap<string, KindSum>;

/** By kind, in the order of the report. */
export function sumsByKind(sums: readonly (Omit<CodeSum, 'code'> & { kind: string })[]): KindSums {
  const found = new Map<string, KindSum>();
  for (const { kind, direction, entries, amount_minor } of sums) {
    const before = found.get(kind) ?? { entries: 0, minor: 0n };
    const minor = before.minor + (direction === 'CREDIT' ? amount_minor : -amount_minor);
    found.set(kind, { entries: before.entries + entries, minor });
  }
  const order = Object.keys(KIND_WORDS);
  const placeOf = (kind: string) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return new Map(
    [...found]
      .filter(([, { entries }]) => entries !== 0)
      .sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)),
  );
}

/** The part of it that was collected. */
export const netOf = (sums: KindSums): bigint =>
  [...sums].reduce((net, [kind, { minor }]) => (COUNTED_KINDS.has(kind) ? net + minor : net), 0n);

export const totalOf = (sums: KindSums): bigint => [...sums.values()].reduce((total, { minor }) => total + minor, 0n);

/** The sums as they are stored with a settlement. */
export const sumsText = (sums: KindSums): string =>
  JSON.stringify(
    Object.fromEntries([...sums].map(([kind, { entries, minor }]) => [kind, { entries, minor: minor.toString() }])),
  );

export function sumsOf(text: string): KindSums {
  const kept = JSON.parse(text) as Record<string, { entries: number; minor: string }>;
  return new Map(Object.entries(kept).map(([kind, { entries, minor }]) => [kind, { entries, minor: BigInt(minor) }]));
}
