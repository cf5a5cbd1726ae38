import { isSameName } from '../banks/index.ts';
import { type CachedValue, cacheOne } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type FreezeRow, listFreezesInForce } from './freeze-queries.ts';

/** A freeze reaches every process within this. */
const MAX_AGE_MS = 1_000;
/** From when on nothing passes for certain: every process has read it, and what one had in its hands is done. */
export const REACHES_MS = 5_000;

/** A credit as freezes look at it. */
export interface FreezableCredit {
  payerName: string | null;
  payerAccountNumber: string | null;
  /** To which number it was paid. */
  accountNumber: string;
  /** Every name that it has: ours, the provider's, the network's. */
  references: readonly (string | null)[];
}

/** A payout as freezes look at it. */
export interface FreezablePayout {
  bankCode: string;
  accountNumber: string;
  references: readonly (string | null)[];
}

/** The freezes that are not over, found by what they are about. */
export interface FreezeIndex {
  /** Nothing at all is frozen, now or from some time on. */
  isEmpty: boolean;
  /** Why this credit may not be the merchant's now; undefined where nothing is frozen. */
  ofCredit(tenant: Tenant, credit: FreezableCredit, at: Date): FreezeRow | undefined;
  /** Why this payout may not leave now. */
  ofPayout(tenant: Tenant, payout: FreezablePayout, at: Date): FreezeRow | undefined;
  /** Why nothing of this merchant may leave now. */
  ofMerchant(tenant: Tenant, at: Date): FreezeRow | undefined;
}

export type KnownFreezes = CachedValue<FreezeIndex>;

export function createKnownFreezes({ database, clock }: { database: Database; clock: Clock }): KnownFreezes {
  return cacheOne(clock, MAX_AGE_MS, async () =>
    freezeIndexOf(await database.query(listFreezesInForce, [clock.now()])),
  );
}

export const isInForce = ({ starts_at, ends_at, lifted_at }: FreezeRow, at: Date): boolean =>
  starts_at <= at && (ends_at === null || ends_at > at) && (lifted_at === null || lifted_at > at);

function freezeIndexOf(rows: readonly FreezeRow[]): FreezeIndex {
  const named = rows.flatMap((row) => keysOf(row).map((key) => ({ key, row })));
  const byKey = Map.groupBy(named, ({ key }) => key);
  const payers = rows.filter(({ subject }) => subject === 'PAYER');
  const find = (keys: readonly string[], at: Date, fits: (row: FreezeRow) => boolean = () => true) =>
    keys
      .flatMap((key) => byKey.get(key) ?? [])
      .map(({ row }) => row)
      .find((row) => isInForce(row, at) && fits(row));
  return {
    isEmpty: rows.length === 0,
    ofCredit({ merchantId, mode }, credit, at) {
      const numbers = [credit.payerAccountNumber, credit.accountNumber].map(digitsOf).filter((number) => number !== '');
      return (
        find(
          [
            merchantKey(mode, merchantId),
            ...numbers.map((number) => accountKey(mode, number)),
            ...referenceKeys(mode, credit.references),
          ],
          at,
        ) ?? payers.find((row) => row.mode === mode && isInForce(row, at) && isPayer(row, credit))
      );
    },
    ofPayout({ merchantId, mode }, { bankCode, accountNumber, references }, at) {
      // Asked twice of every payout, and mostly nothing is frozen at all.
      if (byKey.size === 0) return undefined;
      const keys = [merchantKey(mode, merchantId), accountKey(mode, accountNumber), ...referenceKeys(mode, references)];
      return find(keys, at, (row) => row.subject !== 'ACCOUNT' || row.bank_code === bankCode);
    },
    ofMerchant: ({ merchantId, mode }, at) => find([merchantKey(mode, merchantId)], at),
  };
}

/** Providers name a payer's bank as they please: of a credit the number alone decides. */
function isPayer(row: FreezeRow, { payerName, payerAccountNumber }: FreezableCredit): boolean {
  if (payerName === null || row.payer_name === null || !isSameName(row.payer_name, payerName)) return false;
  return row.account_number === null || row.account_number === digitsOf(payerAccountNumber);
}

function keysOf(row: FreezeRow): string[] {
  switch (row.subject) {
    case 'ACCOUNT':
      return [accountKey(row.mode, row.account_number ?? '')];
    case 'MERCHANT':
      return [merchantKey(row.mode, row.merchant_id ?? '')];
    case 'REFERENCE':
      return referenceKeys(row.mode, [row.reference]);
    case 'PAYER':
      return [];
  }
}

const digitsOf = (number: string | null): string => (number ?? '').replaceAll(/\D/g, '');
const accountKey = (mode: string, number: string) => `${mode}/account/${number}`;
const merchantKey = (mode: string, merchantId: string) => `${mode}/merchant/${merchantId}`;
const referenceKeys = (mode: string, references: readonly (string | null)[]) =>
  references.flatMap((reference) => (reference === null ? [] : [`${mode}/reference/${reference.toLowerCase()}`]));
