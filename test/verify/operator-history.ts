import type { TestPerson } from '../support/people.ts';
import { type Maker, moveSandboxClock, mustOf } from './maker.ts';
import type { PaidPayouts } from './shop-history.ts';

const NOTE = 'Letter of the bank of 20 November, signed by the head of operations';
const BOUNDARY = 'a-boundary-that-no-file-holds';

/** The nth payout of a scenario. */
function nth(paid: PaidPayouts, scenario: string, at: number): string {
  const id = paid[scenario]?.[at];
  if (id === undefined) throw new Error(`there is no payout ${at} of ${scenario}`);
  return id;
}

/** Two of the operator's people. */
interface Staff {
  ada: TestPerson;
  bola: TestPerson;
}

interface Proposed {
  proposalId: string;
  digest: string;
}

interface Line {
  id: string;
  status?: string;
  amount?: number;
}

/** Files of the rail: payments, returns, what differs, what nobody knows, the same line twice, a line that is none. */
export async function operatorSettles(made: Maker, { ada, bola }: Staff, paid: PaidPayouts): Promise<void> {
  await send(made, ada, 'first.csv', [
    ...[0, 1, 2, 3].map((at) => ({ id: nth(paid, 'success', at) })),
    { id: nth(paid, 'success', 0) },
    { id: nth(paid, 'late-reversal', 0) },
  ]);
  const second = await send(
    made,
    ada,
    'second.csv',
    [
      { id: nth(paid, 'late-reversal', 0), status: 'reversed' },
      { id: nth(paid, 'late-reversal', 1), status: 'reversed' },
      { id: nth(paid, 'success', 4), amount: 1 },
      { id: nth(paid, 'success', 5), status: 'reversed' },
      { id: nth(paid, 'pending-forever', 1) },
      { id: nth(paid, 'failed-do-not-honour', 0) },
      { id: nth(paid, 'failed-do-not-honour', 1), status: 'failed' },
    ],
    ['0123456789abcdef0123456789abcdef,10.00,2026-01-01T00:00:00Z,successful', 'no line at all,,,'],
  );
  if ((await applyAll(bola, second)) < 2) throw new Error('nothing was applied');
  const accepted = { result: 'MISSING_HERE', how: 'ACCEPT', note: NOTE };
  await mustOf(ada.call)('POST', `/operator/settlement/${second}/resolve`, accepted);
}

/** Imports a file of the sandbox rail with these lines. */
async function send(made: Maker, by: TestPerson, name: string, lines: readonly Line[], more: readonly string[] = []) {
  const rows = await Promise.all(lines.map((line) => rowOf(made, line)));
  return importFile(made, by, name, ['Reference,Amount,Completed At,Status', ...rows, ...more, ''].join('\n'));
}

/** Applies what of a file can be applied. */
async function applyAll(by: TestPerson, importId: string): Promise<number> {
  const { records } = await mustOf(by.call)('GET', `/operator/settlement/${importId}/line?size=200`);
  let applied = 0;
  for (const { lineId } of records as { lineId: string }[]) {
    const path = `/operator/settlement/${importId}/line/${lineId}/resolve`;
    if ((await by.call('POST', path, { how: 'APPLY' })).status === 200) applied += 1;
  }
  return applied;
}

async function rowOf({ t, must }: Maker, { id, status = 'successful', amount }: Line): Promise<string> {
  const { amount: paid } = await must('GET', `/transaction/${id}`);
  return [id.replaceAll('-', ''), (amount ?? paid).toFixed(2), t.clock.now().toISOString(), status].join(',');
}

async function importFile({ shop }: Maker, by: TestPerson, name: string, file: string): Promise<string> {
  const fields = { rail: 'sandbox', mode: 'SANDBOX', merchantId: shop.merchantId };
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`;
  const payload = `${parts.join('')}${head}${file}\r\n--${BOUNDARY}--\r\n`;
  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return (await mustOf(by.call)('POST', '/operator/settlement', payload, type)).importId;
}

/** What became of payouts about which the bank stays silent: decided by two, rejected, overtaken, and one that waits. */
export async function operatorDecides(made: Maker, { ada, bola }: Staff, paid: PaidPayouts): Promise<void> {
  const { shop, must, work } = made;
  const tenant = { merchantId: shop.merchantId, mode: 'SANDBOX' };
  const said = { ...tenant, source: 'BANK_LETTER', note: NOTE };
  const propose = async (payoutId: string, outcome: string): Promise<Proposed> => {
    const { proposalId, digest } = await mustOf(ada.call)('POST', '/operator/outcome/propose', {
      ...{ ...said, payoutId, outcome },
    });
    return { proposalId, digest };
  };
  const confirm = (proposed: Proposed) =>
    mustOf(bola.call)('POST', '/operator/outcome/confirm', { ...tenant, ...proposed });
  await confirm(await propose(nth(paid, 'pending-forever', 2), 'SUCCEEDED'));
  await confirm(await propose(nth(paid, 'pending-forever', 3), 'FAILED'));
  await confirm(await propose(nth(paid, 'success', 6), 'REVERSED'));
  const rejected = await propose(nth(paid, 'pending-forever', 4), 'FAILED');
  await mustOf(bola.call)('POST', '/operator/outcome/reject', {
    ...tenant,
    proposalId: rejected.proposalId,
    reason: 'No such letter',
  });
  // A file of the rail comes first.
  const overtaken = await propose(nth(paid, 'pending-forever', 5), 'FAILED');
  const third = await send(made, ada, 'third.csv', [{ id: nth(paid, 'pending-forever', 5) }]);
  await applyAll(bola, third);
  const late = await bola.call('POST', '/operator/outcome/confirm', { ...tenant, ...overtaken });
  if (late.body.code !== 'OUTCOME_PROPOSAL_STALE') throw new Error(late.text);
  await moveSandboxClock(made, must, 25 * 3_600);
  await work();
  await propose(nth(paid, 'pending-forever', 6), 'SUCCEEDED');
}
