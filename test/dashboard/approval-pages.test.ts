import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, askAs, askWith, expectInReach, payoutOf, refresh, switchApprovalsOn } from './approval-steps.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

interface Made {
  approvalId: string;
  digest: string;
}

/** The approval that the newest change of a kind waits for. */
async function newest(page: Page, kind: string): Promise<Made> {
  const { body } = await askAs(page, 'GET', `/approval?kind=${kind}&status=PENDING&size=1`);
  const [first] = (body.data as unknown as { records: Made[] }).records;
  if (first === undefined) throw new Error(`nothing of the kind ${kind} waits`);
  return first;
}

/** A key that the owner makes: what it does counts as done by the owner. */
async function makeKey(page: Page): Promise<string> {
  await refresh(page, walk.demo.dashboard);
  const { body } = await askAs(page, 'POST', '/key', { name: 'Payroll', kind: 'SECRET' });
  return String(body.data?.['key']);
}

type Send = (method: string, path: string, body?: object) => Promise<Answer>;

/** Every way in which money or what moves it can be made to leave, sent by one of the maker's ways in. */
async function makeAll(page: Page, send: Send, digits: string): Promise<{ kind: string; made: Made }[]> {
  const later = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString();
  const all: { kind: string; made: Made }[] = [];
  const after = async (kind: string, answer: Answer) => {
    expect(answer.status, `${kind}: ${answer.body.message}`).toBe(200);
    all.push({ kind, made: await newest(page, kind) });
  };
  await after('PAYOUT', await send('POST', '/payout/single', payoutOf(walk, `01234567${digits}`)));
  await after(
    'SCHEDULE',
    await send('POST', '/payout/single/schedule', { ...payoutOf(walk, `01234566${digits}`), scheduledFor: later }),
  );
  const items = [{ amount: 1_000, bankCode: '058', accountNumber: `01234565${digits}`, narration: 'Salary' }];
  const { batchReference } = (await send('POST', '/payout/bulk', { items })).body.data as { batchReference: string };
  await expect
    .poll(async () => (await send('GET', `/payout/bulk/${batchReference}`)).body.data?.['status'])
    .toBe('READY');
  await after('BATCH', await send('POST', '/payout/bulk/dispatch', { pin: walk.demo.pin, batchReference }));
  await after(
    'BENEFICIARY',
    await send('POST', '/beneficiary', { bankCode: '058', accountNumber: `01234564${digits}` }),
  );
  return all;
}

describe('approvals', () => {
  beforeAll(async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await switchApprovalsOn(page, walk.demo.dashboard);
    await page.context().close();
  });

  it('refuses the maker on every entry point, whichever way it was made and by whichever way they approve', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    const key = await makeKey(page);
    const token = await askWith(walk.baseUrl, key, 'POST', '/auth/token', {});
    const bearers = [key, String(token.body.data?.['accessToken'])];
    const made = await makeAll(page, (...asked) => askAs(page, ...asked), '10');
    for (const [at, bearer] of bearers.entries()) {
      made.push(...(await makeAll(page, (...asked) => askWith(walk.baseUrl, bearer, ...asked), `2${at}`)));
    }
    await refresh(page, walk.demo.dashboard);
    expect((await askAs(page, 'PATCH', '/payout/limit', { perPayout: 400_000, perDay: null })).status).toBe(200);
    made.push({ kind: 'LIMIT', made: await newest(page, 'LIMIT') });
    expect(made).toHaveLength(13);

    for (const { kind, made: approval } of made) {
      const path = `/approval/${approval.approvalId}/approve`;
      const own = await askAs(page, 'POST', path, { digest: approval.digest });
      expect({ kind, code: own.body.code, status: own.status }).toEqual({ kind, code: 'SELF_APPROVAL', status: 403 });
      for (const bearer of bearers) {
        const refused = await askWith(walk.baseUrl, bearer, 'POST', path, { digest: approval.digest });
        expect({ kind, code: refused.body.code }).toEqual({ kind, code: 'PERSON_REQUIRED' });
      }
    }
    await page.goto('/dashboard/approvals');
    await page.getByText('Nothing waits for you').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Created by me' }).click();
    await page.getByRole('table').getByRole('link').nth(12).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Kind').selectOption('Bulk payout');
    await expect.poll(() => page.getByRole('table').getByRole('link').count()).toBe(3);
    await page.getByLabel('Status').selectOption('Rejected');
    await page.getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).last().click();
    await page.getByText('13 records').waitFor();
    for (const kind of ['PAYOUT', 'SCHEDULE', 'BATCH', 'BENEFICIARY', 'LIMIT']) {
      await page.goto(`/dashboard/approvals/${made.find((one) => one.kind === kind)?.made.approvalId}`);
      await page.getByText('You made this, so somebody else has to decide about it.').waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      await expectAccessible(page);
    }
  });

  it('are decided on a phone with the action in reach, and say on request what they are for', async () => {
    const maker = await walk.openAs(walk.demo.dashboard);
    expect((await askAs(maker, 'POST', '/payout/single', payoutOf(walk, '0123454449'))).status).toBe(200);
    const waiting = await newest(maker, 'PAYOUT');
    const at = `/dashboard/approvals/${waiting.approvalId}`;
    const phone = await walk.openAs(walk.demo.colleagues.approver, { phone: true, at });
    await expectInReach(phone, phone.getByRole('button', { name: 'Approve' }));
    await phone.getByText('Digest', { exact: true }).click();
    await phone.getByText('An approval is for exactly this and for nothing else.').waitFor();
    await expectAccessible(phone);
  });
});
