import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { shareOf } from '../../src/platform/db/share.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { openTestDatabase } from '../support/database.ts';

const one = statement<{ one: number }>('test-one', 'select 1 as one');
const failing = statement('test-failing', 'select 1 / 0');

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
});
afterAll(() => drop());

it('background work that is stuck leaves the other connections to everybody else, and goes on where it was', async () => {
  const background = shareOf(database, 2);
  let letGo = (): void => undefined;
  const stuck = new Promise<void>((resolve) => (letGo = resolve));
  let begun = 0;
  const works = Array.from({ length: 20 }, () =>
    background.transaction(async (tx) => {
      begun += 1;
      await stuck;
      return tx.query(one);
    }),
  );
  const more = background.query(one);
  try {
    await expect.poll(() => begun).toBe(2);
    for (let asked = 0; asked < 20; asked += 1) expect(await database.query(one)).toEqual([{ one: 1 }]);
    expect(begun).toBe(2);
  } finally {
    letGo();
  }
  expect((await Promise.all(works)).flat()).toHaveLength(20);
  expect(await more).toHaveLength(1);
});

it('what fails hands its turn on', async () => {
  const background = shareOf(database, 1);
  await expect(background.query(failing)).rejects.toThrow('division by zero');
  await expect(background.transaction((tx) => tx.query(failing))).rejects.toThrow('division by zero');
  expect(await background.query(one)).toEqual([{ one: 1 }]);
});
