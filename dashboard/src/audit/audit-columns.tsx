import type { RecordOf } from '../api/types.ts';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { ROLE_NAMES } from '../people/roles.ts';

export type AuditEntry = RecordOf<'/audit'>;

const OUTCOMES = { DONE: 'Done', REFUSED: 'Refused', ASKED: 'Asked, no end' } as const;

export const OUTCOME_OPTIONS = Object.entries(OUTCOMES).map(([value, label]) => ({ value, label }));

export function isOutcome(outcome: string | undefined): outcome is keyof typeof OUTCOMES {
  return outcome !== undefined && outcome in OUTCOMES;
}

const CATEGORIES = {
  KEYS: 'Keys, PIN, secrets',
  PEOPLE: 'People',
  SIGN_IN: 'Signing in',
  PERSONAL_DATA: 'Details looked at',
  SETTINGS: 'Rules, limits, settings',
} as const;

export const CATEGORY_OPTIONS = Object.entries(CATEGORIES).map(([value, label]) => ({ value, label }));

export function isCategory(category: string | undefined): category is keyof typeof CATEGORIES {
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

export function Outcome({ entry: { outcome, code } }: { entry: AuditEntry }) {
  if (outcome === 'DONE') return <Badge tone="good">Done</Badge>;
  if (outcome === 'REFUSED') {
    return (
      <Badge tone="bad" title={code ?? undefined}>
        Refused
      </Badge>
    );
  }
  return (
    <Badge tone="warn" title="It was asked for, and no end is written down.">
      Asked
    </Badge>
  );
}

export function Actor({ actor }: { actor: AuditEntry['actor'] }) {
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
      return 'Operator';
    case 'KEY':
      return 'API key';
    case 'SYSTEM':
      return 'Manilla itself';
    default:
      return role !== null && role in ROLE_NAMES ? ROLE_NAMES[role as keyof typeof ROLE_NAMES] : '';
  }
}

export function modeWord(mode: string | null): string {
  if (mode === null) return '–';
  return mode === 'LIVE' ? 'Live' : 'Sandbox';
}
