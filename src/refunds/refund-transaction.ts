import type { InboundPaymentRow } from '../collections/index.ts';
import type { MovementParts } from '../ledger/index.ts';
import { formatMoney } from '../money/index.ts';
import { tenantOf } from '../platform/tenant.ts';
import { firstCharacters } from '../platform/text.ts';
import { transactionParts } from '../transactions/index.ts';
import type { RefundDeps } from './deps.ts';
import type { RefundRow } from './queries.ts';

/**
 * The transaction of a refund that its provider has sent, with the refund's id: for the movement that ends it. A refund
 * by payout has the payout's transaction.
 */
export async function refundTransaction(
  deps: Pick<RefundDeps, 'wallets'>,
  refund: RefundRow,
  payment: InboundPaymentRow,
  at: Date,
): Promise<MovementParts> {
  const tenant = tenantOf(refund);
  const [{ providerFloat }, wallet] = await Promise.all([
    deps.wallets.requireTenantAccounts(tenant),
    deps.wallets.findWallet(tenant, refund.wallet_id),
  ]);
  if (wallet === undefined) throw new Error(`${refund.wallet_id} is no wallet`);
  const payer = payment.payer_name ?? 'Unknown payer';
  const to = {
    id: refund.receivable_id,
    bankCode: refund.bank_code ?? '',
    bankName: payment.payer_bank_name ?? '',
    accountName: refund.account_name ?? payer,
    accountNumber: refund.account_number ?? payment.payer_account_number ?? '',
  };
  return transactionParts({
    tenant,
    transactionId: refund.id,
    category: 'REFUND',
    amountMinor: refund.amount_minor,
    currency: refund.currency,
    narration: refund.note ?? firstCharacters(`Refund to ${payer}`, 100),
    description: `${formatMoney(refund.amount_minor, refund.currency)} went back to ${payer} from ${wallet.accountName}`,
    from: wallet,
    to,
    providerWalletId: providerFloat,
    walletId: wallet.id,
    at,
  });
}
