import { KEY_ROTATION_DUE_MS, type Principal } from '../access/index.ts';
import { countToDecide } from '../approvals/index.ts';
import { type LiveReadiness, type ReadinessDeps, readLiveReadiness, readOnboarding } from '../onboarding/index.ts';
import { type Clock, DAY_MS } from '../platform/clock.ts';
import { firstIdOf } from '../platform/ids.ts';
import { countNeeds, findSetUp, type NeedsRow } from './queries.ts';

/** What failed before has been seen, or is found in the lists. */
const PAYOUTS_COUNT_MS = 7 * DAY_MS;
const BATCHES_COUNT_MS = 30 * DAY_MS;

export interface HomeDeps extends ReadinessDeps {
  clock: Clock;
}

export type StepKey = 'PROFILE' | 'REVIEW' | 'ADD_MONEY' | 'PIN' | 'PEOPLE' | 'FIRST_PAYOUT';

export interface SetUpStep {
  key: StepKey;
  done: boolean;
  /** What stands in its way, the first thing first, and who can do something about it. */
  problems: { code: string; message: string; waitsFor: string }[];
}

export interface Home {
  needs: NeedsRow | null;
  /** Approvals that wait for this person; null where this person decides about nothing. */
  approvals: number | null;
  /** Since when payouts and batches are counted. */
  since: Date;
  /** From the sign-up to the first live payout; null once all is done, and for a person who cannot do it. */
  setUp: { steps: SetUpStep[]; submittedAt: string | null; rejectedReason: string | null } | null;
}

/**
 * What needs somebody of a merchant in one mode, and how far it is on its way to its first live payout.
 * @throws AppError `MERCHANT_NOT_FOUND`
 */
export async function readHome(deps: HomeDeps, principal: Principal): Promise<Home> {
  const { tenant, member } = principal;
  const now = deps.clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const since = ago(PAYOUTS_COUNT_MS);
  const [[needs], approvals, setUp] = await Promise.all([
    deps.database.query(countNeeds, [
      tenant.merchantId,
      tenant.mode,
      since,
      firstIdOf(ago(BATCHES_COUNT_MS)),
      ago(KEY_ROTATION_DUE_MS),
      now,
    ]),
    member?.permissions.has('approval:decide') === true ? countToDecide(deps, principal) : null,
    member?.permissions.has('profile:manage') === true ? readSetUp(deps, tenant.merchantId) : null,
  ]);
  return { needs: needs ?? null, approvals, since, setUp };
}

async function readSetUp(deps: HomeDeps, merchantId: string): Promise<Home['setUp']> {
  const [onboarding, readiness, [found]] = await Promise.all([
    readOnboarding(deps, merchantId),
    readLiveReadiness(deps, merchantId),
    deps.database.query(findSetUp, [merchantId]),
  ]);
  const { status, submittedAt, rejectedReason, steps: profile } = onboarding;
  const isApproved = status === 'ACTIVE';
  const has = (codes: readonly string[]) => lacksOf(readiness, codes);
  const isFilledIn = isApproved || profile.every(({ done }) => done);
  const stepOf = (key: StepKey, done: boolean, problems: SetUpStep['problems'] = []): SetUpStep => ({
    key,
    done,
    problems: done ? [] : problems,
  });
  const moneyIn = has([
    'COLLECTION_NOT_ENABLED',
    'WALLET_PROVIDER_NOT_SET',
    'ACCOUNT_NUMBER_BEING_OPENED',
    'ACCOUNT_NUMBER_REFUSED',
  ]);
  const payout = has(['PAYOUT_NOT_ENABLED', 'RAIL_NOT_SET']);
  const hasPaid = found?.has_paid === true;
  const steps = [
    stepOf('PROFILE', isFilledIn && (isApproved || submittedAt !== null)),
    stepOf('REVIEW', isApproved),
    // Money that came and went again was there.
    stepOf('ADD_MONEY', hasPaid || (isApproved && has(['WALLET_EMPTY']).length === 0), moneyIn),
    stepOf('PIN', isApproved && has(['LIVE_PIN_NOT_SET']).length === 0),
    stepOf('PEOPLE', (found?.people ?? 0) > 1),
    stepOf('FIRST_PAYOUT', hasPaid, payout),
  ];
  return steps.every(({ done }) => done) ? null : { steps, submittedAt, rejectedReason };
}

/** Of both ways, each once. */
function lacksOf({ paymentIn, payout }: LiveReadiness, codes: readonly string[]): LiveReadiness['payout'] {
  const all = new Map([...paymentIn, ...payout].map((lack) => [lack.code as string, lack]));
  return codes.flatMap((code) => all.get(code) ?? []);
}
