import type { Quote } from '../fees/index.ts';
import type { MovementParts, ResolutionDraft, TransferCode, TransferDraft } from '../ledger/index.ts';
import { DAY_SCOPE } from '../limits/index.ts';
import { newId } from '../platform/ids.ts';
import type { TenantAccounts } from '../wallets/index.ts';
import { releaseDedupeKeys } from './dedupe-keys.ts';
import type { PayoutRecord, PayoutRow } from './queries.ts';

type Holds = Pick<PayoutRow, 'amount_hold_id' | 'fee_hold_id' | 'vat_hold_id' | 'stamp_duty_hold_id'>;

export const NO_HOLDS: Holds = {
  amount_hold_id: null,
  fee_hold_id: null,
  vat_hold_id: null,
  stamp_duty_hold_id: null,
};

/** The held amounts, in minor units. */
export type HeldAmounts = Pick<Quote, 'amountMinor' | 'feeMinor' | 'vatMinor' | 'stampDutyMinor'>;

interface MadeHolds {
  holds: Holds & { amount_hold_id: string };
  transfers: TransferDraft[];
}

/**
 * Linked pending transfers for the amount and each charge; a charge of zero has none.
 */
export function makeHolds(accounts: TenantAccounts, payoutId: string, quote: HeldAmounts): MadeHolds {
  const transfers: TransferDraft[] = [];
  const hold = (creditAccountId: string, amountMinor: bigint, code: TransferCode): string => {
    const id = newId();
    const debitAccountId = accounts.wallet.id;
    transfers.push({
      kind: 'PENDING',
      id,
      transactionId: payoutId,
      debitAccountId,
      creditAccountId,
      amountMinor,
      code,
    });
    return id;
  };
  const holdCharge = (creditAccountId: string, amountMinor: bigint, code: TransferCode): string | null =>
    amountMinor === 0n ? null : hold(creditAccountId, amountMinor, code);
  const holds = {
    amount_hold_id: hold(accounts.payoutClearing, quote.amountMinor, 'PAYOUT'),
    fee_hold_id: holdCharge(accounts.feeIncome, quote.feeMinor, 'PAYOUT_FEE'),
    vat_hold_id: holdCharge(accounts.taxPayable, quote.vatMinor, 'PAYOUT_VAT'),
    stamp_duty_hold_id: holdCharge(accounts.taxPayable, quote.stampDutyMinor, 'PAYOUT_STAMP_DUTY'),
  };
  return { holds, transfers };
}

/** Ends every hold of a payout in the same way. */
export function resolveHolds(kind: 'POST' | 'VOID', payout: PayoutRecord): ResolutionDraft[] {
  if (payout.amount_hold_id === null) throw new Error(`payout ${payout.id} holds nothing`);
  return [payout.amount_hold_id, payout.fee_hold_id, payout.vat_hold_id, payout.stamp_duty_hold_id]
    .filter((id) => id !== null)
    .map((pendingId) => ({
      kind,
      id: newId(),
      transactionId: payout.id,
      pendingId,
      pendingTransactionId: payout.id,
    }));
}

/** Returns amount and charges of a paid payout, by new transfers: what was posted stays as it was. */
export function returnMoney(accounts: TenantAccounts, payout: PayoutRecord): TransferDraft[] {
  const parts: [string, bigint][] = [
    [accounts.payoutClearing, payout.amount_minor],
    [accounts.feeIncome, payout.fee_minor],
    [accounts.taxPayable, payout.vat_minor + payout.stamp_duty_minor],
  ];
  return parts
    .filter(([, amountMinor]) => amountMinor > 0n)
    .map(([debitAccountId, amountMinor]) => ({
      kind: 'POSTED',
      id: newId(),
      debitAccountId,
      creditAccountId: payout.wallet_id,
      amountMinor,
      code: 'PAYOUT_REVERSAL',
    }));
}

/**
 * Parts of the movement that ends a payout which failed or was cancelled: they release its part of the day's limit and
 * its dedupe keys. A payout that succeeded keeps its part of the limit, also when the bank returns the money.
 */
export function releaseGuards(payout: PayoutRecord): Required<Pick<MovementParts, 'limitUsages' | 'writes'>> {
  const { counted_on: period, amount_minor } = payout;
  const refusal = () => {
    throw new Error('a release exceeds nothing');
  };
  const counted = { scope: DAY_SCOPE, amountMinor: -amount_minor, limitMinor: null, refusal };
  return { ...releaseDedupeKeys(payout), limitUsages: period === null ? [] : [{ ...counted, period }] };
}
