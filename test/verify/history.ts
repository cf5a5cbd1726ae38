import { addUpDays } from '../../src/ledger/index.ts';
import { payoutDirectoryKeeper } from '../../src/payout-directory/index.ts';
import { callWith } from '../approvals/approval-fixture.ts';
import { SECRET_KEY, startPaystackServer } from '../rails/providers/paystack-server.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { signedInOperator } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { archiveBefore, transfersLongAgo } from './archive-history.ts';
import { liveBusiness, peopleOfBusiness, waitingBusiness } from './business-history.ts';
import { cardPayments } from './card-history.ts';
import { operatorCommand, payersAtTheEnd, providerPayers, simulatedPayers } from './collection-history.ts';
import { operatorFreezes } from './compliance-history.ts';
import { operatorCredits } from './credit-history.ts';
import { disputedPayments, disputesByHand } from './dispute-history.ts';
import { type Maker, mustOf } from './maker.ts';
import { settlementsToBanks } from './merchant-settlement-history.ts';
import { operatorDecides, operatorSettles } from './operator-history.ts';
import { randomOf } from './random.ts';
import { refunds, refundsByRule } from './refund-history.ts';
import { paymentSessions } from './session-history.ts';
import { operatorSettlesCollections, operatorSettlesDeductions } from './settlement-history.ts';
import { childrenOf, manyDebits, openAtTheEnd, payrolls, schedules, singles } from './shop-history.ts';
import { operatorEndsSuspense } from './suspense-history.ts';

export interface History {
  t: TestApp;
  connectionString: string;
  /** Archives its oldest events into files of the directory. */
  archive(directory: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Books with something of everything in them, all of it made by requests, workers and people: transfers between wallets,
 * payouts of every scenario, schedules, batches, approvals, decisions of the operator, settlements, provider webhooks,
 * duplicates and refusals, a second rail, live mode, money that comes in. Some of it is left under way.
 */
export async function makeHistory(seed: number): Promise<History> {
  const t = await createTestApp({ WEBHOOK_ALLOW_LOOPBACK: 'true' });
  const provider = await startPaystackServer();
  const liveProvider = await startPaystackServer({ isLive: true });
  const receiver = await startReceiver();
  const shop = t.merchant;
  const byKey = callWith(t, bearer(shop.secretKey));
  const made: Maker = {
    t,
    random: randomOf(seed),
    shop,
    byKey,
    must: mustOf(byKey),
    async work() {
      await t.app.worker.runOnce();
      await t.app.webhookWorker.runOnce();
    },
  };
  const oldest = await transfersLongAgo(made);
  const backup = `add-rail --name backup --provider paystack --mode SANDBOX --base-url ${provider.baseUrl} --open-to-merchants`;
  await operatorCommand(t, backup, JSON.stringify({ secretKey: SECRET_KEY }));
  await made.must('PATCH', '/merchant/info', { sandboxWebhookURL: `${receiver.url}/hooks` });
  await made.must('PATCH', '/payout/rail', { first: 'sandbox', second: 'backup' });
  await refundsByRule(made);
  await childrenOf(made);
  const paid = await singles(made);
  await schedules(made);
  await payrolls(made);
  await peopleOfBusiness(made);
  const staff = { ada: await signedInOperator(t), bola: await signedInOperator(t) };
  await operatorSettles(made, staff, paid);
  await operatorDecides(made, staff, paid);
  await operatorCredits(made, staff);
  await liveBusiness(made);
  await made.work();
  const firstFee = await collectionFee(t, { flatMinor: 25n, rateBasisPoints: 150, capMinor: 40_00n });
  await simulatedPayers(made);
  await cardPayments(made, staff);
  await disputedPayments(made);
  await paymentSessions(made);
  await collectionFee(t, { rateBasisPoints: 125, rounding: 'UP' }, [firstFee]);
  const payers = await providerPayers(made, liveProvider);
  await operatorEndsSuspense(made, staff, payers);
  await operatorFreezes(made, staff, payers);
  await operatorSettlesCollections(made, staff, payers);
  await settlementsToBanks(made);
  await disputesByHand(made, staff);
  await refunds(made, staff);
  await operatorSettlesDeductions(made, staff);
  await manyDebits(made);
  await waitingBusiness(made);
  await openAtTheEnd(made);
  await payersAtTheEnd(made);
  for (const mode of ['SANDBOX', 'LIVE'] as const) {
    await addUpDays(t, mode);
    await payoutDirectoryKeeper(t, mode)();
  }
  return {
    t,
    connectionString: t.connectionString,
    archive: (directory) => archiveBefore(t, oldest, directory),
    async close() {
      await Promise.all([provider.close(), liveProvider.close(), receiver.close()]);
      await t.close();
    },
  };
}
