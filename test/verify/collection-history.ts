import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import { openCreditDigest } from '../../src/collections/index.ts';
import { changeMerchantStatus } from '../../src/merchants/index.ts';
import { callWith } from '../approvals/approval-fixture.ts';
import { LIVE_SECRET_KEY, type PaystackServer } from '../rails/providers/paystack-server.ts';
import type { CreditRow } from '../rails/providers/wallet-books.ts';
import type { DepositFacts } from '../rails/wallet-harness.ts';
import type { TestApp, TestMerchant } from '../support/app.ts';
import { inject } from '../support/base.ts';
import { moved } from '../support/moved.ts';
import { bearer } from '../support/world.ts';
import { type Maker, type Must, moveSandboxClock, mustOf } from './maker.ts';

export const LIVE_BANK = 'live-bank';
const MINUTE_MS = 60_000;

/** As the operator notes a provider account, or chooses one. Processes remember such things for seconds. */
export async function operatorCommand(t: TestApp, line: string, input = ''): Promise<void> {
  const warned: string[] = [];
  const deps = {
    ...t,
    ledger: t.app.ledger,
    actor: 'test',
    print: () => undefined,
    warn: (text: string) => void warned.push(text),
    readInput: async () => input,
  };
  if ((await runAdmin(line.split(' '), deps as unknown as AdminDeps)) !== 0) throw new Error(warned.join('\n'));
  t.clock.advance(5_000);
  await sleep(0);
}

/** Simulated payers of every scenario, to the main wallet, a store's and a subaccount's; some are not done with. */
export async function simulatedPayers(made: Maker): Promise<void> {
  const { t, must, byKey, shop, work, random } = made;
  const { walletId } = await must('GET', `/branch/store/${shop.storeIds[0]}`);
  const child = await must('GET', `/subaccount/${shop.subaccountIds[0]}`);
  const payTo = async (wallet: string, scenario: string, more: object = {}) => {
    const { accounts } = await must('GET', `/wallet/${wallet}/account`);
    const { accountNumber } = accounts[0];
    return must('POST', '/sandbox/collection/pay', {
      ...{ accountNumber, amount: (100 + random.below(900_000)) / 100, scenario },
      ...more,
    });
  };
  const payer = { name: 'NGOZI  ÈZE', accountNumber: '0123456789', bankName: 'UBA' };
  await payTo(shop.walletId, 'paid', { payer, narration: 'Invoice 7' });
  await payTo(shop.walletId, 'paid', { times: 3 });
  await payTo(walletId, 'notified_twice', { narration: 'Ankara' });
  await payTo(child.walletId, 'never_notified', { payer: { name: 'A' } });
  for (const scenario of ['notified_late', 'pending_first', 'not_found_first', 'wrong_amount_in_webhook']) {
    await payTo(walletId, scenario);
  }
  for (const scenario of ['out_of_order', 'failed', 'forged', 'reversed']) await payTo(shop.walletId, scenario);
  await work();
  t.clock.advance(MINUTE_MS);
  await work();
  await moveSandboxClock(made, must, 2 * 3_600);
  await work();
  const unknown = { accountNumber: '1234567890', amount: 5 };
  const refused = await byKey('POST', '/sandbox/collection/pay', unknown, { 'idempotency-key': 'nobody-has-it' });
  if (refused.body.status !== false) throw new Error('a number that nobody has was paid to');
}

/** Money that has just been paid at the sandbox's bank, of which no worker has heard. */
export async function payersAtTheEnd({ must, shop }: Maker): Promise<void> {
  const { accounts } = await must('GET', `/wallet/${shop.walletId}/account`);
  const { accountNumber } = accounts[0];
  for (const scenario of ['paid', 'notified_late', 'never_notified']) {
    await must('POST', '/sandbox/collection/pay', { accountNumber, amount: 75.5, scenario });
  }
}

export interface Payee {
  merchant: TestMerchant;
  must: Must;
  walletId: string;
}

async function livePayee(t: TestApp, name: string, approved = true): Promise<Payee> {
  const merchant = await t.addMerchant({ mode: 'LIVE', name, approved });
  const must = mustOf(callWith(t, bearer(merchant.secretKey)));
  const walletId = approved ? (await must('GET', '/wallet/merchant')).wallet.id : '';
  return { merchant, must, walletId };
}

/** What somebody pays to account numbers of a provider, and what the provider says of it. */
function bankOf({ t, work }: Maker, { wallets, signed }: PaystackServer, mode: string, rail: string) {
  const { books } = wallets;
  const reportAs = async (rawBody: Buffer) => {
    const { headers } = signed(rawBody);
    const path = `/rail/${mode.toLowerCase()}/${rail}/webhook`;
    const reply = await inject(t.app.server, 'POST', path, rawBody.toString(), headers as Record<string, string>);
    if (reply.status !== 200) throw new Error(reply.text);
  };
  return {
    books,
    /** Somebody pays; the list says so, or a webhook. */
    pay: (facts: DepositFacts) => books.deposit({ at: t.clock.now(), ...facts }),
    report: (credit: CreditRow, changes: { amountMinor?: bigint } = {}) =>
      reportAs(wallets.chargeSuccess(credit, changes)),
    /** About a transfer that the provider knows nothing of. */
    invent: (credit: CreditRow) =>
      reportAs(wallets.chargeSuccess({ ...credit, id: credit.id + 7_000, reference: 'invented' })),
    async pass(ms: number) {
      t.clock.advance(ms);
      await work();
    },
  };
}

export type Bank = ReturnType<typeof bankOf>;

/**
 * Wallets with account numbers at a provider in live mode: opened, refused, asked for; paid to by webhook and by list; held
 * for a merchant that is suspended; and every way in which a reported credit comes to nothing yet.
 * @returns the bank, and the merchant for which payments were held, with its number there.
 */
export async function providerPayers(
  made: Maker,
  server: PaystackServer,
): Promise<{ bank: Bank; payee: Payee; accountNumber: string }> {
  const { t, work } = made;
  const input = JSON.stringify({ secretKey: LIVE_SECRET_KEY });
  const command = `add-rail --name ${LIVE_BANK} --provider paystack --mode LIVE --base-url ${server.baseUrl}`;
  await operatorCommand(t, command, input);
  const early = await livePayee(t, 'Early');
  await operatorCommand(t, `wallet-provider --mode LIVE --name ${LIVE_BANK} --bank wema-bank`);
  const bank = bankOf(made, server, 'LIVE', LIVE_BANK);
  const ankara = await livePayee(t, 'Ankara Ltd');
  await ankara.must('POST', '/branch/store', { name: 'Ankara store' });
  await ankara.must('POST', '/subaccount', { name: 'Ankara rent' });
  await bank.pass(10_000);
  bank.books.openings.push('refused');
  const refused = await livePayee(t, 'Refused Ltd');
  await work();
  await bank.pass(10_000);
  await refused.must('POST', '/collection/account', { walletId: refused.walletId });
  await bank.pass(10_000);
  const numbers = await Promise.all([early, ankara].map(numberOf));
  await creditsThatCome(bank, numbers as [string, string]);
  await creditsOfCustomers(bank, ankara);
  const payee = await heldPayee(made);
  await creditsThatAreHeld(made, bank, payee);
  await creditsThatWait(made, bank, numbers[0] as string);
  await livePayee(t, 'Unapproved', false);
  bank.books.openings.push('pending');
  await livePayee(t, 'Pending');
  await work();
  return { bank, payee, accountNumber: await numberOf(payee) };
}

async function numberOf({ must, walletId }: Payee): Promise<string> {
  const { accounts } = await must('GET', `/wallet/${walletId}/account`);
  return accounts[0].accountNumber;
}

async function creditsThatCome(bank: Bank, [early, ankara]: [string, string]): Promise<void> {
  await bank.report(bank.pay({ accountNumber: ankara, amountMinor: 1_234_567n }));
  const copied = bank.pay({
    accountNumber: ankara,
    amountMinor: 50_01n,
    narration: 'Adire 20% off',
    payerName: 'Chidi',
  });
  await Promise.all([bank.report(copied), bank.report(copied), bank.report(copied, { amountMinor: 1n })]);
  bank.pay({ accountNumber: early, amountMinor: 77_00n });
  const slow = bank.pay({ accountNumber: early, amountMinor: 9_00n, status: 'pending' });
  await bank.report(slow);
  await bank.pass(15_000);
  slow.status = 'confirmed';
  await bank.pass(60_000);
}

/** Customers with numbers of their own: paid to, refused once, and paid to after it was closed. */
async function creditsOfCustomers(bank: Bank, { must }: Payee): Promise<void> {
  const newCustomer = async (name: string) => {
    const customer = { name, email: `${name.toLowerCase()}@b.example`, phoneNumber: '2348031234567' };
    return (await must('POST', '/customer', customer)).customerId as string;
  };
  const opened = async (customerId: string) => {
    const { virtualAccountId } = await must('POST', '/collection/account', { customerId });
    await bank.pass(10_000);
    return must('GET', `/collection/account/${virtualAccountId}`);
  };
  const kept = await opened(await newCustomer('Ngozi'));
  await bank.report(bank.pay({ accountNumber: kept.accounts[0].accountNumber, amountMinor: 12_50n }));
  const twice = await newCustomer('Bola');
  bank.books.openings.push('refused');
  await opened(twice);
  const { virtualAccountId, accounts } = await opened(twice);
  await must('POST', `/collection/account/${virtualAccountId}/close`);
  await bank.pass(MINUTE_MS);
  await bank.report(bank.pay({ accountNumber: accounts[0].accountNumber, amountMinor: 13_50n }));
}

/** A merchant that has a number, and is suspended from then on. */
async function heldPayee({ t, work }: Maker): Promise<Payee> {
  const payee = await livePayee(t, 'Held Ltd');
  await work();
  return payee;
}

async function creditsThatAreHeld({ t }: Maker, bank: Bank, payee: Payee): Promise<void> {
  const accountNumber = await numberOf(payee);
  const { merchantId } = payee.merchant;
  await bank.report(bank.pay({ accountNumber, amountMinor: 3_00n }));
  const decision = { merchantId, actor: 'test', reason: 'Fraud' };
  await changeMerchantStatus({ queries: t.database, clock: t.clock }, 'suspend', decision);
  t.clock.advance(3_000);
  await bank.report(bank.pay({ accountNumber, amountMinor: 40_00n }));
  bank.pay({ accountNumber, amountMinor: 2_50n, narration: '' });
  await bank.pass(MINUTE_MS);
  await changeMerchantStatus({ queries: t.database, clock: t.clock }, 'reinstate', { merchantId, actor: 'test' });
  t.clock.advance(3_000);
  await bank.report(bank.pay({ accountNumber, amountMinor: 4_00n }));
}

/** One that nobody confirms, of play money, of a number that nobody has, that failed, that went back, and that waits. */
async function creditsThatWait({ t }: Maker, bank: Bank, accountNumber: string): Promise<void> {
  const { books } = bank;
  const nobodys = books.open('f'.repeat(32), 'NOBODY').accountNumber;
  await bank.report(bank.pay({ accountNumber: nobodys, amountMinor: 6_00n }));
  await bank.report(bank.pay({ accountNumber, amountMinor: 7_00n, mode: 'SANDBOX' }));
  await bank.report(bank.pay({ accountNumber, amountMinor: 7_50n, currency: 'GHS' }));
  await bank.report(bank.pay({ accountNumber, amountMinor: 8_00n, status: 'failed' }));
  await bank.report(bank.pay({ accountNumber, amountMinor: 8_50n, status: 'reversed' }));
  await bank.invent(bank.pay({ accountNumber, amountMinor: 10_00n }));
  // Three days of asking, which pass for this one alone.
  await t.database.pool.query(
    `update open_credits set attempts = 17, due_at = updated_at, first_seen_at = ${moved('first_seen_at', '-3 days')}
      where rail = $1 and status = 'WAITING'`,
    [LIVE_BANK],
  );
  await t.database.pool.query(`update open_credits c set digest = ${openCreditDigest('c')} where rail = $1`, [
    LIVE_BANK,
  ]);
  await bank.pass(MINUTE_MS);
  await bank.report(bank.pay({ accountNumber, amountMinor: 11_00n, status: 'pending' }));
}
