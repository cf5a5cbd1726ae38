import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawReceipt } from '../../src/receipts/draw-receipt.ts';
import type { Receipt } from '../../src/receipts/receipt.ts';
import { createReceiptDrawer } from '../../src/receipts/receipt-drawer.ts';
import {
  type Business,
  business,
  type Call,
  codeOf,
  payment,
  personOf,
  sessionOf,
} from '../approvals/approval-fixture.ts';
import { plainBrowser } from '../checkout/support.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { brokenChecks } from '../support/proof.ts';
import { textOfPdf } from './pdf-text.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let t: TestApp;
let shop: Business;

beforeAll(async () => {
  t = await createTestApp();
  shop = await business(t, []);
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

/** A payout that the sandbox's bank treats by this scenario, after the first turn of the worker. */
async function pay(fields: Record<string, unknown> = {}, scenario = 'success', by: Call = shop.maker.call) {
  const headers = { 'x-sandbox-scenario': scenario };
  const body = payment({ amount: 12_500.5, narration: 'Invoice 42', ...fields });
  const reply = await by('POST', '/payout/single', body, headers);
  expect(reply.status, reply.text).toBe(200);
  await t.app.worker.runOnce();
  return reply.body.data.transactionId as string;
}

const receiptPath = (id: string) => `/transaction/${id}/receipt`;

/** The file, byte for byte. */
async function pdfOf(url: string, headers: Record<string, string> = {}): Promise<{ pdf: Buffer; status: number }> {
  const answer = await t.app.server.inject({ method: 'GET', url, headers });
  return { pdf: answer.rawPayload, status: answer.statusCode };
}
const asKey = () => ({ authorization: `Bearer ${shop.merchant.secretKey}` });

async function share(id: string, body: object = {}, by: Call = shop.maker.call) {
  const { data } = (await by('POST', `${receiptPath(id)}/link`, body)).body;
  return { ...data, path: new URL(data.url).pathname } as {
    linkId: string;
    path: string;
    url: string;
    expiresAt: string;
  };
}

describe('the receipt of a payout', () => {
  it('says what the books say, marked as a test, and is the same file each time', async () => {
    const id = await pay({ reference: 'INV-42' });
    const { data } = (await shop.byKey('GET', `/transaction/${id}`)).body;
    expect(data.status).toBe('SUCCESS');
    const first = await pdfOf(receiptPath(id), asKey());
    expect([first.status, first.pdf.subarray(0, 8).toString()]).toEqual([200, '%PDF-1.7']);
    const text = textOfPdf(first.pdf);
    for (const said of [
      '₦12,500.50',
      data.beneficiaryAccountName,
      data.beneficiaryBankName,
      '0123456785',
      'Adire & Co',
      'Invoice 42',
      'INV-42',
      `MNL${id.replaceAll('-', '')}`,
      data.sessionId,
      'Lagos time (UTC+01:00)',
      'TEST. This is of the sandbox: no real money was paid.',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toMatch(/Fee|VAT|\ufffd/);
    expect((await pdfOf(receiptPath(id), asKey())).pdf.equals(first.pdf)).toBe(true);
    for (const mark of ['/MarkInfo', '/StructTreeRoot', '/Lang (en)', '/DisplayDocTitle true']) {
      expect(first.pdf.toString('latin1')).toContain(mark);
    }
    const own = textOfPdf((await pdfOf(`${receiptPath(id)}?charges=true`, asKey())).pdf);
    const amount = (naira: number) => `₦${naira.toLocaleString('en', { minimumFractionDigits: 2 })}`;
    for (const naira of [data.fee, data.vat, data.totalAmount]) expect(own).toContain(amount(naira));
  });

  it('is refused while the bank has not confirmed, and once the money came back', async () => {
    const pending = await pay({}, 'pending-forever');
    expect(codeOf(await shop.byKey('GET', receiptPath(pending)))).toBe('409 RECEIPT_NOT_PAID');
    expect(codeOf(await shop.maker.call('POST', `${receiptPath(pending)}/link`, {}))).toBe('409 RECEIPT_NOT_PAID');
    const failed = await pay({}, 'failed-do-not-honour');
    expect(codeOf(await shop.byKey('GET', receiptPath(failed)))).toBe('409 RECEIPT_NOT_PAID');
    const returned = await pay({}, 'late-reversal');
    const { path } = await share(returned);
    await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 60 });
    await t.app.worker.runOnce();
    expect((await shop.byKey('GET', `/transaction/${returned}`)).body.data.status).toBe('REVERSED');
    expect(codeOf(await shop.byKey('GET', receiptPath(returned)))).toBe('409 RECEIPT_RETURNED');
    const page = await plainBrowser(t).get(path);
    expect(page.status).toBe(410);
    expect(page.text).toContain('The bank returned this payment');
    expect(page.text).not.toContain('12,500.50');
    expect((await plainBrowser(t).get(`${path}/pdf`)).status).toBe(409);
  });

  it('is of payouts alone, and nobody else’s', async () => {
    const id = await pay();
    const other = await business(t, []);
    const linkId = (await share(id)).linkId;
    for (const [method, path] of [
      ['GET', receiptPath(id)],
      ['GET', `${receiptPath(id)}/link`],
      ['POST', `${receiptPath(id)}/link`],
    ] as const) {
      expect(codeOf(await other.maker.call(method, path, method === 'POST' ? {} : undefined))).toBe(
        '404 TRANSACTION_NOT_FOUND',
      );
    }
    expect(codeOf(await other.maker.call('DELETE', `${receiptPath(id)}/link/${linkId}`))).toBe(
      '404 RECEIPT_LINK_NOT_FOUND',
    );
    const credit = await shop.byKey('POST', '/subaccount/credit', {
      subaccountId: shop.merchant.subaccountIds[0],
      amount: 5,
      narration: 'Rent',
    });
    expect(codeOf(await shop.byKey('GET', receiptPath(credit.body.data.transactionId)))).toBe(
      '404 TRANSACTION_NOT_FOUND',
    );
  });
});

const RECEIPT: Receipt = {
  amount: '₦1.00',
  payee: 'ADA',
  paidAt: new Date('2026-11-20T09:30:00Z'),
  reference: 'R-1',
  isTest: false,
  lines: [],
};
const drawn = async (name: string) => {
  const lines = [
    { label: 'Paid to', value: name },
    { label: 'Paid by', value: name },
  ];
  const pdf = await drawReceipt({ ...RECEIPT, lines });
  return textOfPdf(pdf).replaceAll('\n', '');
};

describe('a name on a receipt', () => {
  it.each([
    ['in Yoruba and Igbo', 'ADÉBÁYỌ̀ OLÚṢẸ́GUN ỊFẸỌMA', 'ADÉBÁYỌ̀ OLÚṢẸ́GUN ỊFẸỌMA'],
    ['with marks of HTML', '<b>A&B</b> "x"', '<b>A&B</b> "x"'],
    ['on several lines', 'ADA\nOBI\r\n\tII', 'ADA OBI II'],
    ['that turns the direction of writing', 'ADA\u202eIBO\u200b', 'ADAIBO'],
    ['in a script without letters here', 'علي', '[U+0639][U+0644][U+064A]'],
    ['with a picture', 'ADA 😀', 'ADA [U+1F600]'],
    ['of one character too many', 'A'.repeat(301), `${'A'.repeat(300)}… (cut)`],
  ])('%s is written as it is, or as its number', async (_what, name, shown) => {
    const text = (await drawn(name)).normalize('NFC');
    expect(text.replaceAll(' ', '')).toContain(shown.normalize('NFC').replaceAll(' ', ''));
    expect(text).not.toContain('\ufffd');
    expect(text.includes('has no letter for')).toBe(/\[U\+/.test(shown));
  });

  it('of 200 letters of another script keeps every one of them', async () => {
    const text = await drawn('م'.repeat(200));
    expect(text.match(/\[U\+0645\]/g)?.length).toBeGreaterThanOrEqual(200);
  });
});

describe('drawing receipts', () => {
  it('goes on in another thread where one ends below a receipt, and asks to come again where that one does too', async () => {
    const heaps = [8, 96, 8, 8];
    const draw = createReceiptDrawer({ heapMb: () => heaps.shift() ?? 96 });
    expect((await draw('one', RECEIPT)).equals(await drawReceipt(RECEIPT))).toBe(true);
    await draw.close();
    await expect(draw('one', RECEIPT)).rejects.toMatchObject({
      code: 'RECEIPTS_BUSY',
      // The log has why.
      cause: { message: 'no receipt came of the thread' },
    });
    expect((await draw('one', RECEIPT)).length).toBeGreaterThan(1_000);
    await draw.close();
  });

  it('goes on beside everything else, and refuses who has ten waiting, not the others', async () => {
    const draw = createReceiptDrawer();
    const own = Array.from({ length: 14 }, () => draw('one', RECEIPT));
    const other = draw('another', RECEIPT);
    const done = await Promise.allSettled(own);
    expect(done.map(({ status }) => status === 'fulfilled')).toEqual([
      ...Array(10).fill(true),
      ...Array(4).fill(false),
    ]);
    expect(done.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))).toEqual(
      Array(4).fill('RECEIPTS_BUSY'),
    );
    expect((await other).equals(await drawReceipt(RECEIPT))).toBe(true);
    await draw.close();
  });
});

describe('a link to a receipt', () => {
  it('shows anyone who has it the receipt and its PDF, with a masked account and nothing else of the merchant', async () => {
    const id = await pay({ metadata: { secretNote: 'for us' }, reference: 'INV-43' });
    const { path, url, expiresAt } = await share(id);
    expect(url).toMatch(/\/receipt\/[\w-]{43}$/);
    expect(Date.parse(expiresAt) - t.clock.now().getTime()).toBeGreaterThan(29 * DAY_MS);
    const { status, text, headers } = await plainBrowser(t).get(path);
    expect(status).toBe(200);
    for (const said of ['₦12,500.50', '******6785', 'Invoice 42', 'INV-43', 'Adire &amp; Co', 'Test payment.']) {
      expect(text).toContain(said);
    }
    const { merchantId, walletId } = shop.merchant;
    for (const hidden of ['0123456785', 'for us', merchantId, walletId, 'Musa', 'hello@adire.example', 'VAT']) {
      expect(text).not.toContain(hidden);
    }
    expect(text).not.toMatch(/<script(?![^>]*src="\/checkout\/assets\/)|<style|style=/);
    expect(String(headers['content-security-policy'])).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    const { pdf } = await pdfOf(`${path}/pdf`);
    const shown = textOfPdf(pdf);
    expect(shown).toContain('******6785');
    expect(shown).not.toContain('0123456785');
    const file = await plainBrowser(t).get(`${path}/pdf`);
    expect(file.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  });

  it('is made and revoked by people who pay, counted, audited, and kept as a hash alone', async () => {
    const id = await pay();
    const path = `${receiptPath(id)}/link`;
    const viewer = await personOf(t, shop.merchant, 'VIEWER');
    for (const who of [shop.ann, viewer]) {
      expect(codeOf(await who.call('POST', path, {}))).toBe('403 PERMISSION_NOT_GRANTED');
      expect(codeOf(await who.call('DELETE', `${path}/${id}`))).toBe('403 PERMISSION_NOT_GRANTED');
      expect(codeOf(await who.call('GET', path))).toBe('DONE');
    }
    expect((await shop.byKey('POST', path, {})).status).toBeGreaterThanOrEqual(401);
    for (const expiresInDays of [0, 366, 1.5, '30']) {
      expect(codeOf(await shop.maker.call('POST', path, { expiresInDays }))).toBe('400 VALIDATION_FAILED');
    }
    const { linkId, path: page } = await share(id);
    const made = await Promise.all(Array.from({ length: 24 }, () => shop.maker.call('POST', path, {})));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(made.filter(({ status }) => status !== 200).map(codeOf))).toEqual(
      new Set(['422 RECEIPT_LINKS_TOO_MANY']),
    );
    const log = (await shop.owner.call('GET', '/audit?size=200')).body.data.records as Record<string, unknown>[];
    const entry = log.find(({ subject }) => JSON.stringify(subject).includes(linkId));
    expect(entry, JSON.stringify(log.slice(0, 2))).toBeDefined();
    const token = page.split('/').at(-1) ?? '';
    const { rows } = await t.database.pool.query(
      `select (select count(*)::int from receipt_links l where l::text like '%' || $1 || '%')
            + (select count(*)::int from receipt_link_tokens l where l::text like '%' || $1 || '%')
            + (select count(*)::int from idempotency_keys l where l::text like '%' || $1 || '%')
            + (select count(*)::int from audit_entries l where l::text like '%' || $1 || '%') as found`,
      [token],
    );
    expect(rows[0].found).toBe(0);
  });

  it('says the same whether it was never made, has expired or was revoked', async () => {
    const id = await pay();
    const [one, two] = [await share(id, { expiresInDays: 1 }), await share(id)];
    const browser = plainBrowser(t);
    let ann = shop.ann.call;
    const listed = async () => (await ann('GET', `${receiptPath(id)}/link`)).body.data.links;
    expect(await listed()).toMatchObject([
      { linkId: two.linkId, status: 'ACTIVE', createdBy: 'Musa', revokedAt: null },
      { linkId: one.linkId, status: 'ACTIVE' },
    ]);
    // By the address of another payout nothing is revoked.
    const astray = await shop.maker.call('DELETE', `${receiptPath(await pay())}/link/${two.linkId}`);
    expect([astray.status, astray.body.code]).toEqual([404, 'RECEIPT_LINK_NOT_FOUND']);
    expect((await browser.get(two.path)).status).toBe(200);
    const revoke = () => shop.maker.call('DELETE', `${receiptPath(id)}/link/${two.linkId}`);
    expect((await revoke()).body.data).toMatchObject({ status: 'REVOKED', revokedBy: 'Musa' });
    expect((await revoke()).body.data).toMatchObject({ status: 'REVOKED', revokedBy: 'Musa' });
    expect((await browser.get(one.path)).status).toBe(200);
    t.clock.advance(DAY_MS);
    // Her session has ended by then.
    ann = await sessionOf(t, shop.ann.personId);
    expect((await listed()).map(({ status }: { status: string }) => status)).toEqual(['REVOKED', 'EXPIRED']);
    const never = `/receipt/${'A'.repeat(43)}`;
    const paths = [
      one.path,
      two.path,
      never,
      '/receipt/short',
      '/receipt/',
      `${one.path}/pdf`,
      `${two.path}/pdf`,
      `${never}/pdf`,
    ];
    const answers = await Promise.all(paths.map((path) => browser.get(path)));
    const said = answers.map(({ status, text, headers }) => {
      const { date: _, 'x-request-id': __, ...rest } = headers;
      return JSON.stringify([status, text, rest]);
    });
    expect(new Set(said).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    expect(answers[0]?.text).toContain('This link does not work');
  });
});
