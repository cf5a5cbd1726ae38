import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { ButtonLink } from '../components/button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, Progress, Skeleton } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount } from '../components/values.tsx';
import { formatMoney } from '../format/money.ts';
import { type Limits, OwnLimitsForm } from './own-limits-form.tsx';

/** The most that may be paid out: what the operator set, what the business set itself, and what is used today. */
export function LimitsPage() {
  const mode = useMode();
  const mayManage = useMay()('limit:manage', mode);
  const { data: limits, error, refetch } = useRead('/payout/limit', {});
  return (
    <>
      <PageHeader title="Limits">
        The most that may be paid out in {mode === 'LIVE' ? 'live mode' : 'the sandbox'}. Of yours and the operator's,
        the stricter counts.
      </PageHeader>
      {limits === undefined ? (
        error === null ? (
          <Skeleton className="h-80 w-full rounded-card" />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <>
          <Section title="Today" about="A new day begins at midnight in Lagos.">
            <UsedToday limits={limits} />
          </Section>
          <Section title="In force" bare>
            <LimitTable limits={limits} />
          </Section>
          {mayManage && <OwnLimits limits={limits} />}
        </>
      )}
    </>
  );
}

function UsedToday({ limits: { perDay, usedToday, leftToday } }: { limits: Limits }) {
  if (perDay === null || leftToday === null) {
    return (
      <p>
        <Amount value={usedToday} className="font-semibold" /> paid out so far. There is no limit a day.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <Progress
        label="Used today"
        done={usedToday}
        total={perDay}
        text={`${formatMoney(usedToday)} of ${formatMoney(perDay)}`}
      />
      <p className="text-muted">
        <Amount value={leftToday} className="font-semibold text-ink" /> may still be paid out today.
      </p>
    </div>
  );
}

interface LimitRow {
  label: string;
  own: number | null;
  operator: number | null;
  counts: number | null;
}

const shown = (amount: number | null) =>
  amount === null ? <span className="text-muted">No limit</span> : <Amount value={amount} />;

const COLUMNS: Column<LimitRow>[] = [
  { key: 'what', header: 'Of', cell: ({ label }) => <span className="font-medium">{label}</span> },
  { key: 'own', header: 'Yours', align: 'right', wideOnly: true, cell: ({ own }) => shown(own) },
  {
    key: 'operator',
    header: "The operator's",
    align: 'right',
    wideOnly: true,
    cell: ({ operator }) => shown(operator),
  },
  {
    key: 'counts',
    header: 'What counts',
    align: 'right',
    cell: ({ counts }) => <span className="font-semibold">{shown(counts)}</span>,
  },
];

function LimitTable({ limits: { own, operator, perPayout, perDay } }: { limits: Limits }) {
  const rows: LimitRow[] = [
    { label: 'One payout', own: own.perPayout, operator: operator.perPayout, counts: perPayout },
    { label: 'One day', own: own.perDay, operator: operator.perDay, counts: perDay },
  ];
  return <Table caption="Limits in force" columns={COLUMNS} rowKey={({ label }) => label} rows={rows} empty={null} />;
}

/** A change that waits for others closes the form: there is one at a time. */
function OwnLimits({ limits }: { limits: Limits }) {
  const waiting = useRead('/approval', { query: { kind: 'LIMIT', status: 'PENDING', size: 1 } });
  const [change] = waiting.data?.records ?? [];
  return (
    <Section
      title="Your own limits"
      about="So that a slip or a stolen password costs no more than this. They cannot go above the operator's."
    >
      {change === undefined ? (
        <OwnLimitsForm key={`${limits.own.perPayout} ${limits.own.perDay}`} limits={limits} />
      ) : (
        <Alert
          tone="warn"
          title="A change waits for approval"
          action={
            <ButtonLink size="small" to="/approvals/$approvalId" params={{ approvalId: change.approvalId }}>
              See the change
            </ButtonLink>
          }
        >
          Until others approve it, the limits above are in force.
        </Alert>
      )}
    </Section>
  );
}
