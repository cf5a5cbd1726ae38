import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLACEMENTS } from '../../src/placements.ts';
import { distribute, isDistributed, requireCitus } from '../../src/platform/db/distribute.ts';
import { statementsIn } from '../../src/platform/db/migrate.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const logger = createLogger('silent');

describe('a server without Citus', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is refused in words before anything is migrated, and is left as it is', async () => {
    const { connectionString } = database;
    await expect(requireCitus(connectionString)).rejects.toThrow(/has no extension "citus".*leave --distribute out/s);
    await expect(distribute({ connectionString, placements: PLACEMENTS, logger })).rejects.toThrow(
      /no extension "citus"/,
    );
    expect(await isDistributed(connectionString)).toBe(false);
  });
});

describe('a migration', () => {
  it('is sent statement by statement, and none is cut where it has a semicolon in a text, a comment or a function', () => {
    const first = `comment on table a is 'it''s; so'`;
    const second = '-- why; so\ncreate function f() returns trigger as $x$ begin raise; end; $x$ language plpgsql';
    expect(statementsIn(`${first};\n${second};\n-- the end; of it\n`)).toEqual([first, second]);
    expect(statementsIn('/* ; */ select ";"')).toEqual(['/* ; */ select ";"']);
  });
});
