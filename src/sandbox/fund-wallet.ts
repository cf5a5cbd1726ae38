import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { isOurReference, type SandboxPayment, sandboxCredits } from '../rails/index.ts';
import { walletTransfer } from '../transactions/index.ts';
import { requireWallet, type WalletBank, type WalletDirectory } from '../wallets/index.ts';
import { accountNumberNotFound, fundingTooLarge, sandboxOnly, walletFull } from './errors.ts';
import { paymentView } from './views.ts';

/** A thousand million naira: more than a test needs, and far from where a JSON number loses kobo. */
const MAX_FUNDING_MINOR = 1_000_000_000_00n;
/** A wallet is not filled beyond this; it is checked without a lock, so a burst may pass it by some fundings. */
const MAX_BALANCE_MINOR = 1_000_000_000_000_00n;
/** No bank: the sandbox makes this money. */
const SOURCE = { accountName: 'Sandbox funding', accountNumber: '0000000000' };

export interface FundWalletDeps {
  ledger: Ledger;
  wallets: WalletDirectory;
  walletBank: WalletBank;
  clock: Clock;
}

interface FundWalletInput {
  tenant: Tenant;
  walletId: string;
  amountMinor: bigint;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Puts play money into any sandbox wallet of the merchant: its own, a store's or a subaccount's.
 * @throws AppError `SANDBOX_ONLY`, `WALLET_NOT_FOUND`, `SANDBOX_FUNDING_TOO_LARGE`, `SANDBOX_WALLET_FULL`
 */
export async function fundWallet(deps: FundWalletDeps, input: FundWalletInput): Promise<CommitResult> {
  const { tenant, amountMinor } = input;
  if (tenant.mode !== 'SANDBOX') throw sandboxOnly();
  if (amountMinor > MAX_FUNDING_MINOR) throw fundingTooLarge(MAX_FUNDING_MINOR, DEFAULT_CURRENCY);
  const wallet = await requireWallet(deps.wallets, tenant, input.walletId);
  const [{ providerFloat }, { bookedMinor }] = await Promise.all([
    deps.wallets.requireTenantAccounts(tenant),
    deps.ledger.readBalance(tenant, wallet.id),
  ]);
  if (bookedMinor + amountMinor > MAX_BALANCE_MINOR) throw walletFull(MAX_BALANCE_MINOR, DEFAULT_CURRENCY);
  const at = deps.clock.now();
  const { code: bankCode, name: bankName } = deps.walletBank;
  const from = { id: providerFloat, bankCode, bankName, ...SOURCE };
  const movement = walletTransfer(
    {
      tenant,
      category: 'WALLET_FUNDING',
      code: 'SANDBOX_FUNDING',
      amountMinor,
      currency: DEFAULT_CURRENCY,
      narration: 'Sandbox funding',
      description: `${formatMoney(amountMinor, DEFAULT_CURRENCY)} was put into ${wallet.accountName} by the sandbox`,
      from,
      to: wallet,
      providerWalletId: providerFloat,
      walletId: wallet.id,
      at,
      idempotency: input.idempotency,
    },
    'Wallet funded',
  );
  return deps.ledger.commit(movement);
}

export interface PayAccountDeps {
  ledger: Ledger;
  wallets: WalletDirectory;
  clock: Clock;
}

export interface PayAccountInput extends SandboxPayment {
  idempotency: IdempotencyKey | undefined;
}

/**
 * A simulated payer pays to an account number of one of the merchant's wallets, or on the page of a payment session. It moves no money here: the transfers stand
 * in the simulated bank's books from this commit on, and come to the wallet as money of any provider does, by its webhook,
 * a query and the list.
 * @param input.amountMinor of each transfer, kobo
 * @throws AppError `SANDBOX_ONLY`, `WALLET_NOT_FOUND`, `SANDBOX_FUNDING_TOO_LARGE`, `SANDBOX_WALLET_FULL`; `VALIDATION_FAILED`
 *   for a card that pays to a number
 */
export async function payAccount(deps: PayAccountDeps, input: PayAccountInput): Promise<CommitResult> {
  const { idempotency, ...payment } = input;
  const { tenant, amountMinor, times = 1 } = payment;
  if (tenant.mode !== 'SANDBOX') throw sandboxOnly();
  if (payment.channel === 'CARD' && !isOurReference(payment.accountNumber)) {
    throw invalidField('channel', 'must not be CARD, which is for the page of a payment session');
  }
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
