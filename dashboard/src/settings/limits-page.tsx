import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { ButtonLink } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, Progress, Skeleton } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Amount } from '../components/values.tsx';
import { complainAboutMoney, formatDigits, formatMoney, isLimit, parseMoney } from '../format/money.ts';

/** The most that may be paid out: what the operator set, what the business set itself, and what is used today. */
export function LimitsPage() {
  const mode = useMode();
  const mayManage = useMay()('limit:manage', mode);
  const { data: limits, error, refetch } = useRead('/payout/limit', {});
  return (
    <>
      <PageHeader title="Limits">
        The most that may be paid out in {mode === 'LIVE' ? 'live mode' : 'the sandbox'}. The stricter of yours and the
        operator's applies.
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
          {limits.tier !== null && (
            <Section title="Your verification tier" about="A payment in above these limits is held for your operator.">
              <TierLimits tier={limits.tier} />
            </Section>
          )}
          {mayManage && <OwnLimits limits={limits} />}
        </>
      )}
    </>
  );
}

/** What comes in and may be held, by the tier; what goes out is among the limits in force. */
function TierLimits({ tier: { tier, singleIn, dailyIn, balance } }: { tier: NonNullable<Limits['tier']> }) {
  const most = (amount: number | null) => (amount === null ? 'No limit' : <Amount value={amount} />);
  return (
    <DescriptionList
      layout="rows"
      items={[
        { label: 'Tier', value: tier.replace('TIER_', 'Tier ') },
        { label: 'A payment in', value: most(singleIn) },
        { label: 'Payments in of a day', value: most(dailyIn) },
        { label: 'In all wallets', value: most(balance) },
      ]}
    />
  );
}

function UsedToday({ limits: { perDay, usedToday, leftToday } }: { limits: Limits }) {
  if (!isLimit(perDay) || leftToday === null) {
    return (
      <p>
        <Amount value={usedToday} className="font-semibold" /> paid out so far. There is no daily limit.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <Progress
        label="Used today"
        done={usedToday ?? perDay}
        total={perDay}
        text={
          usedToday === null
            ? `More than ${formatMoney(perDay)}`
            : `${formatMoney(usedToday)} of ${formatMoney(perDay)}`
        }
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
  isLimit(amount) ? <Amount value={amount} /> : <span className="text-muted">No limit</span>;

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
    header: 'In force',
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
      about="They limit what a mistake or a stolen password can cost. They cannot go above the operator's."
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

type Limits = Data<'get', '/payout/limit'>;

/** Empty is no limit. */
interface LimitValues {
  perPayout: string;
  perDay: string;
}

/** The business's own limits, which its owners and administrators change after their password. */
function OwnLimitsForm({ limits: { own } }: { limits: Limits }) {
  const change = useAction('patch', '/payout/limit', { changes: ['/payout/limit', '/approval'] });
  const server = useServerForm<LimitValues>({
    defaultValues: { perPayout: typed(own.perPayout), perDay: typed(own.perDay) },
  });

  async function send({ perPayout, perDay }: LimitValues): Promise<void> {
    const { approvalId } = await change.run({
      body: { perPayout: parseMoney(perPayout) ?? null, perDay: parseMoney(perDay) ?? null },
    });
    if (approvalId === null) toast({ tone: 'good', text: 'Saved. It is in force everywhere within a minute.' });
    else toast({ tone: 'info', text: 'The change waits for approval by others.' });
  }

  return (
    <Form server={server} onSend={send} send="Save limits">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          form={server.form}
          name="perPayout"
          label="One payout"
          optional
          hint="If empty, only the operator's applies."
          rules={{ validate: complainAboutLimit }}
        >
          {(control) => <MoneyInput {...control} />}
        </Field>
        <Field
          form={server.form}
          name="perDay"
          label="All payouts of a day"
          optional
          hint="Amounts without charges."
          rules={{ validate: complainAboutLimit }}
        >
          {(control) => <MoneyInput {...control} />}
        </Field>
      </div>
    </Form>
  );
}

const typed = (amount: number | null) => (amount === null ? '' : formatDigits(amount));
const complainAboutLimit = (text: string) => (text.trim() === '' ? true : (complainAboutMoney(text) ?? true));
