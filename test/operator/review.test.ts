import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameFlagsOf } from '../../src/onboarding/index.ts';
import { fillEverything, jpeg, pdf, png, upload } from '../onboarding/upload.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { browser, signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';

let t: TestApp;
let operator: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
  operator = await signedInOperator(t);
});
afterAll(() => t.close());

const SCRIPT = '%PDF-1.7\n<< /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>';

describe('the name on the settlement account', () => {
  const flags = (accountName: string, business: string, director: string, owner = director) => {
    const [directorFirstName = '', ...rest] = director.split(' ');
    const [firstName = '', ...last] = owner.split(' ');
    const steps = [
      { key: 'BASIC_DETAILS' as const, values: { businessName: business } },
      { key: 'DIRECTOR_DETAILS' as const, values: { directorFirstName, directorLastName: rest.join(' ') } },
      { key: 'SETTLEMENT_ACCOUNT' as const, values: { accountName, verifiedIn: 'LIVE' } },
    ];
    return nameFlagsOf(steps, { firstName, lastName: last.join(' ') });
  };

  it.each([
    // The account, the business, the director: what each is told to be.
    ['ADA FOODS LTD', 'Ada Foods Limited', 'Ngozi Eze', 'SAME', 'DIFFERENT'],
    ['EZE NGOZI', 'Ada Foods', 'Ngozi Eze', 'DIFFERENT', 'SAME'],
    ['MRS. N’GOZI  ÉZE', 'Ada Foods', 'Ngozi Eze', 'DIFFERENT', 'SAME'],
    // A name within a longer one may be a sister's or a husband's.
    ['NGOZI CHIDINMA EZE', 'Ada Foods', 'Ngozi Eze', 'DIFFERENT', 'ALIKE'],
    ['EZE NGOZI OBI', 'Ada Foods', 'Ngozi Eze', 'DIFFERENT', 'ALIKE'],
    ['N EZE', 'Ada Foods', 'Ngozi Eze', 'DIFFERENT', 'ALIKE'],
    ['MOHAMMED BELLO', 'Ada Foods', 'Muhammad Bello', 'DIFFERENT', 'ALIKE'],
    ['ADA FOODS AND STORES', 'Ada Foods', 'Ngozi Eze', 'ALIKE', 'DIFFERENT'],
    // Another of the family, and somebody else.
    ['CHIOMA EZE', 'Ada Foods', 'Ngozi Eze', 'DIFFERENT', 'DIFFERENT'],
    ['NGOZI OKAFOR', 'Ada Foods', 'Ngozi Eze', 'DIFFERENT', 'DIFFERENT'],
    ['EMEKA OKAFOR', 'Ada Foods', 'Ngozi Eze', 'DIFFERENT', 'DIFFERENT'],
    ['NGOZI', 'Ada Foods', 'Ngozi Eze', 'DIFFERENT', 'DIFFERENT'],
  ])('%s of %s and %s', (account, business, director, ofBusiness, ofDirector) => {
    const found = flags(account, business, director);
    const verdictOf = (party: string) => found.find((flag) => flag.party === party)?.verdict;
    expect([verdictOf('BUSINESS'), verdictOf('DIRECTOR')]).toEqual([ofBusiness, ofDirector]);
    const ranks = found.map(({ verdict }) => ['DIFFERENT', 'ALIKE', 'SAME'].indexOf(verdict));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(found.filter(({ verdict, score }) => verdict === 'SAME' && score < 100)).toEqual([]);
  });

  it('is compared with nothing while no bank said one, and not with a name that was not given', () => {
    expect(flags('', 'Ada Foods', 'Ngozi Eze')).toEqual([]);
    expect(flags('ADA FOODS', 'Ada Foods', '', '').map(({ party }) => party)).toEqual(['BUSINESS']);
  });
});

describe('a review', () => {
  it('shows names and history with the version of the facts that each decision was about', async () => {
    const { merchantId } = await t.addMerchant({ approved: false });
    const owner = await signedInMember(t, merchantId, 'OWNER');
    const at = `/operator/merchant/${merchantId}`;
    const must = async (person: TestPerson, method: 'POST' | 'PATCH', path: string, body?: object) => {
      const reply = await person.call(method, path, body);
      expect([path, reply.status], reply.text).toEqual([path, 200]);
    };
    await fillEverything(t, owner);
    await must(owner, 'POST', '/onboarding/submit', {});
    await must(operator, 'POST', `${at}/reject`, { reason: 'The bill is too old.' });
    await must(owner, 'PATCH', '/onboarding/business-details', { city: 'Ibadan' });
    await must(owner, 'POST', '/onboarding/submit', {});
    await must(operator, 'POST', `${at}/approve`);
    await must(operator, 'POST', `${at}/suspend`, { reason: 'Complaints of customers.' });
    await must(operator, 'POST', `${at}/reinstate`);
    await must(owner, 'PATCH', '/onboarding/business-details', { city: 'Abuja' });
    await must(owner, 'POST', '/onboarding/submit', {});
    await must(operator, 'POST', `${at}/reject`, { reason: 'No proof of the new address.' });
    const { data } = (await operator.call('GET', at)).body;
    const history: {
      action: string;
      version: number | null;
      actor: string;
      reason: string | null;
      changeId: string;
    }[] = data.history;
    expect(history.map(({ action, version }) => [action, version])).toEqual([
      ['reject-changes', 3],
      ['submit-changes', 3],
      ['reinstate', null],
      ['suspend', null],
      ['approve', 2],
      ['submit', 2],
      ['reject', 1],
      ['submit', 1],
    ]);
    expect(history[0]).toMatchObject({ actor: operator.email, reason: 'No proof of the new address.' });
    const facts = async (index: number) =>
      (await operator.call('GET', `${at}/history/${history[index]?.changeId}`)).body;
    expect((await facts(0)).data.steps.BUSINESS_DETAILS.city).toBe('Abuja');
    const first = (await facts(6)).data;
    expect(first).toMatchObject({
      steps: { BUSINESS_DETAILS: { city: 'Lagos' }, DIRECTOR_DETAILS: { bvn: '222*****432' } },
    });
    expect(first.documents.map(({ kind }: { kind: string }) => kind)).toEqual([
      'CAC_CERTIFICATE',
      'DIRECTOR_ID',
      'PROOF_OF_ADDRESS',
    ]);
    expect((await facts(3)).code).toBe('MERCHANT_CHANGE_NOT_FOUND');
    const other = await t.addMerchant();
    const foreign = `/operator/merchant/${other.merchantId}/history/${history[0]?.changeId}`;
    expect((await operator.call('GET', foreign)).status).toBe(404);
    // The sandbox made up the name on the account: it proves nothing, whatever it is.
    expect(data.nameFlags).toHaveLength(3);
    for (const flag of data.nameFlags) expect(flag).toMatchObject({ isProven: false, accountName: expect.any(String) });
  });

  it('shows a document in a frame of the desk and as nothing but what it is, or not at all', async () => {
    const { merchantId } = await t.addMerchant({ approved: false });
    const owner = await signedInMember(t, merchantId, 'OWNER');
    const page = '<html><script>fetch("/session")</script></html>';
    const add = async (kind: string, content: Buffer, name: string) =>
      (await upload(t, owner, kind, content, name)).body.data?.documentId as string | undefined;
    expect(await add('OTHER', Buffer.from(page), 'page.pdf')).toBe(undefined);
    expect(await add('OTHER', Buffer.from(`<svg onload="alert(1)"/>`), 'picture.png')).toBe(undefined);
    const view = (documentId: string | undefined, person: Pick<TestPerson, 'call'> = operator) =>
      person.call('GET', `/operator/merchant/${merchantId}/document/${documentId}/view`);

    const both = await add('OTHER', Buffer.concat([pdf(40), Buffer.from(page)]), 'page.html');
    const shown = await view(both);
    expect(shown.status).toBe(200);
    expect(shown.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^inline; filename="page\.pdf"/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    const policy = String(shown.headers['content-security-policy']);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "object-src 'self'",
      "style-src 'unsafe-inline'",
      "frame-ancestors 'self'",
    ]);
    for (const [name, bytes, type] of [
      ['scan.png', Buffer.concat([png(), Buffer.from(page)]), 'image/png'],
      ['photo.jpg', Buffer.concat([jpeg(), Buffer.from(page)]), 'image/jpeg'],
    ] as const) {
      const picture = await view(await add('OTHER', bytes, name));
      expect(picture.headers).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'self'",
      });
    }
    const script = await view(await add('OTHER', Buffer.from(SCRIPT), 'script.pdf'));
    expect([script.status, script.body.code]).toEqual([422, 'DOCUMENT_NOT_SHOWN']);
    expect(script.headers['x-frame-options']).toBe('DENY');
    // Nobody but the operator's staff, and nothing of another merchant.
    expect((await view(both, owner)).status).toBe(403);
    expect((await view(both, browser(t))).status).toBe(401);
    const other = await t.addMerchant();
    const foreign = `/operator/merchant/${other.merchantId}/document/${both}/view`;
    expect((await operator.call('GET', foreign)).status).toBe(404);
  });
});
