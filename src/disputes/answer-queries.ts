import { setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { Mode } from '../platform/tenant.ts';
import type { AnswerAction, AnswerStatus } from './queries.ts';

export interface AnswerRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  dispute_id: string;
  action: AnswerAction;
  /** JSON text of the answer. */
  content: string;
  files: number;
  status: AnswerStatus;
  reason: string | null;
  /** The id of a person, or of a key. */
  made_by: string;
  made_at: Date;
  attempts: number;
  due_at: Date | null;
  ended_at: Date | null;
}

/** The digest of what never changes in a row `a`: a SHA-256 in hex. It includes the hashes of the files, in order. */
const answerDigest = (a: string, hashes: string) =>
  `encode(sha256(convert_to(json_build_array(${a}.merchant_id, ${a}.mode, ${a}.id, ${a}.dispute_id, ${a}.action, ${a}.content,
  ${a}.files, ${a}.made_by, extract(epoch from ${a}.made_at), ${hashes})::text, 'UTF8')), 'hex')`;

const HASHES = `string_agg(f.file_name || '/' || f.content_type || '/' || f.content_hash, ',' order by f.place)`;

const hashesOf = (a: string) =>
  `coalesce((select ${HASHES}
     from dispute_files f
    where f.merchant_id = ${a}.merchant_id and f.mode = ${a}.mode and f.answer_id = ${a}.id), '')`;

export const ANSWER_DIGEST_NOW = answerDigest('a', hashesOf('a'));

export const insertAnswers = setStatement<AnswerRow>(
  'insert-dispute-answers',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    dispute_id: 'uuid',
    action: 'text',
    content: 'json',
    files: 'integer',
    status: 'text',
    reason: 'text',
    made_by: 'text',
    made_at: 'timestamptz',
    attempts: 'integer',
    due_at: 'timestamptz',
    ended_at: 'timestamptz',
  },
  `with sent as materialized (
     select f.merchant_id, f.mode, f.answer_id, ${HASHES} as hashes
       from :rows
       join dispute_files f on f.merchant_id = rows.merchant_id and f.mode = rows.mode and f.answer_id = rows.id
      group by f.merchant_id, f.mode, f.answer_id
   )
   insert into dispute_answers (merchant_id, mode, id, dispute_id, action, content, files, status, reason, made_by, made_at,
                                attempts, due_at, ended_at, digest)
   select rows.merchant_id, rows.mode, rows.id, rows.dispute_id, rows.action, rows.content, rows.files, rows.status, rows.reason,
          rows.made_by, rows.made_at, rows.attempts, rows.due_at, rows.ended_at,
          ${answerDigest('rows', "coalesce(sent.hashes, '')")}
     from :rows
     left join sent on sent.merchant_id = rows.merchant_id and sent.mode = rows.mode and sent.answer_id = rows.id`,
);

/** How an answer ended; one that has ended stays so. */
export const updateAnswersEnded = setStatement<
  Pick<AnswerRow, 'merchant_id' | 'mode' | 'id' | 'status' | 'reason' | 'ended_at'>
>(
  'update-dispute-answers-ended',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    status: 'text',
    reason: 'text',
    ended_at: 'timestamptz',
  },
  `update dispute_answers a set status = rows.status, reason = rows.reason, ended_at = rows.ended_at, due_at = null
     from :rows
    where a.merchant_id = rows.merchant_id and a.mode = rows.mode and a.id = rows.id and a.status = 'QUEUED'`,
);

export const listAnswers = statement<AnswerRow>(
  'list-dispute-answers',
  `select merchant_id, mode, id, dispute_id, action, content, files, status, reason, made_by, made_at, attempts, due_at, ended_at
     from dispute_answers where merchant_id = $1 and mode = $2 and dispute_id = $3 order by id limit 50`,
);

/** Leases answers that are due to be sent until `$3`, merchants by turns: no other worker sends them meanwhile. */
export const leaseDueAnswers = statement<AnswerRow>(
  'lease-due-dispute-answers',
  `update dispute_answers a set due_at = $3, attempts = a.attempts + 1
     from (select merchant_id, mode, id from dispute_answers
            where mode = $1 and due_at is not null and due_at <= $2
            order by row_number() over (partition by merchant_id order by due_at), due_at limit $4) due
    where a.merchant_id = due.merchant_id and a.mode = due.mode and a.id = due.id and a.due_at <= $2
    returning a.merchant_id, a.mode, a.id, a.dispute_id, a.action, a.content, a.files, a.status, a.reason, a.made_by, a.made_at,
              a.attempts, a.due_at, a.ended_at`,
);

export const DUE_ANSWERS = queue(leaseDueAnswers, 'dispute_answers', 'due_at is not null and due_at <= $1');

/** The provider has not said whether it has the answer: asked again at $4. */
export const updateAnswerLater = statement(
  'update-dispute-answer-later',
  `update dispute_answers set due_at = $4 where merchant_id = $1 and mode = $2 and id = $3 and status = 'QUEUED'`,
);

export interface FileRow {
  answer_id: string;
  id: string;
  place: number;
  file_name: string;
  content_type: string;
  size_bytes: number;
}

export const insertFile = statement(
  'insert-dispute-file',
  `insert into dispute_files (merchant_id, mode, answer_id, id, place, file_name, content_type, size_bytes, content_hash,
                              content_sealed, uploaded_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

/** Removes the files of an answer that was refused. */
export const deleteFiles = statement(
  'delete-dispute-files',
  `delete from dispute_files f
    where f.merchant_id = $1 and f.mode = $2 and f.answer_id = $3
      and not exists (select 1 from dispute_answers a
                       where a.merchant_id = f.merchant_id and a.mode = f.mode and a.id = f.answer_id)`,
);

/** The files of all answers to a dispute. */
export const listFiles = statement<FileRow>(
  'list-dispute-files',
  `select f.answer_id, f.id, f.place, f.file_name, f.content_type, f.size_bytes
     from dispute_answers a
     join dispute_files f on f.merchant_id = a.merchant_id and f.mode = a.mode and f.answer_id = a.id
    where a.merchant_id = $1 and a.mode = $2 and a.dispute_id = $3
    order by f.answer_id, f.place`,
);

export interface FileContentRow {
  id: string;
  answer_id: string;
  file_name: string;
  content_type: string;
  content_sealed: Buffer;
}

export const listFileContents = statement<FileContentRow>(
  'list-dispute-file-contents',
  `select id, answer_id, file_name, content_type, content_sealed from dispute_files
    where merchant_id = $1 and mode = $2 and answer_id = $3 order by place`,
);

/** One file of a dispute of this merchant. */
export const findFileContent = statement<FileContentRow>(
  'find-dispute-file-content',
  `select f.id, f.answer_id, f.file_name, f.content_type, f.content_sealed
     from dispute_answers a
     join dispute_files f on f.merchant_id = a.merchant_id and f.mode = a.mode and f.answer_id = a.id
    where a.merchant_id = $1 and a.mode = $2 and a.dispute_id = $3 and f.id = $4`,
);
