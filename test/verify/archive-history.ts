import { archiveEvents } from '../../src/event-archive/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { TEST_PIN, type TestApp } from '../support/app.ts';
import type { Maker } from './maker.ts';

/** Transfers of every kind, before all else. Answers the moment behind them: what is older can be archived. */
export async function transfersLongAgo({ t, shop, byKey, must }: Maker): Promise<Date> {
  const [storeId, subaccountId] = [shop.storeIds[0], shop.subaccountIds[0]];
  await must('POST', '/subaccount/credit', { subaccountId, amount: 30, narration: 'VAT' });
  await must('POST', '/subaccount/debit', { pin: TEST_PIN, subaccountId, amount: 10, narration: 'VAT back' });
  // Without a key.
  const debit = { storeId, amount: 20, pin: TEST_PIN, narration: 'takings' };
  await byKey('POST', '/branch/store/debit', debit, {});
  await byKey('POST', '/branch/store/debit', debit, { 'idempotency-key': newId() });
  const behind = new Date(t.clock.now().getTime() + 1);
  t.clock.advance(5_000);
  return behind;
}

/** Puts the events before the moment, with their keys, into files of the directory, two events each. */
export async function archiveBefore(t: TestApp, before: Date, directory: string): Promise<void> {
  const archives = await archiveEvents({ ...t, directory }, { before, eventsAFile: 2 });
  if (archives.length < 3) throw new Error(`${archives.length} files were written`);
}
