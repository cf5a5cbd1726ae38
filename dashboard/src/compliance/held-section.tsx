import { lazy, Suspense, useState } from 'react';
import { useRead } from '../api/reads.ts';
import type { Mode } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { ErrorState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { CASE_REASONS, CASE_STATES, type ComplianceCase } from './compliance-words.ts';

const CaseDialog = lazy(() => import('./case-dialog.tsx').then((part) => ({ default: part.CaseDialog })));

interface HeldSectionProps {
  merchantId: string;
  mode: Mode;
  /** The payment or payout. */
  subjectId: string;
}

/** What holds a payment or a payout for review, and what became of each cause; releasing a payout begins here. */
export function HeldSection({ merchantId, mode, subjectId }: HeldSectionProps) {
  const { data, error, refetch } = useRead('/operator/compliance-case', {
    query: { merchantId, mode, subjectId, size: 20 },
  });
  /** As it was read: another proposal that comes meanwhile is none that anybody looked at. */
  const [opened, setOpened] = useState<ComplianceCase>();
  if (data === undefined) return error === null ? null : <ErrorState error={error} onRetry={refetch} />;
  const { records } = data;
  if (records.length === 0) return null;
  return (
    <Section title="Held for review" bare>
      <ul className="card divide-y">
        {records.map((found) => (
          <li key={found.caseId} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-5">
            <div>
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {CASE_REASONS[found.reason]}
                <Badge tone={CASE_STATES[found.status].tone}>{CASE_STATES[found.status].word}</Badge>
              </p>
              <p className="text-xs text-muted">
                Since <Moment at={found.openedAt} />
                {found.proposal !== null && '. Release is proposed'}
              </p>
            </div>
            <Button
              size="small"
              aria-label={`Look at it: ${CASE_REASONS[found.reason]}`}
              onClick={() => setOpened(found)}
            >
              Look at it
            </Button>
          </li>
        ))}
      </ul>
      <Suspense>
        {opened !== undefined && <CaseDialog found={opened} isOnItsPage onClose={() => setOpened(undefined)} />}
      </Suspense>
    </Section>
  );
}
