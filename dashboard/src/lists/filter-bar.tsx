import { ChevronDown, ChevronUp, SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/choices.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { groupTyped, isNoRange, parseMoney } from '../format/money.ts';
import { PeriodFilter } from '../wallet/period-filter.tsx';
import {
  activeFields,
  type Choice,
  type FilterField,
  type FilterSearch,
  type FilterWords,
  filterText,
  noFilters,
  type ViewList,
  wordsIn,
} from './filter-fields.ts';
import { Popover } from './popover.tsx';

export interface FilterBarProps {
  list: ViewList;
  search: FilterSearch;
  words: FilterWords;
  onFilter: (change: FilterSearch) => void;
  /** The fields that are always in sight, before the status. */
  first?: ReactNode;
  /** Further fields of this list, behind the button. */
  more?: ReactNode;
}

/** The filters of a list: the usual ones in sight, the others behind a button, and what is set as words that take it away. */
export function FilterBar({ list, search, words, onFilter, first, more }: FilterBarProps) {
  const id = useId();
  const behind = activeFields(list, search).filter((field) => isBehind(list, field));
  // On a phone they would push the list out of sight; what is set stands below in words.
  const [open, setOpen] = useState(() => behind.length > 0 && matchMedia('(min-width: 40rem)').matches);
  return (
    <div className="flex grow basis-full flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3 [&>*:first-child]:w-full sm:[&>*:first-child]:w-auto">
        {first}
        <StatusesFilter search={search} choices={words.statuses} onFilter={onFilter} />
        <Button
          icon={SlidersHorizontal}
          aria-expanded={open}
          aria-controls={`${id}-more`}
          onClick={() => setOpen(!open)}
        >
          {behind.length === 0 ? 'More filters' : `More filters (${behind.length})`}
          {open ? <ChevronUp className="size-4" aria-hidden /> : <ChevronDown className="size-4" aria-hidden />}
        </Button>
      </div>
      <div
        id={`${id}-more`}
        hidden={!open}
        className="flex-wrap items-end gap-3 [&:not([hidden])]:flex [&>*]:w-full sm:[&>*]:w-auto"
      >
        {more}
        <PeriodFilter period={search} all="Any time" onChange={({ from, to }) => onFilter({ from, to })} />
        <AmountFilter search={search} onFilter={onFilter} />
        <SelectFilter
          label="Order"
          all="Newest first"
          options={ORDERS}
          value={search.order}
          onChange={(order) => onFilter({ order })}
        />
      </div>
      <ActiveFilters list={list} search={search} words={words} onFilter={onFilter} />
    </div>
  );
}

const ORDERS = [{ value: 'OLDEST', label: 'Oldest first' }];
const BEHIND: ReadonlySet<FilterField> = new Set([
  'category',
  'rail',
  'channel',
  'counterparty',
  'amountFrom',
  'amountTo',
  'from',
  'to',
]);

/** Payouts have the name in sight. */
const isBehind = (list: ViewList, field: FilterField): boolean =>
  BEHIND.has(field) && !(list === 'PAYOUTS' && field === 'counterparty');

interface Filtering {
  search: FilterSearch;
  onFilter: (change: FilterSearch) => void;
}

/** Several statuses at once, each a box. */
function StatusesFilter({ search, choices, onFilter }: Filtering & { choices: readonly Choice[] }) {
  const chosen = wordsIn(search.status, choices);
  const set = (value: string, isOn: boolean) => {
    const next = choices.map((choice) => choice.value).filter((one) => (one === value ? isOn : chosen.includes(one)));
    onFilter({ status: next.length === 0 || next.length === choices.length ? undefined : next.join(',') });
  };
  const [only, ...others] = chosen;
  const onlyLabel = choices.find(({ value }) => value === only)?.label;
  const label =
    onlyLabel === undefined ? 'All statuses' : others.length === 0 ? onlyLabel : `${chosen.length} statuses`;
  return (
    <Popover
      name="Statuses"
      label={
        <span>
          <span className="sr-only">Status: </span>
          {label}
        </span>
      }
    >
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-2 text-xs text-muted">Only those that are</legend>
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            label={choice.label}
            checked={chosen.includes(choice.value)}
            onChange={(event) => set(choice.value, event.target.checked)}
          />
        ))}
      </fieldset>
    </Popover>
  );
}

/**
 * From an amount to an amount, both included. They take effect when a field is left, or with Enter: half an amount is
 * another one.
 */
function AmountFilter({ search: { amountFrom, amountTo }, onFilter }: Filtering) {
  const id = useId();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  useEffect(() => setFrom(groupTyped(amountFrom ?? '')), [amountFrom]);
  useEffect(() => setTo(groupTyped(amountTo ?? '')), [amountTo]);
  const isNone = isNoRange(from, to);
  const report = () => {
    if (isNone) return;
    const next = { amountFrom: amountOf(from, amountFrom), amountTo: amountOf(to, amountTo) };
    if (next.amountFrom !== amountFrom || next.amountTo !== amountTo) onFilter(next);
  };
  return (
    <div>
      <div className="flex gap-3 *:min-w-0 *:flex-1 sm:*:w-36">
        <AmountField label="Amount from" typed={from} onType={setFrom} onReport={report} />
        <AmountField
          label="Amount to"
          typed={to}
          onType={setTo}
          onReport={report}
          wrong={isNone ? `${id}-none` : undefined}
        />
      </div>
      {isNone && (
        <p id={`${id}-none`} role="alert" className="mt-1 text-xs text-bad">
          Amount to is less than Amount from.
        </p>
      )}
    </div>
  );
}

/** What is typed, as it stands in the address; what stands there already, where it is no amount. */
function amountOf(typed: string, before: string | undefined): string | undefined {
  if (typed.trim() === '') return undefined;
  const amount = parseMoney(typed);
  return amount === undefined ? before : String(amount);
}

interface AmountFieldProps {
  label: string;
  typed: string;
  onType: (text: string) => void;
  onReport: () => void;
  /** The element that says what is wrong with it beside the other. */
  wrong?: string | undefined;
}

function AmountField({ label, typed, onType, onReport, wrong }: AmountFieldProps) {
  const id = useId();
  const isWrong = typed.trim() !== '' && parseMoney(typed) === undefined;
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs text-muted">
        {label}
      </label>
      <MoneyInput
        id={id}
        value={typed}
        aria-invalid={isWrong || wrong !== undefined || undefined}
        aria-describedby={isWrong ? `${id}-wrong` : wrong}
        onChange={(event) => onType(event.target.value)}
        onBlur={onReport}
        onKeyDown={(event) => event.key === 'Enter' && onReport()}
      />
      {isWrong && (
        <p id={`${id}-wrong`} className="mt-1 text-xs text-bad">
          Such as 1,250.00
        </p>
      )}
    </div>
  );
}

/** What narrows the list, word by word; a click takes it away. */
function ActiveFilters({ list, search, words, onFilter }: Filtering & { list: ViewList; words: FilterWords }) {
  const active = activeFields(list, search);
  if (active.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {active.map((field) => (
        <button
          key={field}
          type="button"
          className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-edge bg-surface py-1 pr-2 pl-3 text-left text-xs hover:bg-hover"
          onClick={() => onFilter(field === 'search' ? { search: undefined, by: undefined } : { [field]: undefined })}
        >
          <span className="sr-only">Remove the filter </span>
          <span className="wrap-anywhere">{filterText(field, search[field] ?? '', words)}</span>
          <X className="size-3.5 shrink-0 text-muted" aria-hidden />
        </button>
      ))}
      <Button look="quiet" size="small" onClick={() => onFilter(noFilters(list))}>
        Clear the filters
      </Button>
    </div>
  );
}
