import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { CommitUnknownError } from '../../src/platform/db/database.ts';
import {
  isUnreachable,
  isUnreadable,
  isValueFault,
  sqlState,
  violatedCheck,
  violatedUnique,
} from '../../src/platform/db/failures.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { createLogger } from '../../src/platform/logger.ts';

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

  it('and what else is wrong with a row is known by the words where a shard had it sent as a COPY: it says an internal error', () => {
    const internal = (message: string) => refused('XX000', message);
    expect(violatedUnique(internal('duplicate key value violates unique constraint "pins_pk_102014"'))).toBe('pins_pk');
    expect(
      violatedCheck(internal('new row for relation "pins_102293" violates check constraint "pins_mode_102293"')),
    ).toBe('pins_mode');
    const unreadable = [
      'value "x" is out of range for type integer',
      'invalid byte sequence for encoding "UTF8": 0x00',
    ];
    for (const words of unreadable) expect(isUnreadable(internal(words)), words).toBe(true);
    expect(isValueFault(internal('null value in column "a" violates not-null constraint'))).toBe(true);
    expect(isValueFault(internal('could not find shard interval'))).toBe(false);
    expect(sqlState(internal('could not find shard interval'))).toBe('XX000');
  });
});

describe('a database that cannot be reached', () => {
  it.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('is one whose TLS is refused with %s', (code) => {
    expect(isUnreachable(Object.assign(new Error('why'), { code }))).toBe(true);
  });

  it.each(['28P01', '28000', '3D000', '53300'])('is one that answers %s', (code) => {
    expect(isUnreachable(refused(code, 'why'))).toBe(true);
  });

  it('is one without TLS where it is asked for, and none that refuses a row', () => {
    expect(isUnreachable(new Error('The server does not support SSL connections'))).toBe(true);
    expect(isUnreachable(refused('23505', 'why'))).toBe(false);
  });
});

describe('a COMMIT without an answer, of an operation that keeps none under a key', () => {
  it('is answered as unknown, with what to do, and not as a defect', async () => {
    const server = await createServer({ logger: createLogger('silent'), trustedProxies: [] });
    server.post('/saved', () => {
      throw new CommitUnknownError(new Error('Connection terminated unexpectedly'));
    });
    const { statusCode, headers, body } = await server.inject({ method: 'POST', url: '/saved' });
    await server.close();
    expect(statusCode).toBe(503);
    expect(headers['retry-after']).toBe('5');
    expect(JSON.parse(body)).toMatchObject({
      status: false,
      code: 'OUTCOME_UNKNOWN',
      message: 'The database did not answer while saving. Look whether it was saved before you send it again.',
    });
  });
});
