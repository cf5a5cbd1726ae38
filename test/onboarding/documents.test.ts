import { once } from 'node:events';
import { connect } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readDocument } from '../../src/onboarding/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createUploads } from '../../src/platform/uploads.ts';
import { createTestApp, type Reply, type TestApp } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { bearer, issueKey, rowsOf, saidBy } from '../support/world.ts';
import { jpeg, pdf, png, sendForm, upload } from './upload.ts';

const MAX_BYTES = 5 * 1024 * 1024;

let t: TestApp;
let port: number;
beforeAll(async () => {
  t = await createTestApp();
  port = Number(new URL(await t.app.server.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => t.close());

let merchantId: string;
let owner: TestPerson;
beforeEach(async () => {
  ({ merchantId } = await t.addMerchant({ approved: false }));
  owner = await signedInMember(t, merchantId, 'OWNER');
});

const told = ({ status, body }: Reply) => [status, body.code];
const list = async (person = owner) => (await person.call('GET', '/onboarding')).body.data.documents;
/** As bytes: a document is no text. */
const fetchContent = async (person: TestPerson, documentId: string) => {
  const answer = await t.app.server.inject({
    method: 'GET',
    url: `/onboarding/document/${documentId}/content`,
    headers: { cookie: person.cookie() },
  });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
};

describe('documents that nobody reads to their end', () => {
  it('are in memory four times for a merchant at most, and the next is served once one of them is let go', async () => {
    const documentId = await addLarge();
    const unread = await leaveUnread(owner, `/onboarding/document/${documentId}/content`);
    for (const socket of unread) socket.destroy();
    await vi.waitFor(async () => expect((await fetchContent(owner, documentId)).status).toBe(200));
  });

  it('are in memory four times for one of the staff at most, however they look at them, and for another beside', async () => {
    const documentId = await addLarge();
    const path = `/operator/merchant/${merchantId}/document/${documentId}`;
    const [ada, ben] = [await signedInOperator(t), await signedInOperator(t)];
    const unread = await leaveUnread(ada, `${path}/view`);
    expect((await ada.call('GET', `${path}/content`)).body.code).toBe('EXPORTS_BUSY');
    expect((await ben.call('GET', `${path}/content`)).status).toBe(200);
    for (const socket of unread) socket.destroy();
  });

  async function addLarge(): Promise<string> {
    const large = Buffer.concat([png(), Buffer.alloc(MAX_BYTES - 64 * 1024)]);
    const reply = await upload(t, owner, 'OTHER', large, 'large.png');
    expect(reply.status, reply.text).toBe(200);
    return reply.body.data.documentId;
  }

  /** Asks for it on five connections, and reads on none of them: the fifth is refused. */
  async function leaveUnread(person: TestPerson, path: string) {
    const open = async () => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${person.cookie()}\r\n\r\n`);
      const [head] = (await once(socket, 'data')) as [Buffer];
      socket.pause();
      return { socket, head: head.toString('latin1') };
    };
    const unread = [];
    for (let at = 0; at < 4; at += 1) unread.push(await open());
    expect(unread.map(({ head }) => head.slice(9, 12))).toEqual(['200', '200', '200', '200']);
    const fifth = await open();
    expect([fifth.head.slice(9, 12), /EXPORTS_BUSY/.test(fifth.head)]).toEqual(['503', true]);
    return [...unread, fifth].map(({ socket }) => socket);
  }
});

describe('a document', () => {
  it.each([
    ['application/pdf', 'certificate.pdf', pdf()],
    ['image/png', 'scan.png', png()],
    ['image/jpeg', 'photo.jpg', jpeg()],
  ])('of the type %s comes back byte for byte, to be saved and never shown', async (type, name, bytes) => {
    const reply = await upload(t, owner, 'CAC_CERTIFICATE', bytes, name);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.data).toMatchObject({
      kind: 'CAC_CERTIFICATE',
      fileName: name,
      contentType: type,
      bytes: bytes.length,
    });
    const content = await fetchContent(owner, reply.body.data.documentId);
    expect(content.status).toBe(200);
    expect(content.bytes.equals(bytes)).toBe(true);
    expect(content.headers).toMatchObject({
      'content-type': type,
      'content-disposition': expect.stringMatching(/^attachment; filename="/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'; sandbox"),
      'cache-control': 'no-store',
    });
  });

  it('lies sealed: what is in it is nowhere in the database, and its bytes open in their own row only', async () => {
    const secret = 'a passport number that nobody may read';
    const bytes = Buffer.from(`%PDF-1.7\n${secret}`);
    const { documentId } = (await upload(t, owner, 'DIRECTOR_ID', bytes)).body.data;
    const [row] = await rowsOf<{ content_sealed: Buffer }>(
      t.connectionString,
      'select content_sealed from merchant_documents where id = $1',
      [documentId],
    );
    expect(row?.content_sealed.includes(secret)).toBe(false);
    const second = (await upload(t, owner, 'OTHER', pdf())).body.data;
    await rowsOf(t.connectionString, 'update merchant_documents set content_sealed = $1 where id = $2', [
      row?.content_sealed,
      second.documentId,
    ]);
    const wanted = { merchantId, documentId: second.documentId, caller: merchantId };
    await expect(readDocument({ ...t, uploads: createUploads() }, wanted)).rejects.toThrow();
    expect((await fetchContent(owner, second.documentId)).status).toBe(500);
  });

  it('of the registration is listed in the Merchant object by its address', async () => {
    const { documentId } = (await upload(t, owner, 'CAC_STATUS_REPORT', pdf())).body.data;
    await upload(t, owner, 'DIRECTOR_ID', pdf());
    const path = `/onboarding/document/${documentId}/content`;
    expect((await owner.call('GET', '/merchant/info')).body.data.cacDocuments).toEqual([path]);
    expect((await fetchContent(owner, documentId)).status).toBe(200);
    await owner.call('DELETE', `/onboarding/document/${documentId}`);
    expect((await owner.call('GET', '/merchant/info')).body.data.cacDocuments).toEqual([]);
  });

  it('sent twice is one document, also twenty times at once', async () => {
    const bytes = pdf();
    const replies = await Promise.all(Array.from({ length: 20 }, () => upload(t, owner, 'OTHER', bytes)));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.data?.documentId}`)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  it('is gone for good when it is removed', async () => {
    const { documentId } = (await upload(t, owner, 'OTHER', pdf())).body.data;
    const removed = await owner.call('DELETE', `/onboarding/document/${documentId}`);
    expect([removed.status, removed.body.data.documents]).toEqual([200, []]);
    expect((await fetchContent(owner, documentId)).status).toBe(404);
    expect(told(await owner.call('DELETE', `/onboarding/document/${documentId}`))).toEqual([404, 'DOCUMENT_NOT_FOUND']);
    const rows = await rowsOf(t.connectionString, 'select 1 from merchant_documents where id = $1', [documentId]);
    expect(rows).toEqual([]);
  });

  it('of another merchant is as one that nobody has', async () => {
    const { documentId } = (await upload(t, owner, 'OTHER', pdf())).body.data;
    const stranger = await signedInMember(t, (await t.addMerchant()).merchantId, 'OWNER');
    const theirs = await fetchContent(stranger, documentId);
    const nobodys = await fetchContent(stranger, newId());
    const said = [theirs, nobodys].map(({ bytes }) => saidBy({ text: bytes.toString() }));
    expect([theirs.status, said[0]]).toEqual([404, said[1]]);
    expect(told(await stranger.call('DELETE', `/onboarding/document/${documentId}`))).toEqual([
      404,
      'DOCUMENT_NOT_FOUND',
    ]);
    expect(await list()).toHaveLength(1);
  });

  it('opens to owner and admin, and to nobody else', async () => {
    const { documentId } = (await upload(t, owner, 'OTHER', pdf())).body.data;
    for (const [role, status] of [
      ['ADMIN', 200],
      ['MAKER', 403],
      ['APPROVER', 403],
      ['VIEWER', 403],
      ['DEVELOPER', 403],
    ] as const) {
      expect((await fetchContent(await signedInMember(t, merchantId, role), documentId)).status, role).toBe(status);
    }
    const keyed = await t.call('GET', `/onboarding/document/${documentId}/content`);
    expect(told(keyed)).toEqual([403, 'PERSON_REQUIRED']);
    const nobody = await t.app.server.inject({ method: 'GET', url: `/onboarding/document/${documentId}/content` });
    expect(nobody.statusCode).toBe(401);
  });
});

describe('what is refused', () => {
  /** The local header of a ZIP file, with a megabyte of zeros in a few bytes. */
  const zip = Buffer.concat([
    Buffer.from('PK\x03\x04', 'latin1'),
    Buffer.alloc(26),
    deflateRawSync(Buffer.alloc(1 << 20)),
  ]);
  it.each<[string, Buffer]>([
    ['a program that is called PDF', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])],
    ['a zip bomb that is called PDF', zip],
    ['a page with a script that is called PDF', Buffer.from('<html><script>alert(1)</script>')],
    ['a picture that can run scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PDF that begins later than at its first byte', Buffer.from('GIF89a%PDF-1.7')],
    ['four bytes', Buffer.from('%PDF')],
  ])('%s, next to the field', async (_label, bytes) => {
    const reply = await upload(t, owner, 'CAC_CERTIFICATE', bytes, 'certificate.pdf');
    expect(told(reply)).toEqual([422, 'DOCUMENT_TYPE_REFUSED']);
    expect(reply.body.errors[0].field).toBe('file');
    expect(await list()).toEqual([]);
  });

  it('one byte more than 5 MB, and 5 MB is taken', async () => {
    const most = await upload(t, owner, 'OTHER', pdf(MAX_BYTES));
    expect([most.status, most.body.data.bytes]).toEqual([200, MAX_BYTES]);
    expect(told(await upload(t, owner, 'OTHER', pdf(MAX_BYTES + 1)))).toEqual([422, 'DOCUMENT_TOO_LARGE']);
    expect(told(await upload(t, owner, 'OTHER', pdf(MAX_BYTES * 3)))).toEqual([422, 'DOCUMENT_TOO_LARGE']);
    expect(await list()).toHaveLength(1);
  });

  it('the twenty-first document, also where many come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 24 }, () => upload(t, owner, 'OTHER', pdf())));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(replies.filter(({ body }) => body.code === 'DOCUMENTS_TOO_MANY')).toHaveLength(4);
    expect(await list()).toHaveLength(20);
  });

  it('a form that is not whole, or is none', async () => {
    const file = { name: 'file', content: pdf(), fileName: 'a.pdf' };
    const kind = { name: 'kind', content: 'OTHER' };
    const attempts: [Reply, [number, string]][] = [
      [await sendForm(t, owner, [file]), [400, 'VALIDATION_FAILED']],
      [await sendForm(t, owner, [kind]), [400, 'DOCUMENT_MISSING']],
      [await sendForm(t, owner, [kind, { ...file, content: '' }]), [400, 'DOCUMENT_MISSING']],
      [await sendForm(t, owner, [{ name: 'kind', content: 'PASSPORT' }, file]), [400, 'VALIDATION_FAILED']],
      [await sendForm(t, owner, [kind, file, file]), [400, 'DOCUMENT_ONE_AT_A_TIME']],
      [await sendForm(t, owner, [kind, { ...file, name: 'paper' }]), [400, 'VALIDATION_FAILED']],
      [await sendForm(t, owner, [kind, { name: 'file', content: 'text' }]), [400, 'VALIDATION_FAILED']],
      [await sendForm(t, owner, [kind, { name: 'merchantId', content: newId() }, file]), [400, 'VALIDATION_FAILED']],
      [await sendForm(t, owner, [kind, file], { cut: 60 }), [400, 'DOCUMENT_UPLOAD_BROKEN']],
      [await owner.call('POST', '/onboarding/document', { kind: 'OTHER' }), [415, 'CONTENT_TYPE_UNSUPPORTED']],
    ];
    for (const [reply, expected] of attempts) expect(told(reply), reply.text).toEqual(expected);
    const withoutFile = attempts[1]?.[0].body;
    expect(withoutFile.problems).toMatchObject([{ code: 'DOCUMENT_MISSING', field: 'file', params: {} }]);
    expect(await list()).toEqual([]);
  });

  it.each([
    ['../../etc/passwd', 'passwd.pdf'],
    ['..\\..\\windows\\system.exe', 'system.pdf'],
    ['invoice.pdf.exe', 'invoice.pdf.pdf'],
    ['.htaccess', 'document.pdf'],
    ['Ọ̀nà ìwé.pdf', 'Ọ̀nà ìwé.pdf'],
    ['a;b&c|d$(e).pdf', 'a_b_c_d_(e).pdf'],
    [`${'n'.repeat(300)}.pdf`, `${'n'.repeat(100)}.pdf`],
  ])('a name that is more than a name: %s becomes %s', async (given, kept) => {
    const reply = await upload(t, owner, 'OTHER', pdf(), given);
    expect([reply.status, reply.body.data?.fileName]).toEqual([200, kept]);
    const { headers } = await fetchContent(owner, reply.body.data.documentId);
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w%.()!~-]+$/,
    );
    expect(headers['content-disposition']).toContain(
      encodeURIComponent(kept).replaceAll(/[()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
    );
  });
});

describe('a link to a registration document', () => {
  let documentId: string;
  let bytes: Buffer;
  let key: Record<string, string>;
  beforeEach(async () => {
    const merchant = await t.addMerchant({ approved: false });
    merchantId = merchant.merchantId;
    owner = await signedInMember(t, merchantId, 'OWNER');
    bytes = pdf();
    ({ documentId } = (await upload(t, owner, 'CAC_CERTIFICATE', bytes)).body.data);
    key = { authorization: `Bearer ${merchant.secretKey}` };
  });

  const linksFor = async (headers: Record<string, string>): Promise<URL[]> => {
    const { cacDocuments } = (await t.call('GET', '/merchant/info', undefined, headers)).body.data;
    return cacDocuments.map((address: string) => new URL(address));
  };
  const follow = async ({ pathname, search }: URL, headers: Record<string, string>) => {
    const answer = await t.app.server.inject({ method: 'GET', url: pathname + search, headers });
    const code = answer.statusCode === 200 ? null : answer.json().code;
    return { status: answer.statusCode, code, bytes: answer.rawPayload, headers: answer.headers };
  };

  it('opens with a key that may read the merchant, and the audit log has who read it', async () => {
    const [link] = await linksFor(key);
    expect(link?.pathname).toBe(`/merchant/document/${documentId}`);
    const found = await follow(link!, key);
    expect([found.status, found.bytes.equals(bytes)]).toEqual([200, true]);
    expect(found.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' });
    const [entry] = await rowsOf<{ category: string; path: string }>(
      t.connectionString,
      `select * from audit_entries where merchant_id = $1 and category = 'PERSONAL_DATA' order by id desc limit 1`,
      [merchantId],
    );
    expect(JSON.stringify(entry)).toContain(documentId);
    expect(JSON.stringify(entry)).not.toContain(link!.searchParams.get('signature'));
  });

  it('opens nothing without a key, with a key that may not, and with another merchant’s', async () => {
    const [link] = await linksFor(key);
    expect((await follow(link!, {})).status).toBe(401);
    const narrow = await issueKey(t, merchantId, 'SANDBOX', { scopes: ['wallet:read'] });
    expect(await follow(link!, bearer(narrow.key))).toMatchObject({ status: 403, code: 'SCOPE_NOT_GRANTED' });
    const other = await t.addMerchant();
    expect(await follow(link!, bearer(other.secretKey))).toMatchObject({ status: 404, code: 'DOCUMENT_NOT_FOUND' });
  });

  it('opens nothing once it was altered, or ten minutes are over', async () => {
    const [link] = await linksFor(key);
    const later = new URL(link!);
    later.searchParams.set('expires', String(Number(later.searchParams.get('expires')) + 3_600));
    const elsewhere = new URL(link!);
    const { documentId: second } = (await upload(t, owner, 'OTHER', pdf())).body.data;
    elsewhere.pathname = `/merchant/document/${second}`;
    const signature = new URL(link!);
    signature.searchParams.set('signature', 'ü'.repeat(43));
    for (const altered of [later, elsewhere, signature]) {
      expect(await follow(altered, key)).toMatchObject({ status: 403, code: 'DOCUMENT_LINK_INVALID' });
    }
    t.clock.advance(10 * 60_000 + 1_000);
    expect(await follow(link!, key)).toMatchObject({ status: 403, code: 'DOCUMENT_LINK_EXPIRED' });
    const [fresh] = await linksFor(key);
    expect((await follow(fresh!, key)).status).toBe(200);
    await owner.call('DELETE', `/onboarding/document/${documentId}`);
    expect(await follow(fresh!, key)).toMatchObject({ status: 404, code: 'DOCUMENT_NOT_FOUND' });
  });

  it('begins with the address under which the service is reached, and never with the one that a caller names', async () => {
    const [link] = await linksFor({ ...key, host: 'localhost' });
    expect(link?.hostname).toBe('127.0.0.1');
  });
});
