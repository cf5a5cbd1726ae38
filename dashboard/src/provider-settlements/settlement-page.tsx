import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import type { Mode } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { DecideLine, LineAmount, LineDecision, LineFilters, LineHead, LineResult } from '../components/file-lines.tsx';
import { ListPage } from '../components/list-page.tsx';
import { DisputeLink, PaymentInLink, RefundLink } from '../components/operator-links.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { railsText } from '../operator/rails.ts';
import { AcceptDialog, ApplyDialog, DiscardDialog } from './decide-dialogs.tsx';
import {
  type ProviderLine,
  type ProviderLineResult,
  type ProviderSettlement,
  RESOLUTIONS,
  RESULTS,
  STEPS,
} from './line-words.ts';

const SIZE = 100;
/** Another may apply it, and what runs is compared again when it has ended. */
const LOOK_EVERY_MS = 30_000;
const STATES = [
  { value: 'OPEN', label: 'To look into' },
  { value: 'AGREES', label: 'Agrees' },
  { value: 'RESOLVED', label: 'Looked into' },
] as const;
const RESULT_OPTIONS = Object.entries(RESULTS).map(([value, { word }]) => ({ value, label: word }));

export interface ProviderSettlementFilters {
  state?: 'OPEN' | 'AGREES' | 'RESOLVED' | undefined;
  result?: ProviderLineResult | undefined;
}

export interface ProviderSettlementPageProps {
  settlementId: string;
  page: ListPlace | undefined;
  filters: ProviderSettlementFilters;
  onPage: (place: ListPlace | undefined) => void;
  onFilter: (change: { state?: string | undefined; result?: string | undefined }) => void;
}

type Deciding = 'APPLY' | 'DISCARD';

/** One settlement: what it comes to, and each of its lines beside our payment. */
export function ProviderSettlementPage(props: ProviderSettlementPageProps) {
  const { settlementId, page, filters, onPage, onFilter } = props;
  const [line, setLine] = useState<ProviderLine>();
  const [deciding, setDeciding] = useState<Deciding>();
  const settlement = useRead(
    '/operator/provider-settlement/{settlementId}',
    { path: { settlementId } },
    { refetchInterval: LOOK_EVERY_MS },
  ).data;
  const list = useList(
    '/operator/provider-settlement/{settlementId}/line',
    {
      path: { settlementId },
      query: { ...atPlace(page), size: SIZE, ...filters },
    },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const close = () => setDeciding(undefined);
  return (
    <ListPage
      title={settlement?.reference ?? 'Settlement'}
      back={{ label: 'All settlements', to: '/operator/provider-settlements' }}
      actions={settlement === undefined ? undefined : <Actions settlement={settlement} onDecide={setDeciding} />}
      about="Each line of the provider's file beside our payment. What the file lacks comes last."
      intro={settlement === undefined ? undefined : <Sums settlement={settlement} />}
      filters={<LineFilters states={STATES} results={RESULT_OPTIONS} filters={filters} onFilter={onFilter} />}
      caption="Lines of the settlement"
      columns={lineColumns(settlement?.mode ?? 'LIVE', setLine)}
      rowKey={(row) => row.lineId}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={CircleCheck} title="No such line">
          {filters.state === 'OPEN' ? 'Nothing differs that nobody has looked into.' : 'Remove a filter to see more.'}
        </EmptyState>
      }
    >
      {deciding === 'APPLY' && settlement !== undefined && <ApplyDialog settlement={settlement} onClose={close} />}
      {deciding === 'DISCARD' && settlement !== undefined && <DiscardDialog settlement={settlement} onClose={close} />}
      {line !== undefined && (
        <AcceptDialog settlementId={settlementId} line={line} onClose={() => setLine(undefined)} />
      )}
    </ListPage>
  );
}

function Actions({
  settlement: { status, counts },
  onDecide,
}: {
  settlement: ProviderSettlement;
  onDecide: (what: Deciding) => void;
}) {
  const mayFindMore = status === 'DONE' && (counts['MISSING_HERE'] ?? 0) + (counts['DEDUCTION'] ?? 0) > 0;
  return (
    <>
      {status === 'READY' && <Button onClick={() => onDecide('DISCARD')}>Discard</Button>}
      {(status === 'READY' || status === 'APPLYING' || mayFindMore) && (
        <Button look="primary" onClick={() => onDecide('APPLY')}>
          {status === 'READY' ? 'Apply' : 'Go on applying'}
        </Button>
      )}
    </>
  );
}

/** What was settled beside what its lines come to. */
function Sums({ settlement }: { settlement: ProviderSettlement }) {
  const { rail, mode, status, importedBy, decidedBy, lumpSum, net, gross, fee, difference, postedNet } = settlement;
  return (
    <div className="card mb-6 p-4">
      <DescriptionList
        items={[
          { label: 'Provider account', value: railsText([rail], mode) },
          { label: 'State', value: <Badge tone={STEPS[status].tone}>{STEPS[status].word}</Badge> },
          { label: 'Recorded by', value: importedBy === 'system' ? 'Fetched from the provider' : importedBy },
          { label: 'Settled', value: <Amount value={lumpSum} /> },
          { label: 'Lines come to', value: <Amount value={net} /> },
          { label: 'Difference', value: <Amount value={difference} /> },
          { label: 'Gross', value: <Amount value={gross} /> },
          { label: 'The provider keeps', value: <Amount value={fee} /> },
          { label: 'In the float by it', value: <Amount value={postedNet} /> },
          ...(decidedBy === null
            ? []
            : [{ label: status === 'DISCARDED' ? 'Discarded by' : 'Applied by', value: decidedBy }]),
          ...(settlement.note === null ? [] : [{ label: 'Note', value: settlement.note }]),
        ]}
      />
    </div>
  );
}

const POSTED: readonly ProviderLineResult[] = ['MATCHED', 'FEE_DIFFERS', 'DEDUCTION_MATCHED'];
const differs = ({ result, resolution }: ProviderLine) => !POSTED.includes(result) && resolution === null;

function lineColumns(mode: Mode, onAccept: (line: ProviderLine) => void): readonly Column<ProviderLine>[] {
  return [
    {
      key: 'line',
      header: 'Line',
      cell: (line) => (
        <div className="min-w-24">
          <LineHead lineNumber={line.lineNumber} id={<Subject line={line} mode={mode} />} />
          {line.businessName !== null && <p className="text-xs text-muted">{line.businessName}</p>}
          <div className="text-xs md:hidden">
            <Theirs line={line} />
            <LineResult words={RESULTS[line.result]} />
          </div>
        </div>
      ),
    },
    {
      key: 'result',
      header: 'Result',
      wideOnly: true,
      cell: ({ result, detail }) => <LineResult words={RESULTS[result]} detail={detail} />,
    },
    {
      key: 'theirs',
      header: 'File says',
      align: 'right',
      wideOnly: true,
      cell: (line) => <Theirs line={line} />,
    },
    {
      key: 'ours',
      header: 'Books say',
      align: 'right',
      wideOnly: true,
      cell: ({ ourAmount, ourFee }) => (
        <div>
          {ourAmount === null ? '–' : <Amount value={ourAmount} />}
          {ourFee !== null && (
            <p className="text-xs text-muted">
              fee <Amount value={ourFee} />
            </p>
          )}
        </div>
      ),
    },
    { key: 'next', header: 'State', cell: (line) => <LineState line={line} onAccept={() => onAccept(line)} /> },
  ];
}

/** What it is of here: the payment, or the refund or dispute that was deducted. */
function Subject({ line, mode }: { line: ProviderLine; mode: Mode }) {
  const { transactionId, sessionId, paymentId, deductionOf, merchantId } = line;
  const words = transactionId ?? sessionId ?? 'no id';
  if (deductionOf !== null && merchantId !== null) {
    const { id, type } = deductionOf;
    const of = { merchantId, mode, children: words };
    return type === 'REFUND' ? <RefundLink refundId={id} {...of} /> : <DisputeLink disputeId={id} {...of} />;
  }
  return paymentId === null ? words : <PaymentInLink paymentId={paymentId}>{words}</PaymentInLink>;
}

function Theirs({ line: { gross, fee, currency } }: { line: ProviderLine }) {
  return (
    <div>
      <LineAmount amount={gross} currency={currency} />
      {fee !== null && (
        <p className="text-xs text-muted">
          fee <Amount value={fee} />
        </p>
      )}
    </div>
  );
}

function LineState({ line, onAccept }: { line: ProviderLine; onAccept: () => void }) {
  const { postedAt, resolution, lineNumber } = line;
  if (postedAt !== null) {
    return (
      <div className="min-w-20 text-xs">
        <p className="font-medium">Posted</p>
        <Moment at={postedAt} className="text-muted" />
      </div>
    );
  }
  if (resolution !== null) return <LineDecision word={RESOLUTIONS[resolution.how]} resolution={resolution} />;
  if (!differs(line)) return <span className="text-xs text-muted">Posted when it is applied</span>;
  return <DecideLine lineNumber={lineNumber} verb="Note" about="Note what you found out about" onDecide={onAccept} />;
}
