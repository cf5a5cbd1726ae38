import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Container, createContainer } from '../../src/container.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { importList, MAX_LIST_BYTES } from '../../src/screening/index.ts';
import { type Part, sendForm } from '../onboarding/upload.ts';
import { checked } from '../operator/operator-operations.ts';
import { createTestApp, type Reply, type TestApp } from '../support/app.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';

let t: TestApp;
let deps: Container;
let ada: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
  deps = createContainer({ ...t, logger: createLogger('silent') });
  ada = checked(t.app, await signedInOperator(t));
});
afterAll(() => t.close());

const HEADER = 'name,aliases,account_number,bank_code';
const FIRST = `${HEADER}\nNobody Atall,,,\n`;
const fields = (name: string) => ({ name, mode: 'SANDBOX', source: 'main.un.org', listedOn: '2026-11-20' });

let name: string;
beforeEach(() => {
  name = `List ${Math.random()}`;
});

interface Sent {
  file?: string | Buffer | null;
  fields?: Record<string, string>;
  cut?: number;
  more?: readonly Part[];
}

/** Sends a version of the list as the operator's page does. */
function send({ file = FIRST, fields: given = {}, cut = 0, more = [] }: Sent = {}): Promise<Reply> {
  const parts = Object.entries({ ...fields(name), ...given }).map(([of, content]) => ({ name: of, content }));
  const files = file === null ? [] : [{ name: 'file', content: file, fileName: 'list.csv', type: 'text/csv' }];
  return sendForm(t, ada, [...parts, ...files, ...more], { url: '/operator/screening-list', cut });
}

/** The versions of the list, and how many entries each has. */
async function versions(): Promise<{ entries: number; hash: string; isInForce: boolean }[]> {
  const { rows } = await t.database.pool.query(
    `select file_hash as hash, ended_at is null as "isInForce",
            (select count(*)::int from screening_entries where list_id = id) as entries
       from screening_lists where name = $1 order by id`,
    [name],
  );
  return rows;
}

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => `Person ${at} Of Many,,,\n`).join('');

describe('an imported list', () => {
  it('has every row of its file in order, with the hash of its bytes, and ends the version before it', async () => {
    await send();
    const lines = ['Chidi Okafor, C. Okafor ;; Chidi O. , 0123456785,058', '"Obi, Emeka",,,', '', 'Àdélé\u200b Bello'];
    const file = `\ufeff${HEADER.replace('name', ' Name ')}\r\n${lines.join('\r\n')}`;
    const reply = await send({ file });
    expect(reply, reply.text).toMatchObject({ status: 200, body: { data: { entries: 3 } } });
    expect(await versions()).toMatchObject([{ isInForce: false }, { isInForce: true, entries: 3, hash: hashOf(file) }]);
    const { rows } = await t.database.pool.query(
      'select entry_number, name, aliases, account_number, bank_code from screening_entries where list_id = $1 order by 1',
      [reply.body.data.listId],
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      [1, 'Chidi Okafor', '["C. Okafor","Chidi O."]', '0123456785', '058'],
      [2, 'Obi, Emeka', '[]', null, null],
      [3, 'Àdélé Bello', '[]', null, null],
    ]);
  });

  it('ends no version of the other mode', async () => {
    const file = { name, source: 'main.un.org', listedOn: '2026-11-20', by: 'ada@manilla.example' };
    const open = () => Readable.from([Buffer.from(FIRST)]);
    await importList(deps, { ...file, mode: 'LIVE', open });
    await importList(deps, { ...file, mode: 'SANDBOX', open });
    expect(await versions()).toMatchObject([{ isInForce: true }, { isInForce: true }]);
  });

  it('of 200,000 names is in force without holding the one thread of everybody for long', async () => {
    let longest = 0;
    let whole = 0;
    let isRunning = true;
    let before = process.threadCpuUsage();
    const tick = () => {
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, user + system);
      whole += user + system;
      before = process.threadCpuUsage();
      if (isRunning) setImmediate(tick);
    };
    const file = Buffer.from(`${HEADER}\n${rowsOf(200_000)}`);
    tick();
    longest = 0;
    whole = 0;
    const imported = await importList(deps, {
      ...fields(name),
      mode: 'SANDBOX',
      by: 'test',
      open: () => Readable.from([file]),
    });
    isRunning = false;
    expect(imported.entries).toBe(200_000);
    // A collection of garbage may fall into one hold: what is read at once takes a third.
    expect(longest / whole).toBeLessThan(1 / 5);
  });
});

describe('a list that cannot be imported whole', () => {
  const NO_NAME = `${HEADER}\nChidi Okafor,,,\n"Obi,\nEmeka",,,\n \u200b,An alias,,\nBola Ade,,,\n`;
  const BAD_UTF8 = Buffer.concat([Buffer.from(`${HEADER}\nChidi,,,\nAd`), Buffer.from([0xe9]), Buffer.from('le,,,\n')]);

  it.each<[string, Sent, string, RegExp]>([
    ['an upload that breaks off', { cut: 30 }, 'UPLOAD_BROKEN', /broke off/],
    ['no file', { file: null }, 'FILE_MISSING', /in the field "file"/],
    ['a file beyond the limit of bytes', { file: Buffer.alloc(MAX_LIST_BYTES + 1, 'x') }, 'FILE_TOO_LARGE', /32 MB/],
    [
      'a name too many',
      { file: `${HEADER}\n${'A,,,\n'.repeat(200_001)}` },
      'SCREENING_LIST_TOO_LONG',
      /^Row 200,001 \(line 200,002 of the file\) is one too many: a list has 200,000 names at most/,
    ],
    ['an empty name', { file: NO_NAME }, 'SCREENING_NAME_MISSING', /^Row 3 \(line 5 of the file\) has no name/],
    ['bytes that are not UTF-8', { file: BAD_UTF8 }, 'SCREENING_FILE_UNREADABLE', /^Line 3 holds bytes/],
    [
      'bytes that are not UTF-8 beyond the first piece',
      {
        file: Buffer.concat([Buffer.from(`${HEADER}\n${rowsOf(10_000)}`), Buffer.from([0xff]), Buffer.from('\nA,,,')]),
      },
      'SCREENING_FILE_UNREADABLE',
      /^Line 10002 holds bytes/,
    ],
    [
      'a character that is cut off at the end',
      { file: Buffer.from(`${FIRST}Adé`).subarray(0, -1) },
      'SCREENING_FILE_UNREADABLE',
      /^Line 3 holds bytes/,
    ],
    ['zeros', { file: `${FIRST}Ade\0,,,` }, 'SCREENING_FILE_UNREADABLE', /^Line 3 holds bytes/],
    ['a workbook', { file: 'PK\u0003\u0004\u0000\u0000' }, 'SCREENING_FILE_UNREADABLE', /Excel workbook/],
    ['an open quotation mark', { file: `${FIRST}"Ade,,,\n` }, 'SCREENING_FILE_UNREADABLE', /^Line 3 opens a quotation/],
    [
      'a quotation mark in the middle',
      { file: `${FIRST}A"d"e,,,\n` },
      'SCREENING_FILE_UNREADABLE',
      /^Line 3 cannot be read/,
    ],
    ['an endless line', { file: `${FIRST}${'x'.repeat(200_000)}` }, 'SCREENING_FILE_UNREADABLE', /^Line 3 is longer/],
    ['an endless row', { file: `${FIRST}"${'x\n'.repeat(99_000)}` }, 'SCREENING_FILE_UNREADABLE', /more than 64 KB/],
    ['no column of names', { file: 'aliases\nNobody\n' }, 'SCREENING_HEADER_UNKNOWN', /It has: aliases/],
    ['nothing in it', { file: '' }, 'SCREENING_HEADER_UNKNOWN', /It has: nothing/],
    ['a header alone', { file: `${HEADER}\n\n` }, 'SCREENING_LIST_EMPTY', /no row/],
    ['a day that is none', { fields: { listedOn: '2026-02-30' } }, 'VALIDATION_FAILED', /listedOn/],
    ['a mode that is none', { fields: { mode: 'BOTH' } }, 'VALIDATION_FAILED', /mode/],
    ['a source that nobody sees', { fields: { source: 'UN\u202ego' } }, 'VALIDATION_FAILED', /source/],
    ['a source that is too long', { fields: { source: 'x'.repeat(1_300) } }, 'VALIDATION_FAILED', /source/],
    ['a field that is none', { fields: { csv: FIRST } }, 'VALIDATION_FAILED', /csv/],
    ['two files', { more: [{ name: 'file', content: FIRST, fileName: 'b.csv' }] }, 'VALIDATION_FAILED', /one file/],
  ])('for %s leaves nothing, and the version before it in force', async (_, sent, code, says) => {
    await send();
    const reply = await send(sent);
    expect([reply.status, reply.body.code], reply.text).toEqual([400, code]);
    expect(reply.body.message).toMatch(says);
    expect(await versions()).toEqual([{ isInForce: true, entries: 1, hash: hashOf(FIRST) }]);
  });

  it('because its file changes while it is read leaves nothing', async () => {
    await send();
    const files = [`${HEADER}\nOne Person,,,\n`, `${HEADER}\nAnother Person,,,\n`];
    const open = () => Readable.from([Buffer.from(files.shift() ?? '')]);
    const imported = importList(deps, { ...fields(name), mode: 'SANDBOX', by: 'test', open });
    await expect(imported).rejects.toMatchObject({ kind: 'conflict', code: 'SCREENING_FILE_CHANGED' });
    expect(await versions()).toEqual([{ isInForce: true, entries: 1, hash: hashOf(FIRST) }]);
  });

  it('because others import it at the same moment is refused, and one version is in force', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => send()));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(
      new Set(refused.length > 0 ? ['SCREENING_LIST_REPLACED'] : []),
    );
    const after = await versions();
    expect(after).toHaveLength(replies.length - refused.length);
    expect(after.filter(({ isInForce }) => isInForce)).toHaveLength(1);
    expect(after.every(({ entries }) => entries === 1)).toBe(true);
  });
});
