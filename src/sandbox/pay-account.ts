import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { type SandboxPayment, sandboxCredits } from '../rails/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import { accountNumberNotFound, fundingTooLarge, sandboxOnly, walletFull } from './errors.ts';
import { MAX_BALANCE_MINOR, MAX_FUNDING_MINOR } from './fund-wallet.ts';
import { paymentView } from './views.ts';

export interface PayAccountDeps {
  ledger: Ledger;
  wallets: WalletDirectory;
  clock: Clock;
}

export interface PayAccountInput extends SandboxPayment {
  idempotency: IdempotencyKey | undefined;
}

/**
 * A simulated payer pays to an account number of one of the merchant's wallets. It moves no money here: the transfers stand
 * in the simulated bank's books from this commit on, and come to the wallet as money of any provider does, by its webhook,
 * a query and the list.
 * @param input.amountMinor of each transfer, kobo
 * @throws AppError `SANDBOX_ONLY`, `WALLET_NOT_FOUND`, `SANDBOX_FUNDING_TOO_LARGE`, `SANDBOX_WALLET_FULL`
 */
export async function payAccount(deps: PayAccountDeps, input: PayAccountInput): Promise<CommitResult> {
  const { idempotency, ...payment } = input;
  const { tenant, amountMinor, times = 1 } = payment;
  if (tenant.mode !== 'SANDBOX') throw sandboxOnly();
  if (amountMinor > MAX_FUNDING_MINOR) throw fundingTooLarge(MAX_FUNDING_MINOR, DEFAULT_CURRENCY);
  const wallet = await deps.wallets.findWalletByNumber(tenant, payment.accountNumber);
  if (wallet === undefined) throw accountNumberNotFound();
  const { bookedMinor } = await deps.ledger.readBalance(tenant, wallet.id);
  if (bookedMinor + amountMinor * BigInt(times) > MAX_BALANCE_MINOR) {
    throw walletFull(MAX_BALANCE_MINOR, DEFAULT_CURRENCY);
  }
  const now = deps.clock.now();
  const { rows, writes } = sandboxCredits(payment, now);
  const id = newId();
  return deps.ledger.commit({
    tenant,
    id,
    occurredAt: now.toISOString(),
    idempotency,
    writes,
    events: [{ id: newId(), type: 'sandbox.account_paid', subjectId: id, data: jsonOf(paymentView(rows)) }],
    answer: { message: 'Paid at the sandbox bank' },
  });
}
