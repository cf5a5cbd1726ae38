import { type Reading, readNipCode } from '../nip-codes.ts';
import type { RailOutcome } from '../port.ts';
import type { ReportedFacts } from '../reported.ts';
import type { TransferRow } from './queries.ts';
import { OUTAGE, REVERSED_CODE, type SandboxScenario } from './scenarios.ts';

/** What a query finds where nothing reached the rail's books. */
export const NOT_FOUND_CODE = '25';

type State = Pick<TransferRow, 'first_sent_at' | 'received_at' | 'queries'>;

/** The transfer's code at `now`, from what is stored and the clock alone: no timer has to have run. */
export function codeAt(scenario: SandboxScenario, state: State, stage: 'send' | 'query', now: Date): string {
  if (state.received_at === null) return NOT_FOUND_CODE;
  const { later } = scenario;
  if (later !== undefined && isDue(later, state.received_at, state.queries, now)) return later.code;
  return stage === 'query' ? (scenario.queryCode ?? scenario.code) : scenario.code;
}

type Facts = Pick<TransferRow, 'rail_reference' | 'amount_minor' | 'currency' | 'account_number' | 'bank_code'>;

/** What the rail says of a transfer: what its books have, or what it is to say in their place. */
export function reportedOf({ reports }: SandboxScenario, row: Facts): ReportedFacts {
  return {
    railReference: row.rail_reference,
    amountMinor: row.amount_minor,
    currency: row.currency,
    accountNumber: row.account_number,
    bankCode: row.bank_code,
    ...reports,
  };
}

export function isDown(scenario: SandboxScenario, state: State, now: Date): boolean {
  return scenario.sending === 'down' && !isDue(OUTAGE, state.first_sent_at, state.queries, now);
}

/** Whether queries change what comes next, so that they have to be counted. */
export function countsQueries(scenario: SandboxScenario): boolean {
  return scenario.later !== undefined || scenario.sending === 'down';
}

export function readCode(stage: 'send' | 'query', code: string): Reading<RailOutcome> {
  if (code !== REVERSED_CODE) return readNipCode(stage, code);
  return { outcome: 'reversed', reason: 'RAIL_REVERSED', message: 'The beneficiary bank returned the money' };
}

function isDue(when: { queries: number; seconds: number }, from: Date, queries: number, now: Date): boolean {
  return queries >= when.queries || now.getTime() - from.getTime() >= when.seconds * 1_000;
}
