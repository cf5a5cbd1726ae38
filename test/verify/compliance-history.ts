import type { TestPerson } from '../support/people.ts';
import type { Bank, Payee } from './collection-history.ts';
import { type Maker, mustOf } from './maker.ts';

const MINUTE_MS = 60_000;
const NOTE = 'The court lifted its order on 24 November';
const TERMS = {
  reason: 'A bank reported a fraud',
  legalBasis: 'Order FHC/L/CS/41/2026',
  owner: 'Compliance desk',
};

interface Staff {
  ada: TestPerson;
  bola: TestPerson;
}

/** Freezes of every kind: some hold money, one is lifted by two, one is over by its time, and proposals end in every way. */
export async function operatorFreezes(
  made: Maker,
  { ada, bola }: Staff,
  { bank, payee, accountNumber }: { bank: Bank; payee: Payee; accountNumber: string },
): Promise<void> {
  const { t } = made;
  for (const person of [ada, bola]) await person.refresh();
  const freeze = async (given: object): Promise<string> => {
    const answer = await mustOf(ada.call)('POST', '/operator/freeze', { ...TERMS, mode: 'LIVE', ...given });
    return answer.freeze.freezeId;
  };
  const lifted = await freeze({ subject: 'REFERENCE', reference: 'a reference of nobody' });
  const held = await freeze({ subject: 'MERCHANT', merchantId: payee.merchant.merchantId });
  const until = new Date(t.clock.now().getTime() + MINUTE_MS).toISOString();
  await freeze({ subject: 'PAYER', payerName: 'Nobody At All', endsAt: until });
  const account = await freeze({ mode: 'SANDBOX', subject: 'ACCOUNT', bankCode: '058', accountNumber: '0999999991' });
  await bank.pass(10_000);
  for (const amountMinor of [61_00n, 62_00n]) await bank.report(bank.pay({ accountNumber, amountMinor }));
  await bank.pass(MINUTE_MS);
  const propose = (freezeId: string) => mustOf(ada.call)('POST', '/operator/freeze/lift', { freezeId, note: NOTE });
  const end = (by: TestPerson, step: string, body: object) =>
    mustOf(by.call)('POST', `/operator/compliance-proposal/${step}`, body);
  await end(bola, 'confirm', await propose(lifted));
  const close = async (by: TestPerson, step: string) => {
    const { proposalId } = await propose(account);
    await end(by, step, { proposalId, reason: 'No such order' });
  };
  await close(bola, 'reject');
  await close(ada, 'withdraw');
  await propose(account);
  await end(bola, 'confirm', await propose(held));
  await made.work();
}
