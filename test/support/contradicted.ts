import { confirmOutcome } from '../../src/outcomes/confirm-outcome.ts';
import { proposeOutcome } from '../../src/outcomes/propose-outcome.ts';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import { findPayout, type PayoutDeps, type PayoutRecord } from '../../src/payouts/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { NOTHING_REPORTED } from '../../src/rails/index.ts';
import { addPerson } from './people.ts';

/** Its rail says of a payout that failed that it paid. */
export async function saysPaid(deps: PayoutDeps, tenant: Tenant, payoutId: string): Promise<void> {
  const [payout] = await deps.database.query(findPayout, [tenant.merchantId, tenant.mode, payoutId]);
  const said = { outcome: 'succeeded', code: '00', reason: null, message: 'paid', sessionId: null } as const;
  const answer = { ...said, at: deps.clock.now(), reported: NOTHING_REPORTED };
  await applyOutcome(deps, payout as PayoutRecord, answer, { kind: 'PROVIDER_WEBHOOK' });
}

/** Two people of the operator find out that it did not. */
export async function letStand(deps: PayoutDeps, tenant: Tenant, payoutId: string): Promise<void> {
  const person = () => addPerson(deps, { kind: 'OPERATOR', email: `${newId()}@bank.example` });
  const [first, second] = [await person(), await person()];
  const decision = { outcome: 'FAILED', source: 'BANK_LETTER', note: 'The letter of the bank of today' } as const;
  const proposed = await proposeOutcome(deps, { tenant, payoutId, ...decision, personId: first });
  await confirmOutcome(deps, { tenant, ...proposed, personId: second });
}
