import { type ApiKeySummary, listApiKeys, type PinGuard } from '../../access/index.ts';
import { limitRowAt, listLimits } from '../../limits/index.ts';
import { listMerchantStatusChanges, readServiceStates, requireMerchant } from '../../merchants/index.ts';
import { readOnboarding } from '../../onboarding/index.ts';
import type { Mode, Tenant } from '../../platform/tenant.ts';
import { readRailChoice } from '../../rail-accounts/index.ts';
import type { OperatorDeps } from '../deps.ts';
import { listMerchantPeople } from '../staff/queries.ts';
import { limitInForceView, personView, profileView, registeredView, statusChangeView, walletView } from './views.ts';

const MODES: readonly Mode[] = ['SANDBOX', 'LIVE'];

/** Everything that the operator needs to decide about a merchant. @throws AppError `MERCHANT_NOT_FOUND`. */
export async function readMerchant(deps: OperatorDeps, merchantId: string) {
  const { database, clock, pinGuard } = deps;
  const merchant = await requireMerchant(database, merchantId);
  const [onboarding, services, history, limits, keys, people, pins, wallets, rails] = await Promise.all([
    readOnboarding(deps, merchantId),
    readServiceStates(database, merchantId),
    listMerchantStatusChanges(database, merchantId),
    listLimits(deps),
    listApiKeys({ queries: database, clock }, merchantId),
    database.query(listMerchantPeople, [merchantId]),
    Promise.all(MODES.map((mode) => readPinState(pinGuard, { merchantId, mode }))),
    Promise.all(MODES.map((mode) => readWallet(deps, merchantId, mode))),
    Promise.all(MODES.map((mode) => readRailChoice(deps, { merchantId, mode }))),
  ]);
  const now = clock.now();
  return {
    ...registeredView(merchant),
    profile: profileView(merchant),
    onboarding,
    services: services.map(({ key, name, description, enabled }) => ({ key, name, description, enabled })),
    history: history.map(statusChangeView),
    wallets,
    limits: MODES.map((mode) => limitInForceView(mode, limitRowAt(limits, { merchantId, mode }, now))),
    rails,
    keys: MODES.map((mode) => countKeys(keys, mode)),
    people: people.map(personView),
    pins,
  };
}

async function readPinState(pinGuard: PinGuard, tenant: Tenant) {
  const pin = await pinGuard.readPin(tenant);
  return { mode: tenant.mode, isSet: pin !== undefined, lockedUntil: pin?.lockedUntil?.toISOString() ?? null };
}

async function readWallet({ wallets, ledger }: OperatorDeps, merchantId: string, mode: Mode) {
  const tenant = { merchantId, mode };
  const { wallet } = await wallets.requireTenantAccounts(tenant);
  return walletView(mode, wallet, await ledger.readWalletTotal(tenant, wallet.id));
}

function countKeys(keys: readonly ApiKeySummary[], mode: Mode) {
  const active = keys.filter((key) => key.mode === mode && key.state === 'ACTIVE');
  return { mode, active: active.length, rotationDue: active.filter(({ rotationDue }) => rotationDue).length };
}
