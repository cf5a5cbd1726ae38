import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useList, useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Field } from '../components/field.tsx';
import { Select } from '../components/select.tsx';

const MAIN_WALLET = 'Main wallet';

function useStores() {
  const maySee = useMay()('store:read', useMode());
  return useList('/branch/store', { query: { size: 200 } }, { enabled: maySee }).data?.records ?? [];
}

/** To which wallet money goes. Stores alone; the API takes any wallet of the merchant. */
export function WalletField<Values extends FieldValues & { walletId: string }>({
  form,
}: {
  form: UseFormReturn<Values>;
}) {
  const options = useStores().map(({ walletId, name }) => ({ value: walletId, label: name }));
  if (options.length === 0) return null;
  return (
    <Field form={form} name={'walletId' as FieldPath<Values>} label="Wallet">
      {(control) => <Select {...control} options={[{ value: '', label: MAIN_WALLET }, ...options]} />}
    </Field>
  );
}

/** What wallets are called, as far as it is known here. */
export function useWalletNames(): (walletId: string) => string {
  const maySee = useMay()('wallet:read', useMode());
  const main = useRead('/wallet/merchant', {}, { enabled: maySee }).data?.wallet.id;
  const names = new Map(useStores().map(({ walletId, name }) => [walletId, name]));
  return (walletId) => names.get(walletId) ?? (walletId === main ? MAIN_WALLET : 'Another wallet');
}
