/** What a query of a credit can be answered with at the simulated bank. `NOT_FOUND` is no status of its books. */
export type CreditStatus = 'SUCCESS' | 'PENDING' | 'FAILED' | 'REVERSED' | 'NOT_FOUND';

/** What queries answer first: until more than so many were asked, or so many seconds went by, whichever is first. */
interface AtFirst {
  status: CreditStatus;
  /** Absent: it does not end by queries. */
  queries?: number;
  /** Absent: it does not end by time. */
  seconds?: number;
}

export interface PlannedCreditWebhook {
  /** Seconds after the payment. */
  seconds: number;
  /** What it says became of the credit; a query is what counts. */
  status: CreditStatus;
  copies?: number;
  /** Its place in the bank's own history, where it is delivered out of order. */
  sequence?: number;
  /** It says ten times the amount. */
  wrongAmount?: true;
  /** Somebody signed it who does not have the secret. */
  forged?: true;
}

export interface PayerScenario {
  name: PayerScenarioName;
  happens: string;
  /** What queries answer in the end. */
  status: Exclude<CreditStatus, 'NOT_FOUND'>;
  first?: AtFirst;
  webhooks: readonly PlannedCreditWebhook[];
}

export const PAYER_SCENARIO_NAMES = [
  'paid',
  'never_notified',
  'notified_twice',
  'notified_late',
  'pending_first',
  'not_found_first',
  'reversed',
  'failed',
  'forged',
  'wrong_amount_in_webhook',
  'out_of_order',
] as const;

export type PayerScenarioName = (typeof PAYER_SCENARIO_NAMES)[number];

const HOUR = 3_600;
/** The end of what is not clear at first, where nobody asks. */
const MINUTE = 60;
const AT_ONCE: PlannedCreditWebhook = { seconds: 0, status: 'SUCCESS' };

type Details = Partial<Pick<PayerScenario, 'status' | 'first' | 'webhooks'>>;

function scenario(happens: string, details: Details = {}): Omit<PayerScenario, 'name'> {
  return { happens, status: 'SUCCESS', webhooks: [AT_ONCE], ...details };
}

const BY_NAME: Readonly<Record<PayerScenarioName, Omit<PayerScenario, 'name'>>> = {
  paid: scenario('The money arrives, and a webhook says so at once.'),
  never_notified: scenario('The money arrives and no webhook says so: only a query and the list do.', { webhooks: [] }),
  notified_twice: scenario('The money arrives once; its webhook comes twice.', {
    webhooks: [{ ...AT_ONCE, copies: 2 }],
  }),
  notified_late: scenario('The money arrives at once, its webhook after an hour.', {
    webhooks: [{ ...AT_ONCE, seconds: HOUR }],
  }),
  pending_first: scenario('The webhook comes at once; the 1st query is answered with pending, for 60 s at most.', {
    first: { status: 'PENDING', queries: 1, seconds: MINUTE },
  }),
  not_found_first: scenario('The webhook comes at once; the 1st query finds nothing, for 60 s at most.', {
    first: { status: 'NOT_FOUND', queries: 1, seconds: MINUTE },
  }),
  reversed: scenario('The money arrives; after 60 s it goes back, and a webhook says so.', {
    status: 'REVERSED',
    first: { status: 'SUCCESS', seconds: MINUTE },
    webhooks: [AT_ONCE, { seconds: MINUTE, status: 'REVERSED' }],
  }),
  failed: scenario('A webhook says that the money arrived; every query says that the transfer failed.', {
    status: 'FAILED',
  }),
  forged: scenario('A webhook with a wrong signature is about money that never came.', {
    status: 'FAILED',
    first: { status: 'NOT_FOUND' },
    webhooks: [{ ...AT_ONCE, forged: true }],
  }),
  wrong_amount_in_webhook: scenario('The webhook is signed and says ten times what a query confirms.', {
    webhooks: [{ ...AT_ONCE, wrongAmount: true }],
  }),
  out_of_order: scenario('The webhook of success comes first, the one that says pending a second later.', {
    webhooks: [
      { ...AT_ONCE, sequence: 2 },
      { seconds: 1, status: 'PENDING', sequence: 1 },
    ],
  }),
};

/** What simulated payers can do. A published name never changes its meaning. */
export const PAYER_SCENARIOS: readonly PayerScenario[] = PAYER_SCENARIO_NAMES.map((name) => ({
  name,
  ...BY_NAME[name],
}));

/** The scenario that a credit was stored with. */
export function storedPayerScenario(stored: string): PayerScenario {
  const name = PAYER_SCENARIO_NAMES.find((known) => known === stored) ?? 'paid';
  return { name, ...BY_NAME[name] };
}

/** What a query is answered with, from what is stored and the clock alone. `queries` has the one that is asked. */
export function creditStatusAt(
  { first }: PayerScenario,
  row: { status: string; queries: number; counted_from: Date },
  now: Date,
): string {
  if (first === undefined) return row.status;
  const isAsked = first.queries !== undefined && row.queries > first.queries;
  const isDue = first.seconds !== undefined && now.getTime() - row.counted_from.getTime() >= first.seconds * 1_000;
  return isAsked || isDue ? row.status : first.status;
}

/** When the webhook with this index is due; null when none is left. */
export function creditWebhookDueAt({ webhooks }: PayerScenario, index: number, countedFrom: Date): Date | null {
  const planned = webhooks[index];
  return planned === undefined ? null : new Date(countedFrom.getTime() + planned.seconds * 1_000);
}
