import { hasPin } from '../access/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { listMerchantServices, type MerchantRow, requireMerchant, type ServiceKey } from '../merchants/index.ts';
import type { Database } from '../platform/db/database.ts';
import { createProblems, kindOf, type ProblemData } from '../platform/problem.ts';
import type { Tenant } from '../platform/tenant.ts';
import { readRailChoice } from '../rail-accounts/index.ts';
import { findDefaultWalletProvider, listWalletAccounts, type WalletDirectory } from '../wallets/index.ts';
import { listMerchantsToConnect } from './queries.ts';

/** Who can do something about it; `SERVICE`: it happens automatically. */
export const READINESS_PARTIES = ['MERCHANT', 'OPERATOR', 'SERVICE'] as const;

/** What may stand between a merchant and live money. */
const READINESS_PROBLEMS = {
  MERCHANT_NOT_APPROVED: kindOf(null, () => 'The business is not approved yet.'),
  MERCHANT_IN_REVIEW: kindOf(null, () => 'The business is being reviewed.'),
  MERCHANT_SUSPENDED: kindOf(null, () => 'The account is suspended. Please contact support.'),
  WALLET_PROVIDER_NOT_SET: kindOf(null, () => 'No provider of account numbers is connected in live mode yet.'),
  ACCOUNT_NUMBER_BEING_OPENED: kindOf(null, () => 'The account number of the wallet is being opened.'),
  ACCOUNT_NUMBER_REFUSED: kindOf<{ reason: string }>(
    null,
    ({ reason }) => `The provider did not open an account number: ${reason}.`,
  ),
  COLLECTION_NOT_ENABLED: kindOf(
    null,
    () => 'Payments in (the service COLLECTION) are not switched on for this business.',
  ),
  PAYOUT_NOT_ENABLED: kindOf(null, () => 'Payouts (the service PAYOUT) are not switched on for this business.'),
  RAIL_NOT_SET: kindOf(null, () => 'No bank or provider for payouts is connected in live mode yet.'),
  LIVE_PIN_NOT_SET: kindOf(null, () => 'No PIN is set for live payouts.'),
  WALLET_EMPTY: kindOf(null, () => 'The live wallet has no money yet.'),
};

type ReadinessCode = keyof typeof READINESS_PROBLEMS;

const WAITS_FOR: Record<ReadinessCode, (typeof READINESS_PARTIES)[number]> = {
  MERCHANT_NOT_APPROVED: 'MERCHANT',
  MERCHANT_IN_REVIEW: 'OPERATOR',
  MERCHANT_SUSPENDED: 'OPERATOR',
  WALLET_PROVIDER_NOT_SET: 'OPERATOR',
  ACCOUNT_NUMBER_BEING_OPENED: 'SERVICE',
  ACCOUNT_NUMBER_REFUSED: 'MERCHANT',
  COLLECTION_NOT_ENABLED: 'OPERATOR',
  PAYOUT_NOT_ENABLED: 'OPERATOR',
  RAIL_NOT_SET: 'OPERATOR',
  LIVE_PIN_NOT_SET: 'MERCHANT',
  WALLET_EMPTY: 'MERCHANT',
};

const { problem, shown } = createProblems(READINESS_PROBLEMS);

export const READINESS_CODES = Object.keys(READINESS_PROBLEMS) as readonly ReadinessCode[];

interface ReadinessProblem {
  code: ReadinessCode;
  message: string;
  waitsFor: (typeof READINESS_PARTIES)[number];
}

export interface LiveReadiness {
  /** Empty: a first payment can come in. */
  paymentIn: ReadinessProblem[];
  /** Empty: a first payout can be made. */
  payout: ReadinessProblem[];
}

export interface ReadinessDeps {
  database: Database;
  ledger: Pick<Ledger, 'readBalance'>;
  wallets: WalletDirectory;
}

/**
 * What a merchant's live account still lacks before its first payment in and its first payout, the first thing first.
 * @throws AppError `MERCHANT_NOT_FOUND`
 */
export async function readLiveReadiness(deps: ReadinessDeps, merchantId: string): Promise<LiveReadiness> {
  const tenant: Tenant = { merchantId, mode: 'LIVE' };
  const merchant = await requireMerchant(deps.database, merchantId);
  const ofState = lackOfState(merchant);
  const { wallet } = await deps.wallets.requireTenantAccounts(tenant);
  const [number, payout, services] = await Promise.all([
    lackOfNumber(deps, tenant, wallet.id),
    lacksOfPayout(deps, tenant, wallet.id),
    listMerchantServices(deps.database, merchantId),
  ]);
  const lackOfService = (key: ServiceKey, code: ReadinessCode) =>
    services.some((service) => service.key === key) ? [] : [problem(code, {})];
  // Until the business is approved its account number is not even asked for.
  const paymentIn = ofState.length > 0 && number?.code !== 'WALLET_PROVIDER_NOT_SET' ? [] : [number];
  return {
    paymentIn: viewsOf([...ofState, ...lackOfService('COLLECTION', 'COLLECTION_NOT_ENABLED'), ...paymentIn]),
    payout: viewsOf([...ofState, ...lackOfService('PAYOUT', 'PAYOUT_NOT_ENABLED'), ...payout]),
  };
}

function viewsOf(problems: readonly (ProblemData | undefined)[]): ReadinessProblem[] {
  return problems
    .filter((found) => found !== undefined)
    .map((found) => {
      const code = found.code as ReadinessCode;
      return { code, message: shown(found).message, waitsFor: WAITS_FOR[code] };
    });
}

function lackOfState({ status, submitted_at }: MerchantRow): ProblemData[] {
  if (status === 'ACTIVE') return [];
  if (status === 'SUSPENDED') return [problem('MERCHANT_SUSPENDED', {})];
  return [problem(submitted_at === null ? 'MERCHANT_NOT_APPROVED' : 'MERCHANT_IN_REVIEW', {})];
}

async function lackOfNumber(
  { database, wallets }: ReadinessDeps,
  tenant: Tenant,
  walletId: string,
): Promise<ProblemData | undefined> {
  const { merchantId, mode } = tenant;
  const [numbers, requests, [provider]] = await Promise.all([
    wallets.listOpenNumbers(tenant, [walletId]),
    database.query(listWalletAccounts, [merchantId, mode, walletId]),
    database.query(findDefaultWalletProvider, [mode]),
  ]);
  if (numbers.length > 0) return undefined;
  const [newest] = requests;
  if (newest?.status === 'FAILED') {
    return problem('ACCOUNT_NUMBER_REFUSED', { reason: newest.message ?? newest.reason ?? 'no reason' });
  }
  const isComing = newest !== undefined || provider !== undefined;
  return problem(isComing ? 'ACCOUNT_NUMBER_BEING_OPENED' : 'WALLET_PROVIDER_NOT_SET', {});
}

async function lacksOfPayout(
  { database, ledger }: ReadinessDeps,
  tenant: Tenant,
  walletId: string,
): Promise<ProblemData[]> {
  const [rails, isPinSet, { availableMinor }] = await Promise.all([
    readRailChoice({ database }, tenant),
    hasPin(database, tenant),
    ledger.readBalance(tenant, walletId),
  ]);
  const canPay = rails.first?.isActive === true || rails.second?.isActive === true;
  return [
    ...(canPay ? [] : [problem('RAIL_NOT_SET', {})]),
    ...(isPinSet ? [] : [problem('LIVE_PIN_NOT_SET', {})]),
    ...(availableMinor > 0n ? [] : [problem('WALLET_EMPTY', {})]),
  ];
}

/** More merchants than these are not looked at one by one. */
const MOST_LOOKED_AT = 20;

export interface WaitingMerchant {
  merchantId: string;
  businessName: string;
  /** What it waits for, each once. */
  problems: ReadinessProblem[];
}

/** The approved merchants, up to 20, whose live money waits for something that only the operator can do. */
export async function listWaitingMerchants(deps: ReadinessDeps): Promise<WaitingMerchant[]> {
  const found = await deps.database.query(listMerchantsToConnect, [MOST_LOOKED_AT]);
  const waiting = await Promise.all(
    found.map(async ({ id, business_name }) => {
      const { paymentIn, payout } = await readLiveReadiness(deps, id);
      const ofOperator = [...paymentIn, ...payout].filter(({ waitsFor }) => waitsFor === 'OPERATOR');
      const problems = [...new Map(ofOperator.map((lack) => [lack.code, lack])).values()];
      return { merchantId: id, businessName: business_name, problems };
    }),
  );
  return waiting.filter(({ problems }) => problems.length > 0);
}
