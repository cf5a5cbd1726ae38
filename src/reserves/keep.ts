import type { TransferDraft } from '../ledger/index.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { insertReserves, type ReserveRow } from './queries.ts';
import type { ReserveToKeep } from './rules.ts';

interface Keeping {
  tenant: Tenant;
  paymentId: string;
  walletId: string;
  at: Date;
}

/**
 * The parts that the movement which credits a wallet has beside its credit and its charges, so that a part of it is
 * kept in reserve.
 */
export function keeping(
  { tenant, paymentId, walletId, at }: Keeping,
  reserve: ReserveToKeep | null,
): { transfers: TransferDraft[]; writes: Write[] } {
  if (reserve === null) return { transfers: [], writes: [] };
  const { accountId, terms } = reserve;
  const row: ReserveRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    payment_id: paymentId,
    wallet_id: walletId,
    ...terms,
    kept_at: at,
    released_at: null,
    release_id: null,
  };
  const transfer: TransferDraft = {
    kind: 'POSTED',
    id: newId(),
    debitAccountId: walletId,
    creditAccountId: accountId,
    amountMinor: terms.amount_minor,
    code: 'RESERVE',
  };
  return { transfers: [transfer], writes: [write(insertReserves, row)] };
}
