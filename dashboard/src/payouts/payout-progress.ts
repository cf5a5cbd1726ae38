import type { Data } from '../api/types.ts';
import { type StatusTone, showStatus } from '../components/status-words.ts';
import { formatMoney, sumMoney } from '../format/money.ts';
import { formatMoment } from '../format/time.ts';
import { wasHeld } from '../transactions/what-became.ts';

export type Evidence = Data<'get', '/transaction/{transactionId}/evidence'>;
type Approval = Data<'get', '/approval/{approvalId}'>;

export interface Step {
  key: string;
  at: string;
  title: string;
  text?: string;
  tone: StatusTone;
}

/**
 * What happened to a payout, in words for the person who made it: created, approved, held, sent, and how it ended. The
 * provider's codes are in the evidence.
 */
export function stepsOf(evidence: Evidence, approval: Approval | undefined): Step[] {
  const steps = [
    ...requested(evidence, approval),
    created(evidence, approval),
    ...decisions(approval),
    ...held(evidence),
    ...sent(evidence),
    ...asked(evidence),
    ...ended(evidence),
  ];
  return steps.toSorted((a, b) => a.at.localeCompare(b.at) || ORDER.indexOf(kindOf(a)) - ORDER.indexOf(kindOf(b)));
}

/** At the same moment: in the order in which one leads to the next. */
const ORDER = ['created', 'decision', 'held', 'sent', 'asked', 'ended'];
const kindOf = ({ key }: Step): string => key.split('-', 1)[0] ?? '';

/** The list that it is of was sent, and approved, before it became a payout. */
function requested({ transaction: { batchReference } }: Evidence, approval: Approval | undefined): Step[] {
  if (batchReference === null || approval === undefined) return [];
  const { madeAt, madeBy } = approval;
  const title = `Bulk payout sent for approval by ${madeBy.name}`;
  return [{ key: 'created-list', at: madeAt, title, text: batchReference, tone: 'quiet' }];
}

function created(
  { transaction: { createdAt, scheduledFor, batchReference } }: Evidence,
  approval: Approval | undefined,
): Step {
  const step = { key: 'created', at: createdAt, tone: 'quiet' } as const;
  if (batchReference !== null && approval !== undefined) return { ...step, title: 'Became a payout of its own' };
  const title = approval === undefined ? 'Created' : `Created by ${approval.madeBy.name}`;
  const how = typeof scheduledFor === 'string' ? `To be paid on ${formatMoment(scheduledFor)}` : undefined;
  const text = batchReference === null ? how : `With the bulk payout ${batchReference}`;
  return { ...step, title, ...(text === undefined ? {} : { text }) };
}

function decisions(approval: Approval | undefined): Step[] {
  return (approval?.decisions ?? []).map(({ decision, by, at, note }) => ({
    key: `decision-${by.personId}`,
    at,
    title: decision === 'APPROVE' ? `Approved by ${by.name}` : `Rejected by ${by.name}`,
    tone: decision === 'APPROVE' ? 'good' : 'bad',
    ...(note === null ? {} : { text: note }),
  }));
}

function held({ transfers }: Evidence): Step[] {
  const pending = transfers.filter(({ kind }) => kind === 'PENDING');
  const [first] = pending;
  if (first === undefined) return [];
  const amount = formatMoney(sumMoney(pending.map((transfer) => transfer.amount)), first.currency);
  return [
    {
      key: 'held',
      at: first.createdAt,
      title: 'Held in the wallet',
      text: `${amount} with all charges`,
      tone: 'quiet',
    },
  ];
}

function sent({ attempts = [] }: Evidence): Step[] {
  const sends = attempts.filter(({ kind }) => kind === 'SEND');
  return sends.map(({ id, startedAt }, before) => ({
    key: `sent-${id}`,
    at: startedAt,
    title: before === 0 ? 'Sent to the bank' : `Sent to the bank again, attempt ${before + 1}`,
    // The reference stays the same, so the bank cannot pay it twice.
    ...(before === 0 ? {} : { text: 'The same payment, which can be paid only once.' }),
    tone: 'info',
  }));
}

/** However often the bank was asked, it is one line, of the last time. */
function asked({ attempts = [] }: Evidence): Step[] {
  const questions = attempts.filter(({ kind }) => kind === 'QUERY');
  const last = questions.at(-1);
  if (last === undefined) return [];
  const times = questions.length === 1 ? 'once' : `${questions.length} times, last then`;
  return [
    {
      key: 'asked',
      at: last.startedAt,
      title: 'Asked the bank what became of it',
      text: `Asked ${times}.`,
      tone: 'quiet',
    },
  ];
}

const CAME_BACK = 'Amount and charges are back in the wallet.';
const NOTHING_LEFT = 'Nothing left the wallet.';
const ENDS: Readonly<Record<string, { title: string; text?: string; tone: StatusTone }>> = {
  SUCCESS: { title: 'Paid: the bank has confirmed it', tone: 'good' },
  FAILED: { title: 'Not paid', text: CAME_BACK, tone: 'bad' },
  REVERSED: { title: 'The bank returned the money', text: CAME_BACK, tone: 'warn' },
  CANCELLED: { title: 'Cancelled', text: NOTHING_LEFT, tone: 'quiet' },
};

function ended(evidence: Evidence): Step[] {
  return evidence.stateChanges.flatMap(({ to, reason, createdAt }) => {
    const end = ENDS[to];
    if (end === undefined) return [];
    const why = reason === null ? undefined : `${showStatus(reason).word}.`;
    const money = to === 'FAILED' && !wasHeld(evidence) ? NOTHING_LEFT : end.text;
    const text = [why, money].filter((part) => part !== undefined).join(' ');
    return [{ key: `ended-${to}`, at: createdAt, title: end.title, tone: end.tone, ...(text === '' ? {} : { text }) }];
  });
}
