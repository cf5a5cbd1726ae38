import { Link } from '@tanstack/react-router';
import { useRead } from '../api/reads.ts';
import { cn } from '../components/class-names.ts';
import { Section } from '../components/page-header.tsx';
import { Timeline } from '../components/timeline.tsx';
import { approvalEntries } from './approval-entries.ts';
import { type Evidence, type EvidenceEntry, type EvidenceKind, evidenceEntries, inOrder } from './evidence-entries.ts';

const KINDS: readonly { kind: EvidenceKind; show: string; label: string }[] = [
  { kind: 'PEOPLE', show: 'people', label: 'People' },
  { kind: 'BANK', show: 'bank', label: 'Bank' },
  { kind: 'BOOKS', show: 'books', label: 'Books' },
  { kind: 'STATUS', show: 'status', label: 'Status' },
  { kind: 'TOLD', show: 'told', label: 'Events' },
];

/** Everything that is known, as it happened; parts of it by their own address. */
export function EvidenceSection({ evidence, show }: { evidence: Evidence; show: string | undefined }) {
  const { transactionId } = evidence.transaction;
  const approvalId = approvalIdOf(evidence);
  const approval = useRead(
    '/approval/{approvalId}',
    { path: { approvalId: approvalId ?? '' } },
    { enabled: approvalId !== undefined },
  );
  const all = inOrder([
    ...evidenceEntries(evidence),
    ...(approval.data === undefined ? [] : approvalEntries(approval.data)),
  ]);
  const chosen = KINDS.find((one) => one.show === show);
  const entries = chosen === undefined ? all : all.filter(({ kind }) => kind === chosen.kind);
  const there = KINDS.filter(({ kind }) => all.some((entry) => entry.kind === kind));

  return (
    <Section title="Evidence" about="Everything that is known of it, in the order that it happened.">
      {there.length > 1 && (
        <nav aria-label="Parts of the evidence" className="no-print mb-5 flex flex-wrap gap-1.5">
          <Part transactionId={transactionId} label="Everything" show={undefined} chosen={chosen === undefined} />
          {there.map((one) => (
            <Part key={one.show} transactionId={transactionId} {...one} chosen={one === chosen} />
          ))}
        </nav>
      )}
      <Timeline
        entries={entries.map((entry) => ({
          key: entry.key,
          at: entry.at,
          title: entry.title,
          detail: <Detail entry={entry} />,
          tone: entry.tone,
        }))}
      />
    </Section>
  );
}

interface PartProps {
  transactionId: string;
  label: string;
  show: string | undefined;
  chosen: boolean;
}

function Part({ transactionId, label, show, chosen }: PartProps) {
  return (
    <Link
      to="/transactions/$transactionId"
      params={{ transactionId }}
      search={{ show }}
      resetScroll={false}
      aria-current={chosen ? 'true' : undefined}
      className={cn(
        'rounded-full border px-3 py-1 text-xs font-medium',
        chosen ? 'border-accent bg-accent-soft text-accent' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {label}
    </Link>
  );
}

function Detail({ entry: { facts, text } }: { entry: EvidenceEntry }) {
  return (
    <>
      {text !== undefined && <p>{text}</p>}
      {facts.length > 0 && (
        <dl className="flex flex-wrap gap-x-5 gap-y-0.5 text-xs">
          {facts.map(({ label, value }) => (
            <div key={label} className="flex gap-1.5">
              <dt>{label}</dt>
              <dd className="break-all text-ink">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** Only what waited for an approval has one. */
function approvalIdOf({ approvalId }: Evidence): string | undefined {
  return approvalId ?? undefined;
}
