import type { ReactNode } from 'react';
import { filtersOf } from '../api/list-search.ts';
import { DayFilter, SearchFilter, SelectFilter } from '../components/filters.tsx';
import { CATEGORY_OPTIONS, isCategory, isOutcome, OUTCOME_OPTIONS } from './audit-columns.tsx';

interface AuditSearch {
  person?: string | undefined;
  action?: string | undefined;
  category?: string | undefined;
  outcome?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** What an audit log is asked for; a kind or an outcome that does not exist is left out. */
export function auditFiltersOf(search: AuditSearch) {
  const { category, outcome } = search;
  return {
    ...filtersOf(search, 'person', 'action', 'from', 'to'),
    ...(isCategory(category) ? { category } : {}),
    ...(isOutcome(outcome) ? { outcome } : {}),
  };
}

interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (change: AuditSearch) => void;
  /** Whose log, or about whom. */
  children: ReactNode;
}

export function AuditFilters({ search, onChange, children }: AuditFiltersProps) {
  return (
    <>
      <SearchFilter
        label="What was done"
        placeholder="payout, key, role…"
        value={search.action}
        onChange={(action) => onChange({ action })}
      />
      {children}
      <SelectFilter
        label="Kind"
        all="All"
        options={CATEGORY_OPTIONS}
        value={search.category}
        onChange={(category) => onChange({ category })}
      />
      <SelectFilter
        label="Outcome"
        all="All"
        options={OUTCOME_OPTIONS}
        value={search.outcome}
        onChange={(outcome) => onChange({ outcome })}
      />
      <DayFilter label="From" value={search.from} onChange={(from) => onChange({ from })} />
      <DayFilter label="To" value={search.to} onChange={(to) => onChange({ to })} />
    </>
  );
}
