import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { violatedCheck, violatedUnique } from '../../src/platform/db/failures.ts';

function refused(code: string, message: string, constraint?: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, constraint });
}

describe('the constraint that a row violates', () => {
  it.each([
    ['of one server', 'disputes_pk', 'disputes_pk'],
    ['of a shard', 'disputes_pk_102345', 'disputes_pk'],
  ])('%s is known by its name', (_where, constraint, name) => {
    const error = refused('23505', `duplicate key value violates unique constraint "${constraint}"`, constraint);
    expect(violatedUnique(error)).toBe(name);
    expect(violatedCheck(error)).toBeUndefined();
  });

  it('is known by the words alone where a worker of Citus refused it', () => {
    expect(violatedUnique(refused('23505', 'duplicate key value violates unique constraint "pins_pk_102014"'))).toBe(
      'pins_pk',
    );
    const check = 'new row for relation "payouts_102293" violates check constraint "payouts_ended_by_its_rail_102293"';
    expect(violatedCheck(refused('23514', check))).toBe('payouts_ended_by_its_rail');
  });
});
