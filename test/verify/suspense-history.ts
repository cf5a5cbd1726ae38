import { changeMerchantStatus } from '../../src/merchants/index.ts';
import type { TestPerson } from '../support/people.ts';
import type { Bank, Payee } from './collection-history.ts';
import { type Maker, mustOf } from './maker.ts';

const NOTE = 'The bank’s letter of 20 November, reference 41';
const MINUTE_MS = 60_000;

interface Staff {
  ada: TestPerson;
  bola: TestPerson;
}

interface Proposed {
  proposalId: string;
  digest: string;
}

type Kind = 'payment' | 'credit';

/** One of two people proposes, and the other decides. @param subject what every request names, such as the tenant */
function deciding({ ada, bola }: Staff, kind: Kind, subject: object) {
  const path = `/operator/suspense/${kind}`;
  const propose = (terms: object): Promise<Proposed> =>
    mustOf(ada.call)('POST', `${path}/propose`, { ...subject, ...terms, source: 'BANK_LETTER', note: NOTE });
  const close = (by: TestPerson, step: 'reject' | 'withdraw', { proposalId }: Proposed) =>
    mustOf(by.call)('POST', `${path}/${step}`, { ...subject, proposalId, reason: 'No such letter' });
  return {
    propose,
    confirm: async (terms: object) =>
      mustOf(bola.call)('POST', `${path}/confirm`, { ...subject, ...(await propose(terms)) }),
    reject: async (terms: object) => close(bola, 'reject', await propose(terms)),
    withdraw: async (terms: object) => close(ada, 'withdraw', await propose(terms)),
  };
}

interface Entry {
  kind: 'PAYMENT' | 'CREDIT';
  paymentId: string;
  rail: string;
  creditKey: string;
  amount: number;
}

/** What waits for a decision, by its amount in naira. */
async function waiting({ ada }: Staff, kind: Entry['kind'], amount: number): Promise<Entry> {
  const { records } = await mustOf(ada.call)('GET', '/operator/suspense?size=200');
  const found = (records as Entry[]).find((entry) => entry.kind === kind && entry.amount === amount);
  if (found === undefined) throw new Error(`no ${kind} of ${amount} waits`);
  return found;
}

/** Money in suspense and money without an owner: two people decide it in every way, and some of it still waits. */
export async function operatorEndsSuspense(
  made: Maker,
  staff: Staff,
  { bank, payee, accountNumber }: { bank: Bank; payee: Payee; accountNumber: string },
): Promise<void> {
  const { t } = made;
  const { merchantId } = payee.merchant;
  const store = await payee.must('POST', '/branch/store', { name: 'Held store' });
  const { wallet } = await payee.must('GET', '/wallet/merchant');
  const status = async (step: 'suspend' | 'reinstate') => {
    const change = { merchantId, actor: 'test', reason: 'Looked into' };
    await changeMerchantStatus({ queries: t.database, clock: t.clock }, step, change);
    t.clock.advance(5_000);
  };
  await status('suspend');
  for (const amountMinor of [31_00n, 32_00n, 33_00n, 34_00n, 35_00n]) {
    await bank.report(bank.pay({ accountNumber, amountMinor }));
  }
  await bank.pass(MINUTE_MS);
  const nobodys = bank.books.open('e'.repeat(32), 'NOBODY EITHER').accountNumber;
  for (const amountMinor of [51_00n, 52_00n, 53_00n, 54_00n]) {
    await bank.report(bank.pay({ accountNumber: nobodys, amountMinor }));
  }
  await bank.report(bank.pay({ accountNumber, amountMinor: 55_00n, currency: 'GHS' }));
  await bank.pass(MINUTE_MS);
  for (const person of [staff.ada, staff.bola]) await person.refresh();
  await decideCredits(staff, wallet.accountNumber);
  await status('reinstate');
  await decidePayments(staff, merchantId, store.walletId);
  await made.work();
}

async function decidePayments(staff: Staff, merchantId: string, storeWalletId: string): Promise<void> {
  const two = deciding(staff, 'payment', { merchantId, mode: 'LIVE' });
  const held = async (amount: number) => ({ paymentId: (await waiting(staff, 'PAYMENT', amount)).paymentId });
  await two.confirm({ ...(await held(31)), action: 'ATTRIBUTE' });
  await two.confirm({ ...(await held(32)), action: 'ATTRIBUTE', walletId: storeWalletId });
  await two.confirm({ ...(await held(33)), action: 'RETURN' });
  await two.confirm({ ...(await held(34)), action: 'KEEP' });
  await two.reject({ ...(await held(35)), action: 'KEEP' });
  await two.withdraw({ ...(await held(35)), action: 'RETURN' });
  await two.propose({ ...(await held(35)), action: 'ATTRIBUTE', walletId: storeWalletId });
}

/** The merchant is suspended: what is attributed to it is held. */
async function decideCredits(staff: Staff, accountNumber: string): Promise<void> {
  const two = deciding(staff, 'credit', {});
  const credit = async (amount: number) => {
    const { rail, creditKey } = await waiting(staff, 'CREDIT', amount);
    return { rail, creditKey };
  };
  await two.confirm({ ...(await credit(51)), action: 'ATTRIBUTE', accountNumber });
  await two.confirm({ ...(await credit(52)), action: 'RETURN' });
  await two.reject({ ...(await credit(53)), action: 'RETURN' });
  await two.withdraw({ ...(await credit(53)), action: 'ATTRIBUTE', accountNumber });
  await two.propose({ ...(await credit(53)), action: 'RETURN' });
  await two.confirm({ ...(await credit(55)), action: 'DISMISS' });
}
