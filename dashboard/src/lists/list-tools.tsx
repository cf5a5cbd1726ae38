import type { ReactNode } from 'react';
import { useMode } from '../api/session.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { type ChoosableColumn, type ChosenColumns, ColumnsButton } from './columns.tsx';
import type { FilterSearch, ViewList } from './filter-fields.ts';
import { ViewsMenu } from './views-menu.tsx';

export interface ListToolsProps<T> {
  list: ViewList;
  search: FilterSearch;
  onFilter: (change: FilterSearch) => void;
  all: readonly ChoosableColumn<T>[];
  chosen: ChosenColumns<T>;
  /** The file's address, what is asked of it, and its name without mode and ending. */
  file: { address: string; query: object; name: string };
  children?: ReactNode;
}

/** What stands above a list beside its filters: saved views, columns, and the file of just what is shown. */
export function ListTools<T>({ list, search, onFilter, all, chosen, file }: ListToolsProps<T>) {
  const mode = useMode();
  const asked = Object.entries(file.query).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams([...asked, ['columns', chosen.csv]]);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <ViewsMenu list={list} search={search} columns={chosen.names} onApply={onFilter} />
      <ColumnsButton all={all} chosen={chosen} />
      <DownloadButton address={`${file.address}?${query}`} fileName={csvName([file.name, mode], search)} size="small">
        Download CSV
      </DownloadButton>
    </div>
  );
}
