import type { DemoFile } from '../src/demo/index.ts';
import { signInOverHttp } from '../test/dashboard/support/session.ts';

/** Says "pending" for ever: its payouts stand in the queue of unknown outcomes. */
const SILENT_PAYEE = { bankCode: '058', accountNumber: '0123999934', narration: 'Invoice 1050' };
const NOTE = 'Letter of the bank of 20 November, signed by the head of operations';

/** Fills what the operator's pages show, over their own operations, and gives the ids by name. */
export async function fillDesk(baseUrl: string, demo: DemoFile): Promise<Record<string, string>> {
  const operator = await signInOverHttp(baseUrl, demo.operator);
  const second = await signInOverHttp(baseUrl, demo.colleagues.operator);
  const tenant = { merchantId: demo.merchantId, mode: 'SANDBOX' };
  for (const amount of [12_500, 40_000]) await payInSilence(baseUrl, demo, amount);

  const queue = await operator.ask('GET', '/operator/outcome?all=true');
  const [payout] = queue.data.records as { payoutId: string; railReference: string }[];
  if (payout !== undefined) {
    const said = { ...tenant, payoutId: payout.payoutId, outcome: 'FAILED', source: 'BANK_LETTER', note: NOTE };
    await second.ask('POST', '/operator/outcome/propose', said);
  }
  await operator.ask('POST', '/operator/float/check', { rails: ['sandbox'], ...tenant });
  await operator.ask('POST', '/operator/limit', { ...tenant, perPayout: 500_000, reason: 'A new merchant' });
  await operator.ask('POST', '/operator/person/invite', { email: 'chidi@manilla.example' });
  await operator.ask('POST', '/operator/verify');
  const imported = await operator.ask(
    'POST',
    '/operator/settlement',
    settlementOf(demo, payout?.railReference ?? 'none'),
  );
  const paid = await operator.ask('GET', '/operator/inbound-payment');
  const paymentId = paid.data?.records[0]?.paymentId ?? 'none';
  return { importId: imported.data?.importId ?? 'none', payoutId: payout?.payoutId ?? 'none', paymentId };
}

async function payInSilence(baseUrl: string, demo: DemoFile, amount: number): Promise<void> {
  await fetch(`${baseUrl}/payout/single`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...SILENT_PAYEE, pin: demo.pin, amount }),
  });
  // The worker takes it to the rail.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
}

/** A line that says another outcome than the books, and one that they do not know. */
function settlementOf({ merchantId }: DemoFile, railReference: string): FormData {
  const at = new Date().toISOString();
  const lines = [
    `${railReference},12500.00,${at},successful`,
    `01a1fa8e01a1fa8e01a1fa8e01a1fa8e,400.00,${at},successful`,
  ];
  const form = new FormData();
  for (const [name, value] of Object.entries({ rail: 'sandbox', mode: 'SANDBOX', merchantId }))
    form.append(name, value);
  form.append('file', new Blob([['Reference,Amount,Completed At,Status', ...lines, ''].join('\n')]), 'november.csv');
  return form;
}
