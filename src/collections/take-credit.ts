import { CREDIT_ABOVE_TIER } from '../limits/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';
import { newId, uuidOfHex } from '../platform/ids.ts';
import { takeEach } from '../platform/take-each.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import {
  type ConfirmedCredit,
  type CreditAnswer,
  type CreditHint,
  isOurReference,
  type ProviderWebhookRequest,
  type RailCaller,
  type WalletCaller,
} from '../rails/index.ts';
import { creditMovement, isOfMode, readCreditTerms, statusOf } from './credit-movement.ts';
import type { CollectionDeps, CreditEffect, CreditHook } from './deps.ts';
import type { NotedCredit } from './directory-queries.ts';
import { creditTaken, sessionIdTaken } from './errors.ts';
import { creditKeyOf, endOpenCredit, keepOpenCredit, REVERSED, type RetriedCredit } from './open-credits.ts';
import type { CreditSource } from './queries.ts';

/** A provider account in its role as a wallet provider. */
export interface CreditRail {
  name: string;
  mode: Mode;
  /** Owner of its receivable accounts; null: the sandbox's own bank, where the owner is each merchant. */
  providerAccountId: string | null;
  wallets: WalletCaller;
}

/** The provider account, where wallets have account numbers there. */
function creditRailOf(rail: RailCaller, mode: Mode, providerAccountId: string | null): CreditRail | undefined {
  return rail.wallets && { name: rail.name, mode, providerAccountId, wallets: rail.wallets };
}

/**
 * `PENDING`: it is the merchant's, and waits for its settlement. `HELD`: in suspense. `OPEN`: kept to be asked about
 * again. `TO_DECIDE`: confirmed, and people have to decide whose it is or what is wrong with it. `FAILED`: the provider
 * says that the money never came.
 */
export type TakenCredit = 'CREDITED' | 'PENDING' | 'HELD' | 'ALREADY_TAKEN' | 'OPEN' | 'TO_DECIDE' | 'FAILED';

/** Whether a credit was booked just now. */
export const isBookedNow = (taken: TakenCredit | undefined): taken is 'CREDITED' | 'PENDING' | 'HELD' =>
  taken === 'CREDITED' || taken === 'PENDING' || taken === 'HELD';

/**
 * The only way of money in: somebody reports that money arrived, the provider is asked, and what it confirms is booked,
 * once. Nothing in the hint is believed except which transfer to ask about. Where nobody reported one and it is asked
 * for by our reference alone, nothing is kept unless the provider has one.
 * @param retried what is known of it where it is kept and due
 */
export async function takeCredit(
  deps: CollectionDeps,
  rail: CreditRail,
  hint: CreditHint,
  { source, retried }: { source: CreditSource; retried?: RetriedCredit },
): Promise<TakenCredit> {
  if (hint.isReversal !== true && (await isBookedAs(deps, rail, hint))) return 'ALREADY_TAKEN';
  const answer = await rail.wallets.queryCredit(hint);
  const isReported = creditKeyOf(hint) !== undefined;
  if (!isReported && !('credit' in answer)) return answer.outcome === 'failed' ? 'FAILED' : 'OPEN';
  const about = isReported || !('credit' in answer) ? hint : { ...hint, ...namesOf(answer.credit) };
  const keep = { rail: rail.name, mode: rail.mode, hint: about, source, code: answer.code, retried };
  if (answer.outcome === 'failed') {
    await keepOpenCredit(deps, { ...keep, status: 'FAILED', reason: answer.reason });
    return 'FAILED';
  }
  if (answer.outcome !== 'confirmed' && answer.outcome !== 'reversed') {
    const { status } = await keepOpenCredit(deps, { ...keep, status: 'WAITING', reason: answer.reason });
    return status === 'WAITING' ? 'OPEN' : 'TO_DECIDE';
  }
  const { credit } = answer;
  const contradiction = answer.outcome === 'reversed' ? REVERSED : contradictionOf(rail, hint, credit);
  if (contradiction !== undefined) {
    await contradicted(deps, rail, { ...keep, confirmed: credit }, contradiction);
    return 'TO_DECIDE';
  }
  const taken = await noteAndBook(deps, rail, { credit, answer, source });
  if (taken === 'NO_OWNER') {
    await keepOpenCredit(deps, { ...keep, confirmed: credit, status: 'NO_OWNER', reason: 'ACCOUNT_NUMBER_UNKNOWN' });
    return 'TO_DECIDE';
  }
  if (taken === 'SESSION_ID_TAKEN' || taken === 'AMOUNT_CHANGED') {
    await contradicted(deps, rail, { ...keep, confirmed: credit }, taken);
    return 'TO_DECIDE';
  }
  await endOpenCredit(deps, rail.name, [about, credit]);
  return taken;
}

const namesOf = ({ providerTransactionId, providerReference, sessionId }: ConfirmedCredit) => ({
  providerTransactionId,
  providerReference,
  sessionId,
});

/**
 * Whether a hint is a copy of a booked credit, which needs no question: most of a provider's webhooks come more than
 * once. Where it reports another amount, the provider is asked: some add up under one id what is paid later.
 */
export async function isBookedAs(deps: CollectionDeps, rail: CreditRail, hint: CreditHint): Promise<boolean> {
  const { providerTransactionId, sessionId, amountMinor } = hint;
  if (providerTransactionId === null) return false;
  const key = { rail: rail.name, provider_transaction_id: providerTransactionId, session_id: sessionId };
  const noted = await deps.credits.findNoted(key);
  if (noted?.is_same_transaction !== true || !noted.is_posted) return false;
  return amountMinor === null || noted.amount_minor === null || noted.amount_minor === amountMinor;
}

/** Why a confirmed credit cannot be booked as it is; undefined where it can. */
function contradictionOf(rail: CreditRail, hint: CreditHint, credit: ConfirmedCredit): string | undefined {
  if (credit.currency !== DEFAULT_CURRENCY) return 'CURRENCY_NOT_SUPPORTED';
  if (credit.amountMinor <= 0n) return 'AMOUNT_NOT_POSITIVE';
  if (!isOfMode(credit, rail.mode)) return 'MODE_MISMATCH';
  const asked = hint.providerTransactionId;
  return asked !== null && asked !== credit.providerTransactionId ? 'OTHER_TRANSACTION' : undefined;
}

type Kept = Omit<Parameters<typeof keepOpenCredit>[1], 'status' | 'reason'>;

async function contradicted(deps: CollectionDeps, rail: CreditRail, kept: Kept, reason: string): Promise<void> {
  const { isNew } = await keepOpenCredit(deps, { ...kept, status: 'CONTRADICTED', reason });
  if (!isNew) return;
  deps.logger.error(
    { rail: rail.name, mode: rail.mode, reason, providerTransactionId: kept.confirmed?.providerTransactionId },
    'a confirmed credit cannot be booked as it is',
  );
  deps.onAlarm?.({ alarm: `CREDIT_${reason}`, mode: rail.mode, rail: rail.name });
}

interface Booked {
  credit: ConfirmedCredit;
  answer: CreditAnswer;
  source: CreditSource;
}

type Posted = 'CREDITED' | 'PENDING' | 'HELD' | 'ALREADY_TAKEN' | 'SESSION_ID_TAKEN';

/** Notes whose credit it is, then books it. After a crash between the two, nothing is booked for anybody else. */
async function noteAndBook(
  deps: CollectionDeps,
  rail: CreditRail,
  booked: Booked,
): Promise<Posted | 'NO_OWNER' | 'AMOUNT_CHANGED'> {
  const { credit } = booked;
  const at = deps.clock.now();
  const noted = await deps.credits.note({
    rail: rail.name,
    mode: rail.mode,
    provider_transaction_id: credit.providerTransactionId,
    session_id: credit.sessionId,
    account_number: credit.accountNumber,
    virtual_account_id: idOfReference(credit.accountReference),
    payment_id: newId(),
    paid_at: credit.paidAt,
    noted_at: at,
  });
  if (noted === undefined) return 'NO_OWNER';
  if (!noted.is_same_transaction) return 'SESSION_ID_TAKEN';
  if (noted.is_posted) {
    const isSame = noted.amount_minor === null || noted.amount_minor === credit.amountMinor;
    return isSame ? 'ALREADY_TAKEN' : 'AMOUNT_CHANGED';
  }
  return bookNoted(deps, rail, { ...booked, owned: ownedOf(noted), at });
}

async function bookNoted(
  deps: CollectionDeps,
  rail: CreditRail,
  { credit, answer, source, owned, at }: Booked & { owned: OwnedCredit; at: Date },
): Promise<Posted> {
  const { tenant, paymentId, virtualAccountId, accountNumber, customerId } = owned;
  const accounts = await accountsOf(deps, rail, owned);
  const isSuspended = await deps.isSuspended(tenant.merchantId);
  const { amountMinor, channel = null } = credit;
  const availability = await deps.availability({ tenant, channel, at });
  const pendingId = availability === 'ON_SETTLEMENT' ? await deps.collectionAccounts.pending(tenant) : null;
  const terms = await readCreditTerms(deps, { tenant, amountMinor, channel, at });
  const known = { tenant, paymentId, virtualAccountId, ...accounts, ...terms, pendingId };
  const facts = { ...known, credit: { ...credit, accountNumber }, rail: rail.name, answer, source, at };
  let refused: AppError | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const verdict = await deps.guardCredit(tenant, { paymentId, credit, accountNumber, at }, refused);
    const ours = isSuspended ? 'MERCHANT_SUSPENDED' : whyClosed(owned, credit, at);
    const held = verdict?.heldBy ?? ours ?? null;
    const status = statusOf({ heldBy: held, pendingId });
    const effect = await effectOf(deps, owned, { amountMinor, status, at });
    try {
      const heldBy = held ?? effect?.heldBy ?? null;
      const payer = { customerId: customerId ?? effect?.customerId ?? null };
      await deps.ledger.commit(creditMovement({ ...facts, ...payer, heldBy, verdict, effect }));
      effect?.committed?.();
      if (heldBy !== null) return 'HELD';
      return pendingId === null ? 'CREDITED' : 'PENDING';
    } catch (error) {
      if (error instanceof AppError && error.code === creditTaken().code) return 'ALREADY_TAKEN';
      if (error instanceof AppError && error.code === sessionIdTaken().code) return 'SESSION_ID_TAKEN';
      // The merchant's tier does not allow it: then it is held.
      if (error instanceof AppError && error.code === CREDIT_ABOVE_TIER && refused === undefined) {
        refused = error;
        continue;
      }
      // What the payment is for has changed meanwhile, for example by another payment: the hook is asked again.
      const mayAskAgain = effect !== undefined && error instanceof AppError && error.kind === 'conflict';
      if (!mayAskAgain || attempt === MAX_EFFECT_ATTEMPTS) throw error;
    } finally {
      effect?.settled?.();
    }
  }
}

/**
 * Money that was paid to an account after it was closed waits until people have decided; what was paid before is
 * credited, however late it is reported. Where the provider does not say when it was paid, the time of the report
 * counts.
 */
function whyClosed({ closedAt }: OwnedCredit, { paidAt }: ConfirmedCredit, at: Date): string | undefined {
  return closedAt !== null && (paidAt ?? at) >= closedAt ? 'ACCOUNT_CLOSED' : undefined;
}

/** Attempts of payments for one thing at once, of which each makes the others ask again. */
const MAX_EFFECT_ATTEMPTS = 100;

async function effectOf(
  deps: CollectionDeps,
  { tenant, virtualAccountId: accountId, paymentId }: OwnedCredit,
  credit: Pick<Parameters<CreditHook>[1], 'amountMinor' | 'status' | 'at'>,
): Promise<CreditEffect | undefined> {
  if (accountId === null) return undefined;
  for (const hook of deps.creditHooks) {
    const effect = await hook(tenant, { accountId, paymentId, ...credit });
    if (effect !== undefined) return effect;
  }
  return undefined;
}

/** The account with our reference; null where it is none of ours. */
function idOfReference(reference = ''): string | null {
  return isOurReference(reference) ? uuidOfHex(reference) : null;
}

interface OwnedCredit {
  tenant: Tenant;
  paymentId: string;
  walletId: string;
  virtualAccountId: string | null;
  accountNumber: string;
  customerId: string | null;
  /** When the account was closed. */
  closedAt: Date | null;
}

/** A credit without an owner went back to its payer, and is never booked. */
function ownedOf(noted: NotedCredit): OwnedCredit {
  const { merchant_id: merchantId, mode, payment_id: paymentId, wallet_id: walletId, account_number } = noted;
  const { virtual_account_id: virtualAccountId, customer_id: customerId, closed_at: closedAt } = noted;
  if (merchantId === null || paymentId === null || walletId === null || account_number === null) {
    throw new Error('a credit that went back is to be booked');
  }
  const tenant: Tenant = { merchantId, mode };
  return { tenant, paymentId, walletId, virtualAccountId, accountNumber: account_number, customerId, closedAt };
}

async function accountsOf(deps: CollectionDeps, rail: CreditRail, { tenant, walletId }: OwnedCredit) {
  const [wallet, accounts, receivableId] = await Promise.all([
    deps.wallets.findWallet(tenant, walletId),
    deps.wallets.requireTenantAccounts(tenant),
    deps.collectionAccounts.receivable(tenant, rail.providerAccountId ?? tenant.merchantId),
  ]);
  if (wallet === undefined) throw new Error(`${walletId} is no wallet`);
  return { wallet, accounts, receivableId };
}

/** A provider account in its role as a wallet provider; undefined where it has no such role, or cannot be opened. */
export async function findCreditRail(rails: RailDirectory, mode: Mode, name: string): Promise<CreditRail | undefined> {
  const rail = await rails.findRail(mode, name);
  if (rail === undefined) return undefined;
  return creditRailOf(rail, mode, await rails.accountId(mode, name));
}

/** The wallet providers of a mode that are enabled, also where payouts go by another rail. */
export async function listCreditRails(rails: RailDirectory, mode: Mode): Promise<CreditRail[]> {
  const named = (await rails.listNamed()).filter((rail) => rail.mode === mode);
  const found = await Promise.all(named.map(({ name }) => findCreditRail(rails, mode, name)));
  return found.filter((rail) => rail !== undefined);
}

/**
 * Takes every credit that a provider's webhook reports. Copies, and any order of them, change nothing.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`; `SERVICE_UNAVAILABLE` when not all
 *   of it could be kept, so that the provider sends it again.
 */
export async function takeCreditWebhook(
  deps: CollectionDeps,
  rail: CreditRail,
  request: ProviderWebhookRequest,
): Promise<TakenCredit[]> {
  const hints = await rail.wallets.readCreditWebhook(request);
  return takeEach(hints, (hint) => takeCredit(deps, rail, hint, { source: 'WEBHOOK' }), {
    logger: deps.logger,
    message: 'a credit could not be taken',
    about: { rail: rail.name, mode: rail.mode },
    answer: 'Not every credit could be kept. Please send them again.',
  });
}
