import { type AccountHolder, createRailCaller, type Rail, type WalletCaller } from '../../src/rails/index.ts';
import type { OpenOneTimeRequest, OpenPageRequest } from '../../src/rails/wallet-provider.ts';
import { newAccountReference, type WalletHarness } from './wallet-harness.ts';

/** Whom the accounts of tests are for. */
export const HOLDER: AccountHolder & { bvn: string } = {
  name: 'Adaeze Obi',
  email: 'ada@shop.example',
  phoneNumber: '2348012345678',
  bvn: '22222222221',
  nin: null,
};

/** The breaker has its own tests: here answers are bad on purpose. */
export function walletCallerOf(rail: Rail): WalletCaller {
  const { wallets } = createRailCaller(rail, { limits: { breakerCalls: 1_000 } });
  if (wallets === undefined) throw new Error('the rail of a wallet harness has `wallets`');
  return wallets;
}

/** The caller of a harness, and what tests do with it. */
export function walletsOf(harness: WalletHarness) {
  const wallets = walletCallerOf(harness.rail);
  const open = (reference: string, from: WalletCaller = wallets) =>
    from.openAccount({ tenant: harness.tenant, reference, holder: HOLDER, preferredBank: null });
  return {
    wallets,
    open,
    async opened(reference = newAccountReference()) {
      const answer = await open(reference);
      const [account] = answer.outcome === 'opened' ? answer.accounts : [];
      if (answer.outcome !== 'opened' || account === undefined) throw new Error(`not opened: ${answer.message}`);
      return { reference, account, accounts: answer.accounts, providerAccountId: answer.providerAccountId };
    },
  };
}

const HOUR_MS = 3_600_000;

/** The caller of a harness with payments, and what tests do with it. */
export function paymentsOf(harness: WalletHarness) {
  const wallets = walletCallerOf(harness.rail);
  const { payments } = harness;
  if (payments === undefined) throw new Error('the harness of a provider with payments has `payments`');
  const request = () => ({
    tenant: harness.tenant,
    reference: newAccountReference(),
    payer: { name: HOLDER.name, email: HOLDER.email, phoneNumber: HOLDER.phoneNumber },
    amountMinor: 12_345n,
    description: 'Two loaves of bread',
  });
  const openAccount = (changes: Partial<OpenOneTimeRequest> = {}, from: WalletCaller = wallets) =>
    from.openOneTimeAccount({ ...request(), expiresAt: new Date(Date.now() + HOUR_MS), ...changes });
  const openPage = (changes: Partial<OpenPageRequest> = {}, from: WalletCaller = wallets) => {
    const channels = wallets.capabilities.hostedPage?.channels ?? [];
    return from.openPage({ ...request(), channels, returnUrl: 'https://shop.example/paid?order=7', ...changes });
  };
  const openedAccount = async (changes: Partial<OpenOneTimeRequest> = {}) => {
    const reference = newAccountReference();
    const answer = await openAccount({ reference, ...changes });
    const [account] = answer.outcome === 'opened' ? answer.accounts : [];
    if (answer.outcome !== 'opened' || account === undefined) throw new Error(`not opened: ${answer.message}`);
    return { reference, answer, account };
  };
  const openedPage = async (changes: Partial<OpenPageRequest> = {}) => {
    const reference = newAccountReference();
    const answer = await openPage({ reference, ...changes });
    if (answer.outcome !== 'opened') throw new Error(`not opened: ${answer.message}`);
    return { reference, answer };
  };
  const askedFor = (ourReference: string) =>
    wallets.queryCredit({ providerTransactionId: null, providerReference: null, sessionId: null, ourReference });
  return { wallets, payments, openAccount, openPage, openedAccount, openedPage, askedFor };
}
