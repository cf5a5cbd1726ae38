import { createRailCaller, type Rail, type WalletCaller } from '../../src/rails/index.ts';
import { newAccountReference, type WalletHarness } from './wallet-harness.ts';

/** Whom the accounts of tests are for. */
export const HOLDER = {
  name: 'Adaeze Obi',
  email: 'ada@shop.example',
  phoneNumber: '2348012345678',
  bvn: '22222222221',
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
