import { type FormPart, formLimits } from '../platform/http/forms.ts';
import { importList, MAX_LIST_BYTES } from '../screening/index.ts';
import type { OperatorDeps } from './deps.ts';
import { modeOf, required, withFile } from './file-form.ts';

const FIELDS: ReadonlySet<string> = new Set(['name', 'mode', 'source', 'listedOn']);
/** Room for a source of 300 characters, each of up to four bytes. */
const MAX_FIELD_BYTES = 1_200;

export const LIST_FORM_LIMITS = formLimits({
  maxFileBytes: MAX_LIST_BYTES,
  fields: FIELDS.size,
  fieldBytes: MAX_FIELD_BYTES,
});

/**
 * Takes in a version of a list from a form and imports it. Nothing of the file stays on disk.
 * @throws AppError 400 `FILE_MISSING`, `FILE_TOO_LARGE`, `UPLOAD_BROKEN`; as `importList`.
 */
export async function takeScreeningList(deps: OperatorDeps, parts: AsyncIterable<FormPart>, by: string) {
  return withFile(deps, parts, { known: FIELDS, maxBytes: MAX_LIST_BYTES }, (fields, { open }) =>
    importList(deps, {
      name: required(fields, 'name'),
      mode: modeOf(required(fields, 'mode')),
      source: required(fields, 'source'),
      listedOn: required(fields, 'listedOn'),
      open,
      by,
    }),
  );
}
