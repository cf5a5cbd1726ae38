import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAboutDisputes, remindOfDisputes, repayDebts, sendDueAnswers } from '../../src/disputes/index.ts';
import { openedMail } from '../../src/disputes/mails.ts';
import { sentInOneRun } from '../people/mails.ts';
import { createTestApp, TEST_PIN, type TestApp, type TestMerchant } from '../support/app.ts';
import { containerOf } from '../support/base.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';

const BOUNDARY = 'a-boundary-that-no-file-holds';
const PDF = '%PDF-1.7 proof';
const AMOUNTS = ['amount', 'disputed', 'held', 'taken', 'loss', 'owed'] as const;

let t: TestApp;
let other: TestMerchant;
let accountNumber: string;
let deps: ReturnType<typeof containerOf>;

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant();
  deps = containerOf(t as never);
  const { rows } = await t.database.pool.query(
    "select account_number from wallets where owner_id = $1 and mode = 'SANDBOX'",
    [t.merchant.merchantId],
  );
  accountNumber = rows[0].account_number;
});
afterAll(async () => {
  expect((await brokenChecks(t.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await deps.ledger.drain();
  await t.close();
});

const deliver = () => deps.sandbox.deliverAllDueWebhooks(deps.jobs);

async function paid(amount = 100): Promise<string> {
  await t.call('POST', '/sandbox/collection/pay', { accountNumber, amount });
  await deliver();
  const { body } = await t.call('GET', '/collection/payment?size=1');
  return body.data.records[0].paymentId;
}

async function disputed(given: object = {}): Promise<string> {
  const { status } = await t.call('POST', '/sandbox/collection/dispute', { paymentId: await paid(), ...given });
  expect(status).toBe(200);
  await deliver();
  const { body } = await t.call('GET', '/collection/dispute?size=1');
  return body.data.records[0].disputeId;
}

/** A form with words and one file. */
function form(words: Record<string, string>, content = PDF): [body: string, headers: Record<string, string>] {
  const fields = Object.entries(words).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="proof.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
  return [
    `${fields.join('')}${head}${content}\r\n--${BOUNDARY}--\r\n`,
    { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  ];
}

const detail = async (id: string) => (await t.call('GET', `/collection/dispute/${id}`)).body.data;

/** Lets time go by for the sandbox, and does what is due then. */
async function pass(seconds: number): Promise<void> {
  await t.call('POST', '/sandbox/clock/advance', { seconds });
  await sendDueAnswers(deps, 'SANDBOX');
  await askAboutDisputes(deps, 'SANDBOX');
}

describe('a merchant’s disputes', () => {
  it('keep nobody else’s mail waiting, however many there are, nor those of live mode', async () => {
    const email = 'many@adire.example';
    await addPerson(t, { kind: 'MEMBER', email, merchantId: t.merchant.merchantId, role: 'OWNER' } as never);
    const paymentId = await paid();
    for (let times = 0; times < 6; times += 1) {
      expect((await t.call('POST', '/sandbox/collection/dispute', { paymentId, amount: 1 })).status).toBe(200);
    }
    await deliver();
    await t.database.pool.query('update disputes set remind_at = $1', [t.clock.now()]);
    expect(await remindOfDisputes(deps, 'SANDBOX')).toBe(6);
    expect((await t.call('POST', '/sign-up', { email: 'new@shop.example' })).status).toBe(200);
    expect((await sentInOneRun(t)).sort()).toEqual([email, email, 'new@shop.example']);
    const row = await t.database.pool.query('select * from disputes limit 1');
    const groups = (['LIVE', 'SANDBOX'] as const).map(
      (mode) => openedMail(email, { ...row.rows[0], mode, amount_minor: 1n }).group,
    );
    expect(new Set(groups).size).toBe(2);
    await t.database.pool.query('delete from people where email = $1', [email]);
  });

  it('are hidden from every other merchant, with their files', async () => {
    const id = await disputed();
    const as = { authorization: `Bearer ${other.secretKey}` };
    for (const path of [`/collection/dispute/${id}`, `/collection/dispute/${id}/file/${id}`]) {
      expect((await t.call('GET', path, undefined, as)).status).toBe(404);
    }
    expect((await t.call('POST', `/collection/dispute/${id}/accept`, { pin: TEST_PIN }, as)).status).not.toBe(200);
    expect((await t.call('GET', '/collection/dispute', undefined, as)).body.data.records).toEqual([]);
  });

  it('are contested with words and a file, which the provider gets once, and won', async () => {
    const id = await disputed();
    const sent = await t.call('POST', `/collection/dispute/${id}/evidence`, ...form({ message: 'It was delivered.' }));
    expect(sent.body).toMatchObject({ status: true, data: { answer: 'CONTEST', answerStatus: 'QUEUED' } });
    expect((await t.call('POST', `/collection/dispute/${id}/accept`, { pin: TEST_PIN })).body.code).toBe(
      'DISPUTE_ANSWERED',
    );
    await Promise.all([sendDueAnswers(deps, 'SANDBOX'), sendDueAnswers(deps, 'SANDBOX')]);
    const { dispute, answers } = await detail(id);
    expect(dispute).toMatchObject({ status: 'EVIDENCE_SENT', conclusive: false, answerStatus: 'SENT', held: 100 });
    const { fileId } = answers[0].files[0];
    const file = await t.call('GET', `/collection/dispute/${id}/file/${fileId}`);
    expect(file.status).toBe(200);
    await pass(3_600);
    expect((await detail(id)).dispute).toMatchObject({ status: 'WON', conclusive: true, taken: 0, held: 0 });
  });

  it('have files that open in their own rows only', async () => {
    const ids = [await disputed(), await disputed()];
    for (const id of ids)
      await t.call('POST', `/collection/dispute/${id}/evidence`, ...form({ message: 'It was delivered.' }));
    const paths = await Promise.all(
      ids.map(async (id) => `/collection/dispute/${id}/file/${(await detail(id)).answers[0].files[0].fileId}`),
    );
    const statuses = () => Promise.all(paths.map(async (path) => (await t.call('GET', path)).status));
    expect(await statuses()).toEqual([200, 200]);
    const turn = `update dispute_files f set content_sealed = other.content_sealed from dispute_files other
      where f.id = any ($1::uuid[]) and other.id = any ($1::uuid[]) and other.id <> f.id
        and other.merchant_id = f.merchant_id`;
    const files = [paths.map((path) => path.split('/').at(-1))];
    await t.database.pool.query(turn, files);
    expect(await statuses()).toEqual([500, 500]);
    await t.database.pool.query(turn, files);
    expect(await statuses()).toEqual([200, 200]);
  });

  it('are accepted with the PIN, and the money is taken when the provider says so', async () => {
    const id = await disputed({ amount: 40 });
    expect((await t.call('POST', `/collection/dispute/${id}/accept`, { pin: '0001' })).status).not.toBe(200);
    const accepted = await t.call(
      'POST',
      `/collection/dispute/${id}/accept`,
      { pin: TEST_PIN },
      { 'idempotency-key': 'one' },
    );
    const again = await t.call(
      'POST',
      `/collection/dispute/${id}/accept`,
      { pin: TEST_PIN },
      { 'idempotency-key': 'one' },
    );
    expect(again.text).toBe(accepted.text);
    await sendDueAnswers(deps, 'SANDBOX');
    expect((await detail(id)).dispute).toMatchObject({ status: 'ACCEPTED', conclusive: true, taken: 40, loss: 0 });
  });

  it('are lost by silence at the end of the time, which the sandbox’s clock brings', async () => {
    const id = await disputed({ amount: 10 });
    await t.call('POST', '/sandbox/clock/advance', { seconds: 17 * 3_600 });
    // Until the bank is asked, the books have it open, and they are right.
    expect(await brokenChecks(t.database)).toEqual([]);
    await askAboutDisputes(deps, 'SANDBOX');
    expect((await detail(id)).dispute).toMatchObject({ status: 'LOST', reason: 'NOT_ANSWERED_IN_TIME', taken: 10 });
    const late = await t.call('POST', `/collection/dispute/${id}/accept`, { pin: TEST_PIN });
    expect(late.body.code).toBe('DISPUTE_NOT_OPEN');
  });

  it('say why the provider did not take an answer, and may be answered again', async () => {
    const id = await disputed({ scenario: 'evidence_refused' });
    await t.call('POST', `/collection/dispute/${id}/evidence`, ...form({ message: 'It was delivered.' }));
    await sendDueAnswers(deps, 'SANDBOX');
    expect((await detail(id)).dispute).toMatchObject({
      status: 'OPEN',
      answerStatus: 'REFUSED',
      answerReason: 'EVIDENCE_REFUSED',
    });
    expect((await t.call('POST', `/collection/dispute/${id}/accept`, { pin: TEST_PIN })).status).toBe(200);
  });

  it('refuse a file that is none, and a form without words', async () => {
    const id = await disputed();
    const path = `/collection/dispute/${id}/evidence`;
    expect((await t.call('POST', path, ...form({ message: 'Here' }, 'MZ'))).body.code).toBe(
      'DISPUTE_FILE_TYPE_REFUSED',
    );
    expect((await t.call('POST', path, ...form({}))).body.code).toBe('VALIDATION_FAILED');
    expect(
      (
        await t.database.pool.query(
          `select 1 from dispute_files f
            where not exists (select 1 from dispute_answers a where a.merchant_id = f.merchant_id and a.id = f.answer_id)`,
        )
      ).rowCount,
    ).toBe(0);
  });

  it('are in a file for a spreadsheet, and what is owed beside them', async () => {
    await disputed({ amount: 60 });
    const { records } = (await t.call('GET', '/collection/dispute?size=100')).body.data;
    const rows: Record<string, string>[] = parse((await t.call('GET', '/collection/dispute.csv')).text, {
      bom: true,
      columns: true,
    });
    expect(new Set(records.map(({ status }: { status: string }) => status))).toEqual(
      new Set(['OPEN', 'WON', 'ACCEPTED', 'LOST']),
    );
    expect(rows).toMatchObject(
      records.map((one: Record<string, string> & Record<(typeof AMOUNTS)[number], number>) => ({
        'Dispute ID': one['disputeId'],
        Status: one['status'],
        'Answer Until (UTC)': one['dueAt'],
        ...Object.fromEntries(
          AMOUNTS.map((name) => [`${name[0]?.toUpperCase()}${name.slice(1)}`, one[name].toFixed(2)]),
        ),
      })),
    );
    expect((await t.call('GET', '/collection/owed')).body.data).toMatchObject({ owed: 0, disputes: 0 });
    expect(await repayDebts(deps, 'SANDBOX')).toBe(0);
  });
});
