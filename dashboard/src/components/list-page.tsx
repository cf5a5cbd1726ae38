import type { ReactNode } from 'react';
import { Filters } from './filters.tsx';
import { PageHeader, type PageHeaderProps } from './page-header.tsx';
import { EmptyState } from './states.tsx';
import { Table, type TableProps } from './table.tsx';

export interface ListPageProps<T> extends Omit<PageHeaderProps, 'children'>, Omit<TableProps<T>, 'caption'> {
  /** A sentence about what one does here. */
  about?: ReactNode;
  /** The table's name, where it is not the page's. */
  caption?: string;
  /** Above the filters. */
  intro?: ReactNode;
  filters?: ReactNode;
  /** Between the filters and the list: what the list leaves out. */
  note?: ReactNode;
  /** Says of an empty list that a filter may be why; `empty` is for one that is not filtered. */
  isFiltered?: boolean;
  /** In place of the list. */
  instead?: ReactNode;
  /** After the list: dialogs. */
  children?: ReactNode;
}

/** A page that is a list: its head, the filters, the rows by pages, and what it says while there are none. */
export function ListPage<T>(props: ListPageProps<T>) {
  const {
    title,
    beside,
    actions,
    back,
    about,
    caption,
    intro,
    filters,
    note,
    isFiltered,
    instead,
    children,
    ...table
  } = props;
  return (
    <>
      <PageHeader title={title} beside={beside} actions={actions} back={back}>
        {about}
      </PageHeader>
      {intro}
      {filters !== undefined && <Filters>{filters}</Filters>}
      {note}
      {instead ?? (
        <Table {...table} caption={caption ?? title} empty={isFiltered === true ? <NothingFits /> : table.empty} />
      )}
      {children}
    </>
  );
}

function NothingFits() {
  return <EmptyState title="Nothing matches these filters">Remove a filter to see more.</EmptyState>;
}
