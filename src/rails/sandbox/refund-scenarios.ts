/** What the simulated bank says of a refund. `NOT_FOUND` is no status of its books. */
export type SandboxRefundStatus =
  | 'PROCESSED'
  | 'PENDING'
  | 'NEEDS_DETAILS'
  | 'FAILED'
  | 'REFUSED'
  | 'UNLISTED'
  | 'NOT_FOUND';

export interface RefundScenario {
  /** The value of the header `X-Sandbox-Scenario`. */
  name: string;
  happens: string;
  /** `hang`: no answer until the caller is aborted. */
  sending: 'answer' | 'hang';
  /** The first request never reaches the bank's books; a second one under the same reference does. */
  lost?: true;
  /** What it is once it is in the books. */
  status: SandboxRefundStatus;
  /** What becomes of it after so many queries or so many seconds, whichever is first. */
  later?: { status: SandboxRefundStatus; queries: number; seconds: number };
  /** It says of another amount. */
  wrongAmount?: true;
}

const SOON = { queries: 2, seconds: 5 };

type Details = Partial<Omit<RefundScenario, 'name' | 'happens'>>;

function scenario(name: string, happens: string, details: Details = {}): RefundScenario {
  return { name, happens, sending: 'answer', status: 'PROCESSED', ...details };
}

/** Everything that the simulated bank can do with a refund. The first is what it does where none is named. */
export const REFUND_SCENARIOS: readonly RefundScenario[] = [
  scenario('refund-success', 'The refund is processed at once, as where no scenario is named.'),
  scenario('refund-pending-then-processed', 'Pending; processed at the 2nd query or after 5 s.', {
    status: 'PENDING',
    later: { status: 'PROCESSED', ...SOON },
  }),
  scenario('refund-pending-then-failed', 'Pending; it fails at the 2nd query or after 5 s.', {
    status: 'PENDING',
    later: { status: 'FAILED', ...SOON },
  }),
  scenario('refund-needs-details', 'The bank wants the payer’s account; once that is given, it is processed.', {
    status: 'NEEDS_DETAILS',
  }),
  scenario('refund-timeout-executed', 'The request gets no answer, but was executed; a query says processed.', {
    sending: 'hang',
  }),
  scenario(
    'refund-timeout-not-executed',
    'The request gets no answer and was lost; queries find nothing. Sent again under the same reference it is processed.',
    { sending: 'hang', lost: true },
  ),
  scenario('refund-refused', 'The bank refuses it at once.', { status: 'REFUSED' }),
  scenario('refund-pending-forever', 'Pending until an operator decides it.', { status: 'PENDING' }),
  scenario('refund-unlisted-status', 'A status that nobody knows; processed at the 2nd query or after 5 s.', {
    status: 'UNLISTED',
    later: { status: 'PROCESSED', ...SOON },
  }),
  scenario('refund-other-amount', 'Processed, of one kobo more than was asked for.', { wrongAmount: true }),
];

const [PLAIN] = REFUND_SCENARIOS as [RefundScenario, ...RefundScenario[]];
const BY_NAME: ReadonlyMap<string, RefundScenario> = new Map(REFUND_SCENARIOS.map((entry) => [entry.name, entry]));

export const isRefundScenario = (name: string): boolean => BY_NAME.has(name);

/** A name that is none is plain success: what was stored is not refused afterwards. */
export const refundScenarioOf = (name: string | undefined): RefundScenario => BY_NAME.get(name ?? '') ?? PLAIN;

/** What it is now: by how often it was asked about, and since when it is in the books. */
export function refundStatusAt(
  { status, later }: RefundScenario,
  {
    queries,
    received_at,
    account_number,
  }: { queries: number; received_at: Date | null; account_number: string | null },
  now: Date,
): SandboxRefundStatus {
  if (received_at === null) return 'NOT_FOUND';
  if (status === 'NEEDS_DETAILS') return account_number === null ? status : 'PROCESSED';
  if (later === undefined) return status;
  const isLater = queries >= later.queries || now.getTime() - received_at.getTime() >= later.seconds * 1_000;
  return isLater ? later.status : status;
}
