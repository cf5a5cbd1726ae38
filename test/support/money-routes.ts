import type { TestApp, TestMerchant } from './app.ts';
import { type Known, type Operation, operationsOf } from './operations.ts';
import { bearer, callWith } from './world.ts';

/** An operation that moves an amount, and the wallet that pays for it. */
export interface MoneyRoute {
  operation: Operation;
  /** Null: nobody's, such as sandbox funding. */
  payer: 'wallet' | 'store' | 'subaccount' | null;
}

/** Which wallet an operation with an amount takes it from. An operation that is missing here fails the tests below. */
const PAYERS: Record<string, MoneyRoute['payer']> = {
  'POST /branch/store/debit': 'store',
  'POST /subaccount/credit': 'wallet',
  'POST /subaccount/debit': 'subaccount',
  'POST /payout/single': 'wallet',
  'POST /payout/single/schedule': null,
  'POST /sandbox/wallet/fund': null,
};

/** These take an amount and move nothing of a wallet's own accord. */
const MOVE_NOTHING = new Set([
  'POST /payout/quote',
  'PATCH /payout/bulk/item',
  'POST /sandbox/collection/pay',
  'POST /sandbox/collection/dispute',
  'POST /sandbox/collection/settlement',
  'POST /collection/session',
  'POST /collection/link',
  // Of a payment that came in, which test/refunds has: it takes from the wallet that has it.
  'POST /collection/payment/{paymentId}/refund',
]);

/** Every operation that moves an amount. @throws Error for a new one that nobody has said who pays for. */
export function moneyRoutes(app: TestApp): MoneyRoute[] {
  return operationsOf(app.app)
    .filter(({ name, body }) => body?.properties?.['amount'] !== undefined && !MOVE_NOTHING.has(name))
    .map((operation) => {
      const payer = PAYERS[operation.name];
      if (payer === undefined) throw new Error(`say in money-routes.ts which wallet pays for ${operation.name}`);
      return { operation, payer };
    });
}

export interface Balances {
  wallet: number;
  store: number;
  subaccount: number;
}

/** What the merchant's wallets have to spend, in naira. */
export async function availableOf(app: TestApp, merchant: TestMerchant): Promise<Balances> {
  const as = bearer(merchant.secretKey);
  const wallet = await app.call('GET', '/wallet/merchant', undefined, as);
  const store = await app.call('GET', `/branch/store/${merchant.storeIds[0]}`, undefined, as);
  const subaccount = await app.call('GET', `/subaccount/${merchant.subaccountIds[0]}`, undefined, as);
  return {
    wallet: wallet.body.data.wallet.availableBalance,
    store: store.body.data.availableBalance,
    subaccount: subaccount.body.data.availableBalance,
  };
}

/** What one request of this amount takes from its payer: the amount, and for a payout its charges. */
export async function costOf(app: TestApp, merchant: TestMerchant, route: MoneyRoute, amount: number): Promise<number> {
  if (!route.operation.path.startsWith('/payout')) return amount;
  const quote = await app.call('POST', '/payout/quote', { amount }, bearer(merchant.secretKey));
  return quote.body.data.total;
}

/** Leaves the payer with exactly so much to spend. */
export async function leaveWith(
  app: TestApp,
  merchant: TestMerchant,
  known: Known,
  payer: NonNullable<MoneyRoute['payer']>,
  naira: number,
): Promise<void> {
  const routes = new Map(operationsOf(app.app).map((operation) => [operation.name, operation]));
  const move = async (name: string, amount: number) => {
    if (amount === 0) return;
    const reply = await callWith(app, routes.get(name) as Operation, { ...known, amount }, bearer(merchant.secretKey));
    if (reply.status !== 200) throw new Error(`${name}: ${reply.text}`);
  };
  const has = (await availableOf(app, merchant))[payer];
  const more = Math.round((naira - has) * 100) / 100;
  if (payer === 'store') await (more < 0 ? move('POST /branch/store/debit', -more) : fund('storeWallet', more));
  if (payer === 'subaccount')
    await (more < 0 ? move('POST /subaccount/debit', -more) : move('POST /subaccount/credit', more));
  if (payer === 'wallet') await (more < 0 ? move('POST /subaccount/credit', -more) : fund('wallet', more));

  async function fund(which: 'wallet' | 'storeWallet', amount: number): Promise<void> {
    if (amount === 0) return;
    const store = await app.call('GET', `/branch/store/${merchant.storeIds[0]}`, undefined, bearer(merchant.secretKey));
    const walletId = which === 'wallet' ? merchant.walletId : store.body.data.walletId;
    await app.call('POST', '/sandbox/wallet/fund', { walletId, amount }, bearer(merchant.secretKey));
  }
}
