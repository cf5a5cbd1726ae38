import { archiveEvents } from '../../src/event-archive/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { TEST_PIN } from '../support/app.ts';
import type { Maker } from './maker.ts';

/** Transfers of every kind, long ago: their events and keys are in files of the directory, two events each. */
export async function archivedTransfers({ t, shop, byKey, must }: Maker, directory: string): Promise<void> {
  const [storeId, subaccountId] = [shop.storeIds[0], shop.subaccountIds[0]];
  await must('POST', '/subaccount/credit', { subaccountId, amount: 30, narration: 'VAT' });
  await must('POST', '/subaccount/debit', { pin: TEST_PIN, subaccountId, amount: 10, narration: 'VAT back' });
  // Without a key.
  const debit = { storeId, amount: 20, pin: TEST_PIN, narration: 'takings' };
  await byKey('POST', '/branch/store/debit', debit, {});
  await byKey('POST', '/branch/store/debit', debit, { 'idempotency-key': newId() });
  const before = new Date(t.clock.now().getTime() + 1);
  const archives = await archiveEvents({ ...t, directory }, { before, eventsAFile: 2 });
  if (archives.length < 3) throw new Error(`${archives.length} files were written`);
  t.clock.advance(5_000);
}
