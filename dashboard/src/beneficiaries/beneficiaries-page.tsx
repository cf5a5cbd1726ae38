import { BookUser, Plus } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { SearchFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { beneficiaryColumns, beneficiaryKey } from './beneficiary-columns.tsx';
import { SaveBeneficiaryDialog } from './save-beneficiary-dialog.tsx';

export interface BeneficiarySearch {
  page?: ListPlace | undefined;
  search?: string | undefined;
}

export interface BeneficiariesPageProps {
  search: BeneficiarySearch;
  onSearch: (change: BeneficiarySearch) => void;
}

/** Accounts that are paid again and again. */
export function BeneficiariesPage({ search: { page, search }, onSearch }: BeneficiariesPageProps) {
  const mayWrite = useMay()('payout:write', useMode());
  const [saving, setSaving] = useState(false);
  const beneficiaries = useList('/beneficiary', {
    query: { ...atPlace(page), size: 25, ...(search === undefined ? {} : { search }) },
  });
  const save = (
    <Button look="primary" icon={Plus} onClick={() => setSaving(true)}>
      Save a beneficiary
    </Button>
  );
  return (
    <ListPage
      title="Beneficiaries"
      actions={mayWrite && save}
      about="Accounts that you pay again, with the names that their banks gave."
      filters={
        <SearchFilter
          label="Search"
          placeholder="Name, nickname or account number"
          value={search}
          onChange={(text) => onSearch({ search: text, page: undefined })}
        />
      }
      columns={beneficiaryColumns(mayWrite)}
      rowKey={beneficiaryKey}
      list={beneficiaries}
      onPage={(next) => onSearch({ page: next })}
      empty={
        search === undefined ? (
          <EmptyState icon={BookUser} title="Nobody saved yet" action={mayWrite && save}>
            Save whom you pay often: the bank names the owner once, and from then on nobody mistypes the account.
          </EmptyState>
        ) : (
          <EmptyState
            title="Nobody fits"
            action={<Button onClick={() => onSearch({ search: undefined, page: undefined })}>Show all</Button>}
          >
            Try a part of the name, the nickname, or the account number.
          </EmptyState>
        )
      }
    >
      <SaveBeneficiaryDialog open={saving} onClose={() => setSaving(false)} />
    </ListPage>
  );
}
