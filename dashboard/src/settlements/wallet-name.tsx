import { useRead } from '../api/reads.ts';

/** Of which wallet a settlement was made. */
export function WalletName({ walletId }: { walletId: string }) {
  const main = useRead('/wallet/merchant', {}).data?.wallet.id;
  const isOther = main !== undefined && main !== walletId;
  const path = { childWalletId: walletId };
  const other = useRead('/collection/settlement/wallet/{childWalletId}', { path }, { enabled: isOther }).data;
  if (main === undefined) return null;
  return isOther ? (other?.walletName ?? 'A store or subaccount') : 'Main wallet';
}
