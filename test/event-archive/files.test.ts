import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeFileOf } from '../../src/event-archive/files.ts';
import type { EventArchiveRow } from '../../src/ledger/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { areBooksWrong, runVerify, verifyAll } from '../../src/verify/index.ts';
import { type Archivist, createArchivist } from './fixture.ts';

let a: Archivist;
let archives: EventArchiveRow[];
beforeAll(async () => {
  a = await createArchivist();
  for (let at = 0; at < 9; at += 1) await a.debit(newId());
  archives = await a.archive(undefined, 4);
  expect(archives.length).toBeGreaterThan(2);
  for (const { file_name } of archives)
    copyFileSync(join(a.directory, file_name), join(a.directory, `${file_name}.kept`));
});
beforeEach(() => {
  for (const { file_name } of archives)
    copyFileSync(join(a.directory, `${file_name}.kept`), join(a.directory, file_name));
});
afterAll(() => a.close());

const nameOf = (at: number) => archives[at]?.file_name ?? '';
const pathOf = (at: number) => join(a.directory, nameOf(at));

/** What the proof says is wrong, and what it could not prove. */
async function verdict() {
  const wrong = await a.wrong(a.directory);
  return {
    broken: wrong.filter(({ isUnproven }) => !isUnproven).map(({ name }) => name),
    details: wrong.flatMap(({ examples }) => examples.map(({ detail }) => detail)),
    unproven: wrong.filter(({ isUnproven }) => isUnproven).length,
  };
}

describe('a file of the archive', () => {
  it('that is right, with all others, is all that the proof needs', async () => {
    expect(await verdict()).toEqual({ broken: [], details: [], unproven: 0 });
  });

  /** Of a file each, with what the proof says of it. */
  const damages: Record<string, (readonly [damage: () => void, says: () => string])[]> = {
    'missing, altered in one byte or of something else': [
      [() => rmSync(pathOf(1)), () => `${nameOf(1)} is missing`],
      [
        () => {
          const bytes = readFileSync(pathOf(0));
          bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
          writeFileSync(pathOf(0), bytes);
        },
        () => `${nameOf(0)} is not what was written`,
      ],
      [() => writeFileSync(pathOf(2), 'not ours'), () => `${nameOf(2)} has 8 bytes`],
    ],
    'cut or exchanged with another': [
      [() => truncateSync(pathOf(2), 200), () => `${nameOf(2)} has 200 bytes`],
      [
        () => {
          renameSync(pathOf(0), `${pathOf(0)}.moved`);
          renameSync(pathOf(1), pathOf(0));
          renameSync(`${pathOf(0)}.moved`, pathOf(1));
        },
        () => nameOf(1),
      ],
    ],
  };
  for (const [what, each] of Object.entries(damages)) {
    it(`that is ${what} is named, what needs it counts as not proven, and the books are not called wrong`, async () => {
      for (const [damage] of each) damage();
      const { broken, details, unproven } = await verdict();
      expect(broken).toEqual(['archive-files-are-there']);
      const unsaid = each
        .map(([, says]) => says())
        .filter((words) => !details.some((detail) => detail.includes(words)));
      expect(unsaid).toEqual([]);
      expect(unproven).toBeGreaterThan(20);
      expect(areBooksWrong(await a.wrong(a.directory))).toBe(false);
    });
  }

  it('that the disk does not take leaves nothing on it, and one that could not be read to its end neither', async () => {
    const before = readdirSync(a.directory);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
    for (const error of [full, new Error('the database is away')]) {
      async function* pieces() {
        yield ['a line'];
        throw error;
      }
      await expect(writeFileOf(a.directory, 'whole.jsonl.zst', pieces())).rejects.toThrow(error.message);
      expect(readdirSync(a.directory)).toEqual(before);
    }
  });

  it('of another database is named, also where it has the name and the hash that are written down', async () => {
    const other = await createArchivist();
    try {
      for (let at = 0; at < 9; at += 1) await other.debit(newId());
      const [theirs] = await other.archive(undefined, 4);
      copyFileSync(join(other.directory, theirs?.file_name ?? ''), pathOf(0));
      expect((await verdict()).details[0]).toContain(nameOf(0));
      const values = [theirs?.file_bytes, theirs?.file_hash, theirs?.content_hash, nameOf(0)];
      const write = (row: readonly unknown[]) =>
        a.t.database.pool.query(
          'update event_archives set file_bytes = $1, file_hash = $2, content_hash = $3 where file_name = $4',
          [...row],
        );
      await write(values);
      const { broken, details } = await verdict();
      expect(broken).toEqual(['archives-are-whole']);
      expect(areBooksWrong(await a.wrong(a.directory))).toBe(true);
      expect(details.some((detail) => detail.includes('says of itself that it is of another archive'))).toBe(true);
      expect(details.some((detail) => detail.includes('its head is another one'))).toBe(true);
      const [ours] = archives;
      await write([ours?.file_bytes, ours?.file_hash, ours?.content_hash, nameOf(0)]);
    } finally {
      await other.close();
    }
  });
});

describe('without the files', () => {
  it('the proof says what it could not look at, finds nothing wrong, and does not say that the books are right', async () => {
    const written: string[] = [];
    const code = await runVerify(a.t, { write: (text) => written.push(text) });
    const text = written.join('');
    expect(code).toBe(1);
    expect(text).toMatch(
      /Not all is proven, and nothing was found wrong: \d+ of \d+ checks, marked with \?, could not be made/,
    );
    expect(text).not.toContain('BROKEN');
    expect(text).not.toContain('The books are right');
    const { ok, checks } = await verifyAll(a.t);
    expect(ok).toBe(false);
    expect(checks.find(({ name }) => name === 'events-without-gaps')).toMatchObject({ ok: false, isUnproven: true });
    expect(checks.find(({ name }) => name === 'debits-equal-credits')).toMatchObject({ ok: true, isUnproven: false });
  });
});
