import { type Answer, successJson } from '../platform/answer.ts';
import { isoOf } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { arraysByMerchant } from '../platform/db/statement.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { fingerprintOf } from './archive-queries.ts';
import { answerKey, type BooksView } from './decide.ts';
import type { EarlierAnswer } from './earlier-answers.ts';
import { findEventTemplates } from './event-queries.ts';
import { wholeText } from './event-texts.ts';
import { type AnswerRow, findAnswers } from './queries.ts';

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
  const texts = await textsOf(queries, rows);
  return new Map(
    rows.map((row) => [
      answerKey(tenantOf(row), row.key),
      row.archived_as === null
        ? { inputHash: row.input_hash, answer: keptAnswer(row, texts) }
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

/** The texts of answers whose event is stored with a template. One that was found a moment ago is never gone. */
async function textsOf(queries: Queries, rows: readonly AnswerRow[]): Promise<Map<AnswerRow, string>> {
  const stored = rows.filter(({ template_id }) => template_id !== null);
  if (stored.length === 0) return new Map();
  const asked = arraysByMerchant(stored, (row) => row.merchant_id, ['uuid', (row) => row.template_id]);
  const found = await queries.query(findEventTemplates, asked);
  const templates = new Map(found.map(({ id, text, value_count }) => [id, { id, text, valueCount: value_count }]));
  return new Map(
    stored.map((row) => {
      const template = templates.get(row.template_id ?? '');
      const { subject_id: subjectId, event_at: at, event_data: data } = row;
      if (template === undefined || subjectId === null || at === null || data === null)
        throw new Error(`the template ${row.template_id} of events of ${row.merchant_id} is gone`);
      return [row, wholeText(template, { subjectId, at: isoOf(at), data })];
    }),
  );
}

/** The first answer, byte for byte, from the row that kept it. */
function keptAnswer(row: AnswerRow, texts: ReadonlyMap<AnswerRow, string>): Answer {
  if (row.answer_body !== null) return { status: row.answer_status, body: row.answer_body };
  return successJson(row.answer_message ?? '', texts.get(row) ?? row.event_data ?? 'null');
}
