import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import { callWith } from '../approvals/approval-fixture.ts';
import { SECRET_KEY, startPaystackServer } from '../rails/providers/paystack-server.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { signedInOperator } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { liveBusiness, peopleOfBusiness, waitingBusiness } from './business-history.ts';
import { operatorCredits } from './credit-history.ts';
import { type Maker, mustOf } from './maker.ts';
import { operatorDecides, operatorSettles } from './operator-history.ts';
import { randomOf } from './random.ts';
import { childrenOf, openAtTheEnd, payrolls, schedules, singles } from './shop-history.ts';

export interface History {
  t: TestApp;
  connectionString: string;
  close(): Promise<void>;
}

/**
 * Books with something of everything in them, all of it made by requests, workers and people: transfers between wallets,
 * payouts of every scenario, schedules, batches, approvals, decisions of the operator, settlements, provider webhooks,
 * duplicates and refusals, a second rail, live mode. Some of it is left under way.
 */
export async function makeHistory(seed: number): Promise<History> {
  const t = await createTestApp({ WEBHOOK_ALLOW_LOOPBACK: 'true' });
  const provider = await startPaystackServer();
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
  await addSecondRail(t, provider.baseUrl);
  await made.must('PATCH', '/merchant/info', { sandboxWebhookURL: `${receiver.url}/hooks` });
  await made.must('PATCH', '/payout/rail', { first: 'sandbox', second: 'backup' });
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
  await waitingBusiness(made);
  await openAtTheEnd(made);
  return {
    t,
    connectionString: t.connectionString,
    async close() {
      await Promise.all([provider.close(), receiver.close()]);
      await t.close();
    },
  };
}

async function addSecondRail(t: TestApp, baseUrl: string): Promise<void> {
  const warned: string[] = [];
  const argv = `add-rail --name backup --provider paystack --mode SANDBOX --base-url ${baseUrl} --open-to-merchants`;
  const deps = {
    ...t,
    ledger: t.app.ledger,
    actor: 'test',
    print: () => undefined,
    warn: (line: string) => void warned.push(line),
    readInput: async () => JSON.stringify({ secretKey: SECRET_KEY }),
  };
  if ((await runAdmin(argv.split(' '), deps as unknown as AdminDeps)) !== 0) throw new Error(warned.join('\n'));
  // Rails are remembered for two seconds, by the clock of the process.
  t.clock.advance(5_000);
  await sleep(0);
}
