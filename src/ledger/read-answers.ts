import { type Answer, successJson } from '../platform/answer.ts';
import type { Queries } from '../platform/db/database.ts';
import { arraysByMerchant } from '../platform/db/statement.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { fingerprintOf } from './archive-queries.ts';
import { answerKey, type BooksView } from './decide.ts';
import type { EarlierAnswer } from './earlier-answers.ts';
import { findAnswers } from './queries.ts';

/** An idempotency key and its tenant. */
export interface WantedAnswer {
  tenant: Tenant;
  key: string;
}

/** The answers that are kept under these keys, by `answerKey`. */
export async function readAnswers(queries: Queries, wanted: readonly WantedAnswer[]): Promise<BooksView['answers']> {
  if (wanted.length === 0) return new Map();
  const asked = arraysByMerchant(
    wanted,
    ({ tenant }) => tenant.merchantId,
    ['text', ({ tenant }) => tenant.mode],
    ['text', ({ key }) => key],
    ['uuid', ({ key }) => fingerprintOf(key)],
  );
  const rows = await queries.query(findAnswers, asked);
  return new Map(
    rows.map((row) => [
      answerKey(tenantOf(row), row.key),
      row.archived_as === null
        ? { inputHash: row.input_hash, answer: keptAnswer(row) }
        : { archivedAs: row.archived_as },
    ]),
  );
}

/** The same for many callers at once, each with one key. */
export async function readEachAnswer(
  queries: Queries,
  wanted: readonly WantedAnswer[],
): Promise<(EarlierAnswer | undefined)[]> {
  const answers = await readAnswers(queries, wanted);
  return wanted.map(({ tenant, key }) => answers.get(answerKey(tenant, key)));
}

/** The first answer, byte for byte, from the row that kept it. */
function keptAnswer(row: {
  answer_status: number;
  answer_body: string | null;
  answer_message: string | null;
  event_data: string | null;
}): Answer {
  if (row.answer_body !== null) return { status: row.answer_status, body: row.answer_body };
  return successJson(row.answer_message ?? '', row.event_data ?? 'null');
}
