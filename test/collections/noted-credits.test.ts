import { expect, it } from 'vitest';
import { createCreditDirectory } from '../../src/collections/credit-directory.ts';
import type { CreditToNote } from '../../src/collections/directory-queries.ts';
import type { Database } from '../../src/platform/db/database.ts';

const MERCHANT = '01a21d82-f5dc-7520-b1cb-000000000001';
const credit = (id: number): CreditToNote => ({
  rail: 'bank',
  mode: 'LIVE',
  provider_transaction_id: String(id % 10),
  session_id: null,
  account_number: '9930000737',
  virtual_account_id: null,
  payment_id: `01a21d82-f5dc-7520-b1cb-${String(id).padStart(12, '0')}`,
  paid_at: null,
  noted_at: new Date(),
});

/** A credit as the directory has it: of a merchant, by this payment. */
const owned = (paymentId: string) => ({
  is_same_transaction: true,
  mode: 'LIVE',
  merchant_id: MERCHANT,
  payment_id: paymentId,
  wallet_id: MERCHANT,
  virtual_account_id: null,
  account_number: '9930000737',
});

/** Answers by the name of the statement, and says which were asked. */
function answering(answers: Record<string, unknown[]>) {
  const asked: string[] = [];
  const query = async ({ name }: { name: string }) => {
    asked.push(name);
    return answers[name] ?? [];
  };
  return { asked, credits: createCreditDirectory({ query } as unknown as Database) };
}

it('looks up nothing about a credit that is noted for the first time', async () => {
  const { asked, credits } = answering({ 'insert-noted-credits': [owned(credit(1).payment_id)] });
  expect(await credits.note(credit(1))).toMatchObject({ merchant_id: MERCHANT, is_posted: false, amount_minor: null });
  expect(asked).toEqual(['insert-noted-credits']);
});

it('says of credits that come at once which is noted now, which is a copy, and which is nobody’s', async () => {
  const { asked, credits } = answering({
    'insert-noted-credits': [owned(credit(1).payment_id)],
    'find-noted-credits': [{ ...owned(credit(1).payment_id), place: 1 }],
    'find-booked-credits': [{ place: 1, amount_minor: 10_000n }],
  });
  const noted = await Promise.all([credits.note(credit(1)), credits.note(credit(11)), credits.note(credit(2))]);
  expect(noted).toEqual([
    expect.objectContaining({ payment_id: credit(1).payment_id, is_posted: false }),
    expect.objectContaining({ payment_id: credit(1).payment_id, is_posted: true, amount_minor: 10_000n }),
    undefined,
  ]);
  expect(asked).toEqual(['insert-noted-credits', 'find-noted-credits', 'find-booked-credits']);
});
