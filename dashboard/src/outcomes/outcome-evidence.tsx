import { useRead } from '../api/reads.ts';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { showStatus } from '../components/status-words.ts';
import { Timeline, type TimelineEntry } from '../components/timeline.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { reportedText } from '../format/text.ts';
import { railsText } from '../operator/rails.ts';
import {
  decidedBy,
  type OutcomeEvidence as Evidence,
  OUTCOMES,
  PROPOSAL_ENDS,
  SAID_BY,
  SAID_OUTCOMES,
  SOURCES,
  type Undecided,
} from './outcome-words.ts';
import { Overtaken } from './two-people.tsx';

type Said = Evidence['said'][number];
type Past = Evidence['proposals'][number];

type Subject = Pick<Undecided, 'payoutId' | 'merchantId' | 'mode'>;

/** Whom it was to reach, all that was said about it, and what people proposed before: both decide by this. */
export function OutcomeEvidence({ payout: { payoutId, merchantId, mode } }: { payout: Subject }) {
  const { data, error, refetch } = useRead('/operator/outcome/{payoutId}/evidence', {
    path: { payoutId },
    query: { merchantId, mode },
  });
  if (data === undefined) {
    return error === null ? <Skeleton className="h-40 w-full" /> : <ErrorState error={error} onRetry={refetch} />;
  }
  const decided = data.proposals.filter(({ status }) => status !== 'PENDING');
  return (
    <div className="flex flex-col gap-5">
      {data.isOvertaken && <Overtaken />}
      <Payee evidence={data} />
      <div>
        <h3 className="mb-3 font-semibold">What was said about it</h3>
        {data.said.length === 0 ? <p className="text-muted">Nothing yet.</p> : <Timeline entries={entriesOf(data)} />}
        {data.nextAskAt !== null && (
          <p className="mt-3 text-xs text-muted">
            The service asks again by itself, next at <Moment at={data.nextAskAt} />.
          </p>
        )}
      </div>
      {decided.length > 0 && (
        <div>
          <h3 className="mb-3 font-semibold">Proposed before</h3>
          <Timeline entries={decided.map(proposalEntry)} />
        </div>
      )}
    </div>
  );
}

function Payee({ evidence: { payee, narration, createdAt } }: { evidence: Evidence }) {
  return (
    <DescriptionList
      items={[
        { label: 'To', value: payee.accountName },
        { label: 'Account', value: <Copyable text={payee.accountNumber} what="account number" /> },
        { label: 'Bank', value: `${payee.bankName} (${payee.bankCode})` },
        { label: 'Narration', value: narration },
        { label: 'Accepted', value: <Moment at={createdAt} utc /> },
      ]}
    />
  );
}

const entriesOf = ({ said }: Evidence): TimelineEntry[] => said.map(saidEntry);

function saidEntry(said: Said): TimelineEntry {
  const { saidId, kind, firstAt, times, outcome, isAnswered } = said;
  const known = outcome === null ? undefined : SAID_OUTCOMES[outcome];
  const word = known?.word ?? (isAnswered ? 'noted' : 'no answer');
  return {
    key: saidId,
    at: firstAt,
    title: `${SAID_BY[kind]}: ${word}${times > 1 ? `, ${times} times` : ''}`,
    detail: <SaidDetail said={said} />,
    tone: known?.tone ?? 'quiet',
  };
}

function SaidDetail({ said }: { said: Said }) {
  const { kind, rail, code, reason, message, sessionId, reported, times, lastAt } = said;
  const facts = [
    { label: 'Rail', value: rail },
    { label: 'Code', value: code },
    { label: 'Reason', value: reason === null ? null : showStatus(reason).word },
    { label: 'Session', value: sessionId },
    { label: 'Reported', value: reportedText(reported) },
  ];
  return (
    <>
      {message !== null && <p className="break-words">{kind === 'OPERATOR' ? decidedBy(message) : message}</p>}
      <dl className="flex flex-wrap gap-x-5 gap-y-0.5 text-xs">
        {facts.map(
          ({ label, value }) =>
            value !== null && (
              <div key={label} className="flex gap-1.5">
                <dt>{label}</dt>
                <dd className="break-all text-ink">{value}</dd>
              </div>
            ),
        )}
        {times > 1 && (
          <div className="flex gap-1.5">
            <dt>Last</dt>
            <dd className="text-ink">
              <Moment at={lastAt} show="exact" />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

function proposalEntry({ proposalId, proposedAt, outcome, source, note, status, proposedBy, ...end }: Past) {
  const { word, tone } = PROPOSAL_ENDS[status];
  const by = end.decidedBy === null ? '' : ` by ${end.decidedBy}`;
  return {
    key: proposalId,
    at: proposedAt,
    title: `${OUTCOMES[outcome].word}, said ${proposedBy ?? 'a colleague'}. ${word}${by}.`,
    detail: (
      <p className="break-words">
        “{note}” ({SOURCES[source].toLowerCase()}){end.reason !== null && ` – “${end.reason}”`}
      </p>
    ),
    tone,
  } satisfies TimelineEntry;
}

interface PayoutFactsProps {
  payout: Undecided;
  /** Without the merchant's name and the amount, where they stand above. */
  brief?: boolean;
  layout?: 'grid' | 'rows';
}

/** What both people look at before they say what became of a payout. */
export function PayoutFacts({ payout, brief, layout = 'grid' }: PayoutFactsProps) {
  const { businessName, merchantId, mode, amount, currency, rail, railReference, firstSentAt } = payout;
  const { lastCode, lastSessionId } = payout;
  const word = modeWord(mode);
  return (
    <DescriptionList
      layout={layout}
      items={[
        ...(brief === true
          ? []
          : [
              { label: 'Merchant', value: `${businessName ?? merchantId} (${word})` },
              { label: 'Amount', value: <Amount value={amount} currency={currency} /> },
            ]),
        { label: 'First sent', value: <Moment at={firstSentAt} utc /> },
        { label: 'Rail', value: railsText([rail], mode) },
        { label: 'Last code of the rail', value: lastCode ?? 'None' },
        { label: 'Reference at the rail', value: <Copyable text={railReference} what="reference" /> },
        {
          label: 'Session at the rail',
          value: lastSessionId === null ? 'Not known' : <Copyable text={lastSessionId} what="session id" />,
        },
      ]}
    />
  );
}
