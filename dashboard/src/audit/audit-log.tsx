import type { ReactNode } from 'react';
import { filtersOf } from '../api/list-search.ts';
import type { RecordOf } from '../api/types.ts';
import { Copyable } from '../components/copy-button.tsx';
import { DaysFilter } from '../components/day-filters.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { Badge } from '../components/status.tsx';
import { showStatus } from '../components/status-words.ts';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { formatExactMoment } from '../format/time.ts';
import { ROLE_NAMES } from '../people/roles.ts';

export type AuditEntry = RecordOf<'/audit'>;

const OUTCOMES = { DONE: 'Done', REFUSED: 'Refused', ASKED: 'Asked, no end' } as const;

const OUTCOME_OPTIONS = Object.entries(OUTCOMES).map(([value, label]) => ({ value, label }));

function isOutcome(outcome: string | undefined): outcome is keyof typeof OUTCOMES {
  return outcome !== undefined && outcome in OUTCOMES;
}

const CATEGORIES = {
  KEYS: 'Keys, PIN, secrets',
  PEOPLE: 'People',
  SIGN_IN: 'Signing in',
  PERSONAL_DATA: 'Details looked at',
  SETTINGS: 'Rules, limits, settings',
} as const;

const CATEGORY_OPTIONS = Object.entries(CATEGORIES).map(([value, label]) => ({ value, label }));

function isCategory(category: string | undefined): category is keyof typeof CATEGORIES {
  return category !== undefined && category in CATEGORIES;
}

export function auditColumns(onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  return [
    {
      key: 'what',
      header: 'What',
      cell: (entry) => (
        <div className="min-w-0">
          <button
            type="button"
            className="text-left font-medium text-accent hover:underline"
            aria-label={`${entry.summary}, ${OUTCOMES[entry.outcome]}, ${entry.actor.name}, ${formatExactMoment(entry.at)}`}
            onClick={() => onOpen(entry)}
          >
            {entry.summary}
          </button>
          <p className="text-xs text-muted md:hidden">
            {entry.actor.name}, <Moment at={entry.at} />
          </p>
        </div>
      ),
    },
    { key: 'outcome', header: 'Outcome', cell: (entry) => <Outcome entry={entry} /> },
    { key: 'who', header: 'Who', wideOnly: true, cell: ({ actor }) => <Actor actor={actor} /> },
    { key: 'mode', header: 'Mode', wideOnly: true, cell: ({ mode }) => modeWord(mode) },
    { key: 'ip', header: 'From', wideOnly: true, cell: ({ ip }) => <span className="figures">{ip ?? '–'}</span> },
    { key: 'at', header: 'When', align: 'right', wideOnly: true, cell: ({ at }) => <Moment at={at} show="exact" /> },
  ];
}

function Outcome({ entry: { outcome, code } }: { entry: AuditEntry }) {
  if (outcome === 'DONE') return <Badge tone="good">Done</Badge>;
  if (outcome === 'REFUSED') {
    return (
      <Badge tone="bad" title={code === null ? undefined : showStatus(code).word}>
        Refused
      </Badge>
    );
  }
  return (
    <Badge tone="warn" title="It was requested, and no outcome is recorded.">
      Asked
    </Badge>
  );
}

function Actor({ actor }: { actor: AuditEntry['actor'] }) {
  return (
    <div>
      <p className="md:whitespace-nowrap">{actor.name}</p>
      <p className="text-xs text-muted">{actorWord(actor)}</p>
    </div>
  );
}

function actorWord({ kind, role }: AuditEntry['actor']): string {
  switch (kind) {
    case 'OPERATOR':
      return role === 'SUPPORT' ? 'Operator, support view' : 'Operator';
    case 'KEY':
      return 'API key';
    case 'SYSTEM':
      return 'Manilla itself';
    default:
      return role !== null && role in ROLE_NAMES ? ROLE_NAMES[role as keyof typeof ROLE_NAMES] : '';
  }
}

function modeWord(mode: string | null): string {
  if (mode === null) return '–';
  return mode === 'LIVE' ? 'Live' : 'Sandbox';
}

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
      <DaysFilter from={search.from} to={search.to} onChange={onChange} />
    </>
  );
}

/** All that is written down of one action. */
export function AuditEntryDialog({ entry, onClose }: { entry: AuditEntry | undefined; onClose: () => void }) {
  if (entry === undefined) return null;
  const subject = Object.entries(entry.subject).filter(([, value]) => value !== null && value !== '');
  return (
    <Dialog open kind="side" onClose={onClose} title={entry.summary}>
      <div className="flex flex-col gap-6">
        <DescriptionList
          layout="rows"
          items={[
            { label: 'Outcome', value: <Outcome entry={entry} /> },
            ...(entry.code === null ? [] : [{ label: 'Refused because', value: showStatus(entry.code).word }]),
            { label: 'Who', value: <Actor actor={entry.actor} /> },
            { label: 'When', value: <Moment at={entry.at} show="exact" utc /> },
            { label: 'Mode', value: modeWord(entry.mode) },
            { label: 'From', value: entry.ip ?? '–' },
            { label: 'Operation', value: <span className="font-mono text-xs">{entry.action}</span> },
            ...(entry.requestId === null
              ? []
              : [{ label: 'Request', value: <Copyable text={entry.requestId} what="request id" /> }]),
          ]}
        />
        {subject.length > 0 && (
          <div>
            <h3 className="mb-1 font-semibold">What it was about</h3>
            <DescriptionList
              layout="rows"
              items={subject.map(([label, value]) => ({
                label: fieldWords(label),
                value: <span className="font-mono text-xs">{String(value)}</span>,
              }))}
            />
          </div>
        )}
        {entry.userAgent !== null && <p className="text-xs break-words text-muted">{entry.userAgent}</p>}
      </div>
    </Dialog>
  );
}

/** `batchReference` as `Batch reference`. */
function fieldWords(field: string): string {
  const words = field.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return (
    words.charAt(0).toUpperCase() +
    words
      .slice(1)
      .replace(/\bid\b/, 'ID')
      .replace(/\bpin\b/, 'PIN')
  );
}
