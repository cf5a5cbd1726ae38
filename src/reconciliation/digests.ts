/** SHA-256, hex, over which file of which rail somebody brought. */
export const importDigest = (file: string): string =>
  `encode(sha256(convert_to(json_build_array(
     ${file}.id, ${file}.rail, ${file}.mode, ${file}.merchant_id, ${file}.file_name, ${file}.file_hash, ${file}.imported_by,
     extract(epoch from ${file}.created_at))::text, 'UTF8')), 'hex')`;

/**
 * SHA-256, hex, over a line as it was read, what came of comparing it, and who resolved it how. Whether and when it
 * settled its payout is not part of it: the settlement itself says so.
 */
export const lineDigest = (line: string, compared: string = line, resolved: string = line): string =>
  `encode(sha256(convert_to(json_build_array(
     ${line}.import_id, ${line}.id, ${line}.line_number, ${line}.reference, ${line}.session_id, ${line}.amount_minor,
     ${line}.currency, ${line}.account_number, ${line}.bank_code, extract(epoch from ${line}.occurred_at),
     ${line}.status_text, ${line}.kind, ${compared}.result,
     ${compared}.detail, ${compared}.merchant_id, ${compared}.payout_id, ${compared}.our_status,
     ${compared}.our_amount_minor, ${resolved}.resolved_how, ${resolved}.resolved_note, ${resolved}.resolved_by,
     extract(epoch from ${resolved}.resolved_at))::text, 'UTF8')), 'hex')`;
