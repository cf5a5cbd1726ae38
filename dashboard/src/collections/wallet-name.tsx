import { useRead } from '../api/reads.ts';
import { useSession } from '../api/session.ts';

export const MAIN_WALLET = 'Main wallet';

/** What a wallet is called: that of a store or subaccount as the business calls it, without its own name before it. */
export function WalletName({ walletId }: { walletId: string }) {
  const business = useSession().merchant?.businessName ?? '';
  const main = useRead('/wallet/merchant', {}).data?.wallet.id;
  const isOther = main !== undefined && main !== walletId;
  const path = { childWalletId: walletId };
  const other = useRead('/collection/settlement/wallet/{childWalletId}', { path }, { enabled: isOther }).data;
  if (main === undefined) return null;
  return isOther ? (withoutBusiness(other?.walletName, business) ?? 'A store or subaccount') : MAIN_WALLET;
}

function withoutBusiness(name: string | undefined, business: string): string | undefined {
  const before = `${business} / `;
  return name?.startsWith(before) === true ? name.slice(before.length) : name;
}
