import { setQuestion } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { lockedCheck, type Movement } from './movement.ts';

/**
 * Of these, the merchants who would have more than they may: in all wallets, with what will reach them after its
 * settlement or out of the reserve.
 */
const findTotalsAbove = setQuestion<
  { merchant_id: string; mode: string; added_minor: bigint; limit_minor: bigint },
  { place: number }
>(
  'find-wallet-totals-above',
  { merchant_id: 'uuid', mode: 'text', added_minor: 'bigint', limit_minor: 'bigint' },
  `select rows.place::int as place
     from :rows
    cross join lateral (
      select coalesce(sum(a.credits_posted_minor - a.debits_posted_minor), 0) as total_minor
        from accounts a
       where a.merchant_id = rows.merchant_id and a.mode = rows.mode
         and a.kind in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET', 'PENDING_COLLECTIONS', 'RESERVE')
    ) s
    where s.total_minor + rows.added_minor > rows.limit_minor`,
);

/**
 * A check for a movement that adds an amount to a wallet, or to what will reach one. Where the sum would then be above
 * the limit, the movement is refused with `above`. Amounts are minor units; the sum is read under the lock of the
 * books. So two movements never pass on the same sum.
 */
export function walletsTotalCheck(
  { merchantId, mode }: Tenant,
  { addedMinor, limitMinor, above }: { addedMinor: bigint; limitMinor: bigint; above: () => AppError },
): Pick<Movement, 'checks' | 'changes'> {
  const name = `wallets/${merchantId}/${mode}`;
  const check = lockedCheck({
    question: findTotalsAbove,
    rows: [{ merchant_id: merchantId, mode, added_minor: addedMinor, limit_minor: limitMinor }],
    about: [name],
    refusal: (found) => (found.length > 0 ? above() : undefined),
  });
  return { checks: [check], changes: [name] };
}
