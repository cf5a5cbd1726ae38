import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { SelectFilter } from './filters.tsx';
import { Badge } from './status.tsx';
import type { StatusTone } from './status-words.ts';
import { Amount, Moment } from './values.tsx';

/** Parts of a list of the lines of a file beside the books, for files of any origin. */

type Options = readonly { value: string; label: string }[];

export interface LineFiltersProps {
  states: Options;
  results: Options;
  filters: { state?: string | undefined; result?: string | undefined };
  onFilter: (change: { state?: string | undefined; result?: string | undefined }) => void;
}

export function LineFilters({ states, results, filters, onFilter }: LineFiltersProps) {
  return (
    <>
      <SelectFilter
        label="State"
        all="All lines"
        options={states}
        value={filters.state}
        onChange={(state) => onFilter({ state })}
      />
      <SelectFilter
        label="Result"
        all="Any result"
        options={results}
        value={filters.result}
        onChange={(result) => onFilter({ result })}
      />
    </>
  );
}

export interface LineResultProps {
  words: { word: string; tone: StatusTone; about: string };
  detail?: string | null;
}

/** What comparing it came to. */
export function LineResult({ words: { word, tone, about }, detail = null }: LineResultProps) {
  return (
    <div className="min-w-24">
      <Badge tone={tone} title={about}>
        {word}
      </Badge>
      {detail !== null && <p className="mt-1 text-xs text-muted">{detail}</p>}
    </div>
  );
}

export interface LineHeadProps {
  /** Null for what the file lacks. */
  lineNumber: number | null;
  /** Under which the file has it, with the way to what we know of it. */
  id: ReactNode;
}

export function LineHead({ lineNumber, id }: LineHeadProps) {
  return (
    <>
      <p className="figures font-medium">{lineNumber ?? 'Not there'}</p>
      <p className="text-xs break-all text-muted">{id}</p>
    </>
  );
}

/** An amount of the file: in naira, or as it stands there. */
export function LineAmount({ amount, currency }: { amount: number | null; currency: string | null }) {
  if (amount === null) return '–';
  return currency === null || currency === 'NGN' ? <Amount value={amount} /> : `${currency} ${amount}`;
}

export interface LineDecisionProps {
  /** What was decided, in a word. */
  word: string;
  resolution: { at: string; by: string | null; note: string | null };
}

export function LineDecision({ word, resolution: { at, by, note } }: LineDecisionProps) {
  return (
    <div className="min-w-24 text-xs">
      <p className="font-medium">
        {word}
        {by !== null && <span className="break-all"> by {by}</span>}
      </p>
      <p className="text-muted">{note}</p>
      <Moment at={at} className="text-muted" />
    </div>
  );
}

export interface DecideLineProps {
  lineNumber: number | null;
  /** The text of the button, and a description for people who do not see the line: "Decide", "Decide about". */
  verb: string;
  about: string;
  onDecide: () => void;
}

export function DecideLine({ lineNumber, verb, about, onDecide }: DecideLineProps) {
  const what = lineNumber === null ? 'what the file lacks' : `line ${lineNumber}`;
  return (
    <Button size="small" onClick={onDecide} aria-label={`${about} ${what}`}>
      {verb}
    </Button>
  );
}
