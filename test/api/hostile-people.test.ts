import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  approve,
  type Business,
  business,
  codeOf,
  expectBooksRight,
  personOf,
  reject,
} from '../approvals/approval-fixture.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { hostileValues } from '../support/hostile.ts';
import { allOperationsOf, bodyFields, type Operation, operationsOf, sampleRequest } from '../support/operations.ts';

/** What people alone do: `hostile-bodies.test.ts` has what programs may. A key may end in any year, or never. */
const MEANT = 'POST /key: expiresAt is a year too far';

const t: TestApp = await createTestApp();
let owner: Awaited<ReturnType<typeof personOf>>;
let shop: Business;
beforeAll(async () => {
  owner = await personOf(t, t.merchant, 'OWNER');
  shop = await business(t);
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

const ofKeys = new Set(operationsOf(t.app).map(({ name }) => name));
const operations = allOperationsOf(t.app).filter(
  ({ name, path, body }) => body !== undefined && !ofKeys.has(name) && !path.startsWith('/operator'),
);

/** Written as it is, also where no number of JavaScript holds it. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
const written = (json: string): unknown => (/^[[{]/.test(json) ? JSON.parse(json) : rawJSON(json));

/** What comes of each value in the place of one field, where it is not a refusal with a code. */
async function surprisesOf(operation: Operation): Promise<string[]> {
  const surprises: string[] = [];
  const statuses = new Set<number>();
  const { method, url, body } = sampleRequest(operation, {});
  for (const [field, schema] of bodyFields(operation)) {
    for (const { label, json } of hostileValues(field, schema)) {
      const {
        status,
        body: answer,
        text,
      } = await owner.call(method, url, { ...(body as object), [field]: written(json) });
      statuses.add(status);
      const isRefused = status >= 400 && status < 500 && typeof answer.code === 'string';
      const what = `${operation.name}: ${field} is ${label}`;
      if (!isRefused && what !== MEANT) surprises.push(`${what}: ${status} ${text.slice(0, 200)}`);
    }
  }
  if (!statuses.has(400)) surprises.push(`${operation.name}: nothing of its body was looked at`);
  return surprises;
}

describe('what only people send', () => {
  it('is refused with a code where a field has a wrong type, a wrong form, too much or nothing in it', async () => {
    expect(operations.length).toBeGreaterThan(30);
    const surprises: string[] = [];
    for (const operation of operations) surprises.push(...(await surprisesOf(operation)));
    expect(surprises).toEqual([]);
  });
});

/** A beneficiary that waits for approval, with what was shown of it. */
async function waiting(accountNumber: string) {
  const { beneficiaryId, approvalId } = (
    await shop.maker.call('POST', '/beneficiary', { bankCode: '058', accountNumber })
  ).body.data;
  const { digest } = (await shop.byKey('GET', `/approval/${approvalId}`)).body.data;
  return { beneficiaryId, approvalId, digest };
}

const stateOf = async (id: string) => (await shop.byKey('GET', `/beneficiary/${id}`)).body.data.status;

describe('a beneficiary about which two people do not agree', () => {
  it('is what the one of them said who was answered DONE, and the other is told that it is decided', async () => {
    for (let round = 0; round < 4; round += 1) {
      const one = await waiting(`012345679${round}`);
      const [yes, no] = await Promise.all([approve(shop.ann, one), reject(shop.ben, one)]);
      expect([codeOf(yes), codeOf(no)].sort()).toEqual(['409 APPROVAL_CLOSED', 'DONE']);
      expect(await stateOf(one.beneficiaryId)).toBe(codeOf(yes) === 'DONE' ? 'ACTIVE' : 'REMOVED');
    }
  });

  it('that is removed as it is approved does not come back', async () => {
    for (let round = 0; round < 4; round += 1) {
      const one = await waiting(`012345670${round}`);
      const [, removed] = await Promise.all([
        approve(shop.ann, one),
        shop.byKey('DELETE', `/beneficiary/${one.beneficiaryId}`),
      ]);
      const state = await stateOf(one.beneficiaryId);
      if (codeOf(removed) === 'DONE') expect(state).toBe('REMOVED');
      expect(codeOf(await approve(shop.ben, one))).toMatch(/^409 /);
      expect(await stateOf(one.beneficiaryId)).toBe(state);
    }
  });
});

describe('a saved view that two tabs change at one moment', () => {
  const view = (name: string) => ({ list: 'PAYOUTS', name, filter: {}, columns: [] });
  const idOf = (reply: Awaited<ReturnType<typeof owner.call>>, name: string): string =>
    reply.body.data.views.find((one: { name: string }) => one.name === name).viewId;

  it('is gone where one of them deleted it, and the other is told so', async () => {
    const id = idOf(await owner.call('POST', '/saved-view', view('Both')), 'Both');
    const [changed, gone] = await Promise.all([
      owner.call('PATCH', `/saved-view/${id}`, { name: 'Changed' }),
      owner.call('DELETE', `/saved-view/${id}`),
    ]);
    expect(codeOf(gone)).toBe('DONE');
    expect(['DONE', '404 SAVED_VIEW_NOT_FOUND']).toContain(codeOf(changed));
    expect((await owner.call('GET', '/saved-view?list=PAYOUTS')).body.data.views).toEqual([]);
  });

  it('has the name that one of two gave it: no two have the same', async () => {
    const ids = [];
    for (const name of ['One', 'Two']) ids.push(idOf(await owner.call('POST', '/saved-view', view(name)), name));
    const replies = await Promise.all(ids.map((id) => owner.call('PATCH', `/saved-view/${id}`, { name: 'Same' })));
    expect(replies.map(codeOf).sort()).toEqual(['409 SAVED_VIEW_NAME_TAKEN', 'DONE']);
  });

  it('is the one default of its list, whichever of two was made it last', async () => {
    const { views } = (await owner.call('GET', '/saved-view?list=PAYOUTS')).body.data;
    const replies = await Promise.all(
      views.map(({ viewId }: { viewId: string }) => owner.call('PATCH', `/saved-view/${viewId}`, { isDefault: true })),
    );
    expect(replies.map(codeOf)).toEqual(['DONE', 'DONE']);
    const after = (await owner.call('GET', '/saved-view?list=PAYOUTS')).body.data.views;
    expect(after.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
  });
});
