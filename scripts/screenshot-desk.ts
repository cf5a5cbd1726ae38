import type { DemoFile } from '../src/demo/index.ts';
import { type HttpSession, signInOverHttp } from '../test/dashboard/support/session.ts';

/** Says "pending" for ever: its payouts stand in the queue of unknown outcomes. */
const SILENT_PAYEE = { bankCode: '058', accountNumber: '0123999934', narration: 'Invoice 1050' };
const DAY = '2026-11-20';
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
  await announce(operator);
  return {
    importId: imported.data?.importId ?? 'none',
    payoutId: payout?.payoutId ?? 'none',
    paymentId,
    settlementId: await settle(operator, second),
    ...(await proposeCredit(baseUrl, demo, operator)),
  };
}

async function announce(operator: HttpSession): Promise<void> {
  const draft = {
    title: 'Transfers to Kuda are slow',
    text: 'Kuda answers late since 09:00. Payouts stay pending until it has answered; nothing is paid twice.',
    severity: 'WARNING',
    startsAt: new Date().toISOString(),
    endsAt: new Date(Date.now() + 86_400_000).toISOString(),
    merchantIds: null,
  };
  const { data } = await operator.ask('POST', '/operator/announcement', draft);
  await operator.ask('POST', `/operator/announcement/${data?.announcementId}/publish`);
  await operator.ask('POST', '/operator/announcement', { ...draft, title: 'New fees from January', severity: 'INFO' });
}

/** A settlement of a provider with a line that the books do not know, applied. */
async function settle(operator: HttpSession, second: HttpSession): Promise<string> {
  const fields = { rail: 'sandbox', mode: 'SANDBOX', reference: 'S-2026-11-20', lumpSum: '98.50', settledOn: DAY };
  const lines = 'transaction_id,gross,fee,net\nunknown-to-us,100.00,1.50,98.50\n';
  const { data } = await operator.ask('POST', '/operator/provider-settlement', formOf(fields, lines, 'settled.csv'));
  const settlementId = data?.settlementId ?? 'none';
  await second.ask('POST', `/operator/provider-settlement/${settlementId}/apply`, {});
  return settlementId;
}

async function proposeCredit(baseUrl: string, demo: DemoFile, operator: HttpSession): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${demo.secretKey}` };
  const answer = await fetch(`${baseUrl}/wallet/merchant`, { headers });
  const { data } = (await answer.json()) as { data: { wallet: { id: string } } };
  const fields = {
    walletId: data.wallet.id,
    amount: '12500.75',
    bankCode: '058',
    bankReference: 'FT26324 / 7781',
    receivedOn: DAY,
    payerName: 'Chinedu Stores',
    note: 'Statement of the collections account, page 2, third line',
  };
  const form = formOf(fields, '%PDF-1.7\n% a page\n', 'statement.pdf');
  const made = await operator.ask('POST', `/operator/merchant/${demo.merchantId}/manual-credit?mode=SANDBOX`, form);
  return { manualCreditId: made.data?.manualCreditId ?? 'none' };
}

function formOf(fields: Record<string, string>, file: string, fileName: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([file]), fileName);
  return form;
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
  const file = ['Reference,Amount,Completed At,Status', ...lines, ''].join('\n');
  return formOf({ rail: 'sandbox', mode: 'SANDBOX', merchantId }, file, 'november.csv');
}
