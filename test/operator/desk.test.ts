import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { newestLink } from '../people/mails.ts';
import { createTestApp, type Reply, type TestApp, type TestMerchant } from '../support/app.ts';
import { browser, signedInOperator, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let ada: TestPerson;
let bola: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  ada = checked(t.app, await signedInOperator(t));
  bola = checked(t.app, await signedInOperator(t));
});
afterAll(() => t.close());

const NOTE = 'Letter of the bank of 20 November, signed by the head of operations';

/** A colleague whom one invited and another agreed to. */
async function broughtInBy(one: TestPerson, other: TestPerson) {
  const email = 'newcomer@manilla.example';
  const { changeId } = (await one.call('POST', '/operator/person/invite', { email })).body.data;
  await other.call('POST', `/operator/person/change/${changeId}/approve`);
  const page = browser(t);
  const body = { token: await newestLink(t, email), password: TEST_PASSWORD, firstName: 'Efe', lastName: 'Obi' };
  expect((await page.call('POST', '/invitation/accept', body)).status).toBe(200);
  return page;
}

/** Pays, and works it off. */
async function pay(merchant: TestMerchant, scenario: string, amount = 1_000): Promise<string> {
  const payment = {
    pin: merchant.pin,
    amount,
    bankCode: '058',
    accountNumber: '0123456785',
    narration: 'an invoice',
    allowDuplicate: true,
  };
  const headers = { ...bearer(merchant.secretKey), 'x-sandbox-scenario': scenario };
  const reply = await t.call('POST', '/payout/single', payment, headers);
  if (reply.status !== 200) throw new Error(reply.text);
  await t.app.worker.runOnce();
  return reply.body.data.transactionId;
}

const statusOf = async (merchant: TestMerchant, id: string) =>
  (await t.call('GET', `/transaction/${id}`, undefined, bearer(merchant.secretKey))).body.data.status;

describe('a payout whose outcome nobody knows', () => {
  it('ends by the word of two people, and not of one', async () => {
    const merchant = await t.addMerchant();
    const payoutId = await pay(merchant, 'error-executed');
    const tenant = { merchantId: merchant.merchantId, mode: 'SANDBOX' };
    const queue = async (person: TestPerson) => {
      const { body } = await person.call('GET', '/operator/outcome?all=true&size=200');
      return body.data.records.find((each: { payoutId: string }) => each.payoutId === payoutId);
    };
    expect(await queue(ada)).toMatchObject({ businessName: 'Adire & Co', amount: 1_000, proposal: null });

    const said = { ...tenant, payoutId, outcome: 'FAILED', source: 'BANK_LETTER', note: NOTE };
    const proposed = await ada.call('POST', '/operator/outcome/propose', said);
    expect(proposed.status).toBe(200);
    const { proposalId, digest } = proposed.body.data;
    const shown = { proposalId, digest };
    expect(await statusOf(merchant, payoutId)).toBe('PROCESSING');
    expect((await queue(ada)).proposal).toMatchObject({ proposedBy: { email: ada.email }, isMine: true });
    expect((await queue(bola)).proposal).toMatchObject({
      ...shown,
      outcome: 'FAILED',
      note: NOTE,
      isMine: false,
    });
    const waiting = async (person: TestPerson) => (await person.call('GET', '/operator/overview')).body.data;
    expect((await waiting(ada)).proposalsForMe).toBe(0);
    expect((await waiting(bola)).proposalsForMe).toBe(1);

    const alone = await ada.call('POST', '/operator/outcome/confirm', { ...tenant, ...shown });
    expect([alone.status, alone.body.code]).toEqual([403, 'SECOND_PERSON_NEEDED']);
    const newcomer = await broughtInBy(ada, bola);
    const tooNew = await newcomer.call('POST', '/operator/outcome/confirm', { ...tenant, ...shown });
    expect([tooNew.status, tooNew.body.code]).toEqual([403, 'SECOND_PERSON_TOO_NEW']);
    // Whoever says in the body that they are somebody else is still themselves.
    const posing = await ada.call('POST', '/operator/outcome/confirm', {
      ...tenant,
      ...shown,
      personId: bola.personId,
    });
    expect(posing.status).toBe(400);
    const elsewhere = await bola.call('POST', '/operator/outcome/confirm', { ...tenant, mode: 'LIVE', ...shown });
    expect(elsewhere.body.code).toBe('OUTCOME_PROPOSAL_NOT_FOUND');
    // Nobody says yes to what they did not see.
    expect((await bola.call('POST', '/operator/outcome/confirm', { ...tenant, proposalId })).status).toBe(400);
    const unseen = { ...shown, digest: 'a'.repeat(64) };
    const other = await bola.call('POST', '/operator/outcome/confirm', { ...tenant, ...unseen });
    expect([other.status, other.body.code]).toEqual([409, 'OUTCOME_PROPOSAL_ALTERED']);
    expect(await statusOf(merchant, payoutId)).toBe('PROCESSING');

    const twice = await Promise.all(
      [0, 1, 2].map(() => bola.call('POST', '/operator/outcome/confirm', { ...tenant, ...shown })),
    );
    expect(twice.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await statusOf(merchant, payoutId)).toBe('FAILED');
    const wallet = await t.call('GET', '/wallet/merchant', undefined, bearer(merchant.secretKey));
    expect(wallet.body.data.wallet).toMatchObject({ bookedBalance: 1_000_000, availableBalance: 1_000_000 });
  });

  it('stays as it is where the proposal is rejected, or says too little', async () => {
    const merchant = await t.addMerchant();
    const payoutId = await pay(merchant, 'error-executed');
    const tenant = { merchantId: merchant.merchantId, mode: 'SANDBOX' };
    const said = { ...tenant, payoutId, outcome: 'SUCCEEDED', source: 'OTHER', note: NOTE };
    for (const wrong of [{ note: 'short' }, { outcome: 'MAYBE' }, { source: 'GUESS' }, { payoutId: 'x' }]) {
      expect((await ada.call('POST', '/operator/outcome/propose', { ...said, ...wrong })).status).toBe(400);
    }
    const { proposalId, digest } = (await ada.call('POST', '/operator/outcome/propose', said)).body.data;
    expect((await bola.call('POST', '/operator/outcome/propose', said)).body.code).toBe('OUTCOME_ALREADY_PROPOSED');
    const no = { ...tenant, proposalId, reason: 'the letter is about another transfer' };
    expect((await bola.call('POST', '/operator/outcome/reject', no)).status).toBe(200);
    expect((await bola.call('POST', '/operator/outcome/confirm', { ...tenant, proposalId, digest })).body.code).toBe(
      'OUTCOME_PROPOSAL_DECIDED',
    );
    expect(await statusOf(merchant, payoutId)).toBe('PROCESSING');
  });

  it('waits for no second person once it has ended by itself, and for one who is to say that it came back', async () => {
    const merchant = await t.addMerchant();
    const payoutId = await pay(merchant, 'error-executed');
    const said = { merchantId: merchant.merchantId, mode: 'SANDBOX', payoutId, source: 'BANK_LETTER', note: NOTE };
    const waiting = async () => (await bola.call('GET', '/operator/overview')).body.data.proposalsForMe;
    const listed = async (shown = 'all') =>
      (await bola.call('GET', `/operator/outcome?${shown}=true&size=200`)).body.data.records
        .filter((each: { payoutId: string }) => each.payoutId === payoutId)
        .map(({ proposal }: { proposal: { outcome: string } }) => proposal.outcome);
    const before = await waiting();
    expect((await ada.call('POST', '/operator/outcome/propose', { ...said, outcome: 'FAILED' })).status).toBe(200);
    expect([await waiting(), await listed()]).toEqual([before + 1, ['FAILED']]);
    // However young it is, and however many wait longer.
    expect(await listed('proposed')).toEqual(['FAILED']);
    t.clock.advance(10_000);
    await t.app.worker.runOnce();
    expect(await statusOf(merchant, payoutId)).toBe('SUCCESS');
    expect([await waiting(), await listed()]).toEqual([before, []]);
    expect((await ada.call('POST', '/operator/outcome/propose', { ...said, outcome: 'REVERSED' })).status).toBe(200);
    expect([await waiting(), await listed()]).toEqual([before + 1, ['REVERSED']]);
  });
});

describe('the rails', () => {
  it('are listed with the built-in one first, its health, and no credentials', async () => {
    const { body } = await ada.call('GET', '/operator/rail');
    expect(body.data.records[0]).toMatchObject({ railId: 'sandbox', builtIn: true, active: true, mode: 'SANDBOX' });
    expect(body.data.defaults).toEqual([
      { mode: 'SANDBOX', first: null, second: null },
      { mode: 'LIVE', first: null, second: null },
    ]);
  });

  it('are chosen for one merchant and unset, and no rail is chosen that is not there', async () => {
    const merchant = await t.addMerchant();
    const choose = (body: object) => ada.call('POST', `/operator/merchant/${merchant.merchantId}/rail`, body);
    expect((await choose({ mode: 'SANDBOX', first: 'sandbox' })).body.data).toMatchObject({
      first: { name: 'sandbox' },
      chosenBy: 'OPERATOR',
    });
    expect((await choose({ mode: 'SANDBOX', first: null })).body.data.chosenBy).toBe('DEFAULT');
    expect((await choose({ mode: 'SANDBOX', first: 'moon-bank' })).body.code).toBe('RAIL_NOT_SELECTABLE');
    expect((await choose({ mode: 'LIVE', first: 'sandbox' })).body.code).toBe('RAIL_NOT_SELECTABLE');
    const off = await ada.call('PATCH', '/operator/rail/moon-bank', { active: false });
    expect([off.status, off.body.code]).toEqual([404, 'RAIL_NOT_FOUND']);
    const byDefault = await ada.call('POST', '/operator/rail/default', { mode: 'SANDBOX', first: 'sandbox' });
    expect(byDefault.status).toBe(200);
    const none = await ada.call('POST', '/operator/rail/default', { mode: 'LIVE', first: 'moon-bank' });
    expect(none.body.code).toBe('RAIL_NOT_SELECTABLE');
  });
});

describe('the float', () => {
  it('is compared with the rails, kept, and shown where it differs', async () => {
    const merchant = await t.addMerchant();
    await pay(merchant, 'success');
    const asked = { rails: ['sandbox'], mode: 'SANDBOX', merchantId: merchant.merchantId };
    const { check } = (await ada.call('POST', '/operator/float/check', asked)).body.data;
    expect(check).toMatchObject({ rails: ['sandbox'], held: 0, checkedBy: ada.email });
    expect(check.businessName, 'the merchant is shown by its name').toBe(
      (await ada.call('GET', `/operator/merchant/${merchant.merchantId}`)).body.data.businessName,
    );
    expect(check.expected).toBe(check.float - check.unsettled);
    expect(check.difference).toBe(check.railBalance - check.expected);
    const float = await ada.call('GET', '/operator/float');
    expect(float.body.data.latest).toMatchObject([{ checkId: check.checkId }]);
    expect(float.body.data.history.totalRecords).toBe(1);
    await t.database.pool.query('update float_checks set difference_minor = 0');
    expect((await ada.call('GET', '/operator/float')).body.data.latest[0].verdict).toBe('AGREES');
    expect((await ada.call('GET', '/operator/overview')).body.data.floatDifferences).toBe(0);
    await t.database.pool.query('update float_checks set difference_minor = -5');
    expect((await ada.call('GET', '/operator/overview')).body.data.floatDifferences).toBe(1);
    expect((await ada.call('GET', '/operator/float')).body.data.latest[0].verdict).toBe('RAILS_HAVE_LESS');
    expect((await ada.call('POST', '/operator/float/check', { rails: ['x'], mode: 'SANDBOX' })).body.code).toBe(
      'RAIL_NOT_FOUND',
    );
    const whose = await ada.call('POST', '/operator/float/check', { rails: ['sandbox'], mode: 'SANDBOX' });
    expect(whose.body.code).toBe('SETTLEMENT_MERCHANT_NEEDED');
  });
});

describe('a float of two rails', () => {
  it('is what they were compared with together: what one of them said alone before is no difference of today', async () => {
    const check = (rails: string, minute: number, difference: number) =>
      t.database.pool.query(
        `insert into float_checks (id, rails, mode, currency, rail_minor, float_minor, unsettled_minor, held_minor,
           receivable_minor, difference_minor, checked_by, checked_at)
         values ($1, $2, 'LIVE', 'NGN', 100, 100, 0, 0, 0, $3, 'ada', $4)`,
        [newId(), rails, difference, new Date(Date.UTC(2026, 10, 20, 8, minute))],
      );
    const latest = async () =>
      (await ada.call('GET', '/operator/float')).body.data.latest
        .filter(({ mode }: { mode: string }) => mode === 'LIVE')
        .map(({ rails }: { rails: string[] }) => rails.join());
    const differing = async () => (await ada.call('GET', '/operator/overview')).body.data.floatDifferences;
    const before = await differing();
    await check('one-live', 1, -5);
    await check('other-live', 2, 0);
    expect([await latest(), await differing()]).toEqual([['one-live', 'other-live'], before + 1]);
    await check('one-live, two-live', 3, 0);
    expect([await latest(), await differing()]).toEqual([['one-live,two-live', 'other-live'], before]);
    const { floatCover } = (await ada.call('GET', '/operator/overview/figures')).body.data;
    expect(floatCover.filter(({ mode }: { mode: string }) => mode === 'LIVE')).toHaveLength(2);
    await check('two-live', 4, -5);
    expect([await latest(), await differing()]).toEqual([['other-live', 'two-live'], before + 1]);
    await t.database.pool.query(`delete from float_checks where mode = 'LIVE'`);
  });
});

describe('settlement files', () => {
  const BOUNDARY = 'a-boundary-that-no-file-holds';
  async function send(fields: Record<string, string>, file?: string): Promise<Reply> {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="november.csv"\r\nContent-Type: text/csv\r\n\r\n`;
    const payload = `${parts.join('')}${file === undefined ? '' : `${head}${file}\r\n`}--${BOUNDARY}--\r\n`;
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    return ada.call('POST', '/operator/settlement', payload, { 'content-type': type });
  }
  const csv = (...lines: string[]) => ['Reference,Amount,Completed At,Status', ...lines, ''].join('\n');
  const line = (id: string, status = 'successful', amount = '1000.00') =>
    [id.replaceAll('-', ''), amount, new Date().toISOString(), status].join(',');

  it('are imported, read line by line, and what differs is resolved once', async () => {
    const merchant = await t.addMerchant();
    const [paid, open] = [await pay(merchant, 'success'), await pay(merchant, 'error-executed')];
    const of = { rail: 'sandbox', mode: 'SANDBOX', merchantId: merchant.merchantId };
    const file = csv(line(paid), line(open), line(newId()));
    const sent = await send(of, file);
    expect([sent.status, sent.body.message]).toEqual([200, 'The file is imported']);
    const { importId } = sent.body.data;
    const list = await ada.call('GET', '/operator/settlement');
    expect(list.body.data.records[0]).toMatchObject({
      importId,
      fileName: 'november.csv',
      status: 'DONE',
      lineCount: 3,
      counts: { MATCHED: 1, STATUS_DIFFERS: 1, MISSING_HERE: 1 },
      unresolved: 2,
      importedBy: ada.email,
    });
    expect((await ada.call('GET', '/operator/overview')).body.data.settlementToDecide).toBe(2);
    const waiting = async () => {
      const { body } = await ada.call('GET', '/operator/settlement?needsDecision=true');
      return body.data.records.map((file: { importId: string }) => file.importId);
    };
    expect(await waiting()).toEqual([importId]);
    const lines = async (query: string) =>
      (await ada.call('GET', `/operator/settlement/${importId}/line?${query}`)).body.data;
    expect((await lines('state=MATCHED')).records).toMatchObject([{ payoutId: paid, mayApply: false, amount: 1_000 }]);
    const [differs] = (await lines('state=OPEN&result=STATUS_DIFFERS')).records;
    expect(differs).toMatchObject({ payoutId: open, mayApply: true, ourStatus: 'PROCESSING' });

    const apply = (person: TestPerson) =>
      person.call('POST', `/operator/settlement/${importId}/line/${differs.lineId}/resolve`, { how: 'APPLY' });
    // Anybody can write a file: who brought it does not end a payout by it alone.
    const alone = await apply(ada);
    expect([alone.status, alone.body.code]).toEqual([403, 'SECOND_PERSON_NEEDED']);
    expect(await statusOf(merchant, open)).toBe('PROCESSING');
    expect((await apply(bola)).status).toBe(200);
    expect((await apply(bola)).body.code).toBe('SETTLEMENT_LINE_RESOLVED');
    expect(await statusOf(merchant, open)).toBe('SUCCESS');
    const all = { result: 'MISSING_HERE', how: 'ACCEPT' };
    const short = await ada.call('POST', `/operator/settlement/${importId}/resolve`, { ...all, note: 'ok' });
    expect([short.status, short.body.errors[0].field]).toEqual([400, 'note']);
    const accepted = await ada.call('POST', `/operator/settlement/${importId}/resolve`, { ...all, note: NOTE });
    expect(accepted.body.data).toEqual({ resolved: 1, refused: [], left: 0 });
    expect((await lines('state=RESOLVED')).records).toMatchObject([
      { resolution: { how: 'APPLIED', by: bola.email } },
      { resolution: { how: 'ACCEPTED', note: NOTE, by: ada.email } },
    ]);
    expect((await lines('state=OPEN')).totalRecords).toBe(0);
    expect(await waiting()).toEqual([]);
    expect((await send(of, file)).body.code).toBe('SETTLEMENT_ALREADY_IMPORTED');
  });

  it('that are no such files are refused in words, and nothing is kept', async () => {
    const of = { rail: 'sandbox', mode: 'SANDBOX', merchantId: t.merchant.merchantId };
    const before = (await ada.call('GET', '/operator/settlement')).body.data.totalRecords;
    const wrong: [Record<string, string>, string | undefined, string][] = [
      [of, undefined, 'FILE_MISSING'],
      [{ mode: 'SANDBOX' }, csv(), 'VALIDATION_FAILED'],
      [{ ...of, mode: 'MOON' }, csv(), 'VALIDATION_FAILED'],
      [{ ...of, merchantId: '7' }, csv(), 'VALIDATION_FAILED'],
      [{ ...of, amountsInKobo: 'maybe' }, csv(), 'VALIDATION_FAILED'],
      [{ ...of, more: '1' }, csv(), 'VALIDATION_FAILED'],
      [{ ...of, rail: 'moon-bank' }, csv(), 'RAIL_NOT_FOUND'],
      [{ rail: 'sandbox', mode: 'SANDBOX' }, csv(), 'SETTLEMENT_MERCHANT_NEEDED'],
    ];
    for (const [fields, file, code] of wrong) expect((await send(fields, file)).body.code).toBe(code);
    const json = await ada.call('POST', '/operator/settlement', of);
    expect(json.status).toBeGreaterThanOrEqual(400);
    const broken = await ada.call('POST', '/operator/settlement', `--${BOUNDARY}\r\nContent-Dis`, {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    });
    expect(broken.body.code).toBe('UPLOAD_BROKEN');
    expect((await ada.call('GET', '/operator/settlement')).body.data.totalRecords).toBe(before);
    expect((await ada.call('GET', `/operator/settlement/${newId()}/line`)).body.code).toBe('SETTLEMENT_NOT_FOUND');
  });
});

describe('webhooks that fail', () => {
  it('are listed with what waits, and without what an address may hide', async () => {
    const merchant = await t.addMerchant({ name: 'Deaf Shop' });
    const url = 'https://deaf.example/hooks?token=a-secret';
    await t.database.pool.query(
      `insert into webhook_endpoints (merchant_id, mode, id, url, status, cursor_sequence, failures_in_a_row, created_at, updated_at)
       values ($1, 'SANDBOX', $2, $3, 'ENABLED', 1, 7, now(), now())`,
      [merchant.merchantId, newId(), url],
    );
    const { body, text } = await ada.call('GET', '/operator/webhook/failing');
    expect(body.data.records).toMatchObject([
      { businessName: 'Deaf Shop', url: 'https://deaf.example/hooks', failuresInARow: 7, waiting: 0, lastCall: null },
    ]);
    expect(text).not.toContain('a-secret');
    expect((await ada.call('GET', '/operator/overview')).body.data.webhooksFailing).toBe(1);
  });
});

describe('the proof of the books', () => {
  /** The run that was begun, once it has ended. */
  async function proved() {
    for (;;) {
      const { body } = await bola.call('GET', '/operator/verify');
      if (body.data !== undefined && body.data.state !== 'RUNNING') return body.data;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('runs once for everybody who asks, shows how far it is, and is there for who comes later', async () => {
    const [first, second] = await Promise.all([
      ada.call('POST', '/operator/verify'),
      bola.call('POST', '/operator/verify'),
    ]);
    expect(first.body.data.state).toBe('RUNNING');
    expect(second.body.data.runId).toBe(first.body.data.runId);
    const run = await proved();
    expect(run).toMatchObject({ runId: first.body.data.runId, state: 'RIGHT' });
    expect([ada.email, bola.email]).toContain(run.startedBy);
    expect(run.checks).toHaveLength(run.checksInAll);
    expect(run.sizes.books).toBeGreaterThan(0);
    expect((await ada.call('GET', '/operator/overview')).body.data).toMatchObject({
      booksWrong: false,
      lastVerify: { state: 'RIGHT' },
    });
  });

  it('says that the books are right where only a total behind them is wrong', async () => {
    const stranger = newId();
    await t.database.pool.query(
      `insert into daily_totals (merchant_id, mode, wallet_id, day, through_sequence, credits_minor, debits_minor, own_credits_minor,
                                 own_debits_minor, charges_minor, returned_charges_minor)
       values ('${stranger}', 'LIVE', '${stranger}', '2026-11-20', 1, 5, 0, 0, 0, 0, 0)`,
    );
    try {
      await ada.call('POST', '/operator/verify');
      const run = await proved();
      expect(run.state).toBe('ATTENTION');
      const overview = (await ada.call('GET', '/operator/overview')).body.data;
      expect(overview).toMatchObject({ booksWrong: false, lastVerify: { state: 'ATTENTION' } });
    } finally {
      await t.database.pool.query(`delete from daily_totals where merchant_id = '${stranger}'`);
    }
  });

  it('says what is wrong where the books are', async () => {
    const broken = newId();
    await t.database.pool.query(
      `insert into books (merchant_id, mode, event_sequence) values ('${broken}', 'LIVE', 9)`,
    );
    try {
      await ada.call('POST', '/operator/verify');
      const run = await proved();
      expect(run.state).toBe('WRONG');
      const wrong = run.checks.filter(({ ok }: { ok: boolean }) => !ok);
      expect(wrong).toContainEqual(
        expect.objectContaining({
          name: 'events-without-gaps',
          examples: [expect.objectContaining({ merchantId: broken })],
        }),
      );
      const overview = async () => (await ada.call('GET', '/operator/overview')).body.data;
      expect(await overview()).toMatchObject({ booksWrong: true, lastVerify: { state: 'WRONG' } });
      // A proof that could not be made takes nothing of that back.
      await t.database.pool.query(
        `insert into verify_runs (id, state, started_at, finished_at, started_by, report)
         values ('${newId()}', 'FAILED', now(), now(), 'somebody', '{"checks":[],"sizes":null,"checksInAll":1}')`,
      );
      expect(await overview()).toMatchObject({ booksWrong: true, lastVerify: { state: 'FAILED' } });
    } finally {
      await t.database.pool.query(`delete from books where merchant_id = '${broken}'`);
    }
  });
});
