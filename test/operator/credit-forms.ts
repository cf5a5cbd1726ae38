import { lagosDay } from '../../src/platform/clock.ts';
import { type Part, pdf, sendForm } from '../onboarding/upload.ts';
import type { Reply, TestApp } from '../support/app.ts';
import type { TestPerson } from '../support/people.ts';

export interface CreditTerms {
  merchantId: string;
  mode?: string;
  fields: Record<string, string>;
  /** `null`: none at all. */
  file?: { content: string | Buffer; fileName?: string } | null;
  more?: readonly Part[];
}

let made = 0;
/** A reference that no other credit has. */
export function newReference(): string {
  made += 1;
  return `FT26/${String(made).padStart(6, '0')}`;
}

export const CREDIT_NOTE = 'Statement of 20 November, page 2, third line';

/** A credit to a wallet that has nothing wrong with it. */
export const creditFields = (t: Pick<TestApp, 'clock'>, walletId: string): Record<string, string> => ({
  walletId,
  amount: '1500.50',
  bankCode: '058',
  bankReference: newReference(),
  receivedOn: lagosDay(t.clock.now()),
  payerName: 'Chinedu Stores',
  note: CREDIT_NOTE,
});

/** Proposes a credit as the operator's page does. */
export function sendCredit(
  t: TestApp,
  person: TestPerson,
  { merchantId, mode, fields, file, more }: CreditTerms,
): Promise<Reply> {
  const { content, fileName = 'statement.pdf' } = file ?? { content: pdf() };
  return sendForm(
    t,
    person,
    [
      ...Object.entries(fields).map(([name, value]) => ({ name, content: value })),
      ...(file === null ? [] : [{ name: 'file', content, fileName }]),
      ...(more ?? []),
    ],
    { url: `/operator/merchant/${merchantId}/manual-credit?mode=${mode ?? 'SANDBOX'}` },
  );
}
