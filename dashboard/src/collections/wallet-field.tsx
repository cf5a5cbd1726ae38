import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { RecordOf } from '../api/types.ts';
import { Combobox, type Option } from '../components/combobox.tsx';
import { ControlledField } from '../components/controlled-field.tsx';
import { usePause } from '../components/use-pause.ts';
import { MAIN_WALLET } from './wallet-name.tsx';

/** So many are read at once, and found in the page; where there are more, the service looks for them. */
const READ_AT_ONCE = 200;
const MOST_SHOWN = 60;
/** As the service takes it. */
const MOST_CHARACTERS = 80;

const MAIN: Option = { value: '', label: MAIN_WALLET };

/** To which wallet money goes. Stores alone; the API takes any wallet of the merchant. */
export function WalletField<Values extends FieldValues & { walletId: string }>({
  form,
}: {
  form: UseFormReturn<Values>;
}) {
  const name = 'walletId' as FieldPath<Values>;
  const { stores, search } = useStores();
  const [chosen, setChosen] = useState(MAIN);
  if (stores === undefined) return null;
  const options = search?.isTyped === true ? stores : [MAIN, ...stores];
  return (
    <ControlledField form={form} name={name} label="Wallet">
      {({ onChange, ...control }) => (
        <Combobox
          {...control}
          options={options}
          placeholder="Type the name of a store"
          nothing="No store has this in its name."
          onChange={(walletId) => {
            setChosen(options.find(({ value }) => value === walletId) ?? MAIN);
            onChange(walletId as FieldPathValue<Values, typeof name>);
          }}
          {...(search !== undefined && { chosen, onType: search.type, isSearching: search.isSearching })}
        />
      )}
    </ControlledField>
  );
}

/** The stores to choose from, undefined where there are none, and `search` where they are more than are read at once. */
function useStores() {
  const maySee = useMay()('store:read', useMode());
  const [typed, setTyped] = useState('');
  const paused = usePause(typed);
  const first = useRead('/branch/store', { query: { size: READ_AT_ONCE } }, { enabled: maySee });
  const isMore = typeof first.data?.nextCursor === 'string';
  const isTyped = isMore && typed.trim() !== '';
  const wanted = paused.trim().slice(0, MOST_CHARACTERS);
  const found = useRead(
    '/branch/store',
    { query: { size: MOST_SHOWN, search: wanted } },
    { enabled: isTyped && wanted !== '', placeholderData: keepPreviousData },
  );
  if (first.data === undefined || first.data.records.length === 0) return { stores: undefined, search: undefined };
  const records = (isTyped ? found : first).data?.records ?? [];
  const isSearching = isTyped && (typed !== paused || found.isPlaceholderData || found.isPending);
  const type = (text: string | undefined) => setTyped(text ?? '');
  return {
    stores: (isMore ? records.slice(0, MOST_SHOWN) : records).map(optionOf),
    search: isMore ? { type, isTyped, isSearching } : undefined,
  };
}

const optionOf = ({ walletId, name, accountNumber }: RecordOf<'/branch/store'>): Option => ({
  value: walletId,
  label: name,
  detail: accountNumber,
});
