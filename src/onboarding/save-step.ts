import {
  changeMerchantDetails,
  changeMerchantStatus,
  createMerchant,
  enableService,
  lockMerchant,
  type NewMerchant,
  type ServiceKey,
} from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { openMerchantWallets, type WalletBank } from '../wallets/index.ts';
import { onboardingIncomplete, onboardingUnchanged } from './errors.ts';
import { upsertOnboarding } from './queries.ts';
import { factsOf, hasNews, noteReview, readReviewState, requireOpen, saving } from './review-state.ts';
import type { Changes } from './steps.ts';

/**
 * Keeps what was given of a step; what was left out stays. Before the first approval it is in force at once. What an
 * accepted merchant gives is kept beside the profile until the operator accepts it.
 * @throws AppError 404 `MERCHANT_NOT_FOUND`; 409 `ONBOARDING_WAITING`, `ONBOARDING_CLOSED`; 503 where it is not known
 *   whether it was saved.
 */
export async function saveStep(
  deps: { database: Database; clock: Clock },
  merchantId: string,
  saved: Changes,
): Promise<void> {
  await saving(deps.database, async (tx) => {
    const merchant = await lockMerchant(tx, merchantId);
    requireOpen(merchant);
    const state = await readReviewState(tx, merchant);
    const now = deps.clock.now();
    if (merchant.status === 'ACTIVE') {
      const changes: Changes = {
        merchant: differing({ ...state.changes.merchant, ...saved.merchant }, merchant),
        details: differing({ ...state.changes.details, ...saved.details }, state.details),
      };
      await tx.query(upsertOnboarding, [merchantId, state.details, changes, now]);
      return;
    }
    await changeMerchantDetails(tx, merchantId, saved.merchant);
    await tx.query(upsertOnboarding, [merchantId, { ...state.details, ...saved.details }, {}, now]);
    await noteReview(tx, await lockMerchant(tx, merchantId));
  });
}

/** What is in force already is no change, and what is put back is none any more. */
function differing<T extends object>(wanted: T, inForce: Partial<Record<keyof T, unknown>>): T {
  const entries = Object.entries(wanted).filter(([name, value]) => (inForce[name as keyof T] ?? '') !== value);
  return Object.fromEntries(entries) as T;
}

/**
 * Puts the details before the operator; they are locked until it has decided. An accepted merchant submits what it wants
 * changed, and goes on as it is meanwhile.
 * @param input.actor who submits, for the history.
 * @throws AppError 422 `ONBOARDING_INCOMPLETE` naming what is missing; 409 `ONBOARDING_WAITING` for a second submission,
 *   `ONBOARDING_CLOSED`, `ONBOARDING_UNCHANGED`.
 */
export async function submitOnboarding(
  deps: { database: Database; clock: Clock },
  input: { merchantId: string; actor: string },
): Promise<void> {
  await saving(deps.database, async (tx) => {
    const merchant = await lockMerchant(tx, input.merchantId);
    requireOpen(merchant);
    const state = await readReviewState(tx, merchant);
    if (state.steps.some(({ done }) => !done)) {
      throw onboardingIncomplete(state.steps.flatMap(({ problems }) => problems));
    }
    if (merchant.status === 'ACTIVE' && !hasNews(state)) throw onboardingUnchanged();
    const action = merchant.status === 'ACTIVE' ? 'submit-changes' : 'submit';
    const facts = factsOf(state);
    await changeMerchantStatus({ queries: tx, clock: deps.clock }, action, { ...input, facts });
  });
}

/** What a business can try at once; the operator switches on the rest. */
const FIRST_SERVICES: readonly ServiceKey[] = ['PAYOUT', 'BRANCH', 'CHILD_ACCOUNT'];

/**
 * A business as it signs up: `PENDING`, with wallets in both modes and the services to try the sandbox with. All of it
 * commits with the caller's transaction.
 * @throws AppError 400 naming the field that is wrong.
 */
export async function openMerchant(
  deps: { secrets: Secrets; clock: Clock; walletBank: WalletBank },
  tx: Tx,
  profile: NewMerchant,
): Promise<{ merchantId: string }> {
  const queries = { queries: tx, clock: deps.clock };
  const { merchantId } = await createMerchant({ ...queries, secrets: deps.secrets }, profile);
  const merchant = { id: merchantId, businessName: profile.businessName };
  await openMerchantWallets(tx, deps.walletBank, merchant, deps.clock.now());
  for (const service of FIRST_SERVICES) await enableService(queries, { merchantId, service });
  return { merchantId };
}
