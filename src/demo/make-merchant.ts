import { issueApiKey, storePin } from '../access/index.ts';
import {
  approveMerchant,
  createMerchant,
  DEMO_ACTOR,
  enableServices,
  type NewMerchant,
  SERVICE_KEYS,
  setRefundsEnabled,
} from '../merchants/index.ts';
import { createPerson } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { openMerchantWallets, type WalletBank } from '../wallets/index.ts';

export interface MakeMerchantDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  walletBank: WalletBank;
}

export interface MadeMerchant {
  merchantId: string;
  secretKey: string;
  publicKey: string;
}

/** Signs in to the dashboard, and has the keys. */
interface Owner {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

/** A merchant with wallets in both modes, and keys and a PIN for one: what the admin commands do one by one, for demos and tests. */
export async function makeMerchant(
  deps: MakeMerchantDeps,
  input: { profile: NewMerchant; approved: boolean; pin?: string; mode?: Mode; owner?: Owner },
): Promise<MadeMerchant> {
  const { database, clock } = deps;
  const openedAt = clock.now();
  const { merchantId } = await database.transaction(async (tx) => {
    const made = await createMerchant({ queries: tx, secrets: deps.secrets, clock }, input.profile);
    const merchant = { id: made.merchantId, businessName: input.profile.businessName };
    await openMerchantWallets(tx, deps.walletBank, merchant, openedAt);
    return made;
  });
  await enableServices({ queries: database, clock }, { merchantId, services: SERVICE_KEYS });
  await setRefundsEnabled({ queries: database }, { merchantId, isEnabled: true });
  if (input.approved) await approveMerchant({ queries: database, clock }, { merchantId, actor: DEMO_ACTOR });
  const mode = input.mode ?? 'SANDBOX';
  if (input.pin !== undefined) await storePin(deps, { merchantId, mode }, input.pin);
  const createdBy = input.owner === undefined ? undefined : await makeOwner(deps, merchantId, input.owner);
  const secret = await issueApiKey(deps, { merchantId, mode, kind: 'SECRET', createdBy });
  const publishable = await issueApiKey(deps, { merchantId, mode, kind: 'PUBLIC', createdBy });
  return { merchantId, secretKey: secret.key, publicKey: publishable.key };
}

async function makeOwner(deps: MakeMerchantDeps, merchantId: string, owner: Owner) {
  const { personId } = await createPerson(deps, { ...owner, kind: 'MEMBER', merchantId, role: 'OWNER' });
  return { personId, name: `${owner.firstName} ${owner.lastName}` };
}
