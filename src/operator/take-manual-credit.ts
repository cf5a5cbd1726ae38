import { documentMissing, documentTooLarge, type GivenCredit, proposeCredit } from '../manual-credits/index.ts';
import { MAX_DOCUMENT_BYTES } from '../platform/documents.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { type FormPart, formFault, formLimits } from '../platform/http/forms.ts';
import { isUuid } from '../platform/ids.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { Spooled, Uploads } from '../platform/uploads.ts';
import { OPERATOR, type OperatorDeps } from './deps.ts';

const uploadBroken = () =>
  new AppError('invalid', 'DOCUMENT_UPLOAD_BROKEN', 'The upload ended too early or is no form. Please send it again.');

const FIELDS = ['walletId', 'amount', 'bankCode', 'bankReference', 'receivedOn', 'payerName', 'note'] as const;

/** Room for a note of 1,000 characters, each of up to four bytes. */
const MAX_FIELD_BYTES = 4_000;

export const CREDIT_FORM_LIMITS = formLimits({
  maxFileBytes: MAX_DOCUMENT_BYTES,
  fields: FIELDS.length,
  fieldBytes: MAX_FIELD_BYTES,
});

interface Form {
  fields: Map<string, string>;
  document: { fileName: string; file: Spooled } | undefined;
}

/**
 * Takes in a form with a credit and its document, and proposes it. Nothing of the file stays on disk.
 * @throws AppError 400 `DOCUMENT_MISSING`, `DOCUMENT_UPLOAD_BROKEN`, `VALIDATION_FAILED`; 422 `DOCUMENT_TOO_LARGE`; as
 *   `proposeCredit`.
 */
export async function takeManualCredit(
  deps: OperatorDeps,
  parts: AsyncIterable<FormPart>,
  { tenant, personId }: { tenant: Tenant; personId: string },
) {
  const { fields, document } = await readForm(parts, deps.uploads);
  try {
    return await proposeCredit(deps, { tenant, given: givenOf(fields), document, personId, caller: OPERATOR });
  } finally {
    await document?.file.close();
  }
}

async function readForm(parts: AsyncIterable<FormPart>, uploads: Uploads): Promise<Form> {
  const fields = new Map<string, string>();
  let document: Form['document'];
  try {
    for await (const part of parts) {
      if (part.type === 'field') takeField(fields, part);
      else {
        if (part.fieldname !== 'file' || document !== undefined) throw invalidField('file', 'must be one file');
        const file = await uploads.spool(OPERATOR, part.file, {
          maxBytes: MAX_DOCUMENT_BYTES,
          tooLarge: () => documentTooLarge(MAX_DOCUMENT_BYTES),
        });
        document = { fileName: part.filename, file };
      }
    }
    if (document === undefined) throw documentMissing();
    return { fields, document };
  } catch (error) {
    await document?.file.close();
    throw formFault(error, uploadBroken);
  }
}

function takeField(fields: Map<string, string>, part: Extract<FormPart, { type: 'field' }>): void {
  const name = part.fieldname;
  if (name === 'file') throw invalidField('file', 'must be a file, not a text');
  if (!(FIELDS as readonly string[]).includes(name)) {
    throw invalidField(name.slice(0, 100), 'is not a field of this form');
  }
  if (fields.has(name)) throw invalidField(name, 'must be there once');
  if (part.valueTruncated) throw invalidField(name, 'is too long');
  fields.set(name, String(part.value));
}

function givenOf(fields: Map<string, string>): GivenCredit {
  const required = (name: (typeof FIELDS)[number]): string => {
    const value = fields.get(name)?.trim();
    if (value === undefined || value === '') throw invalidField(name, 'is required');
    return value;
  };
  const walletId = required('walletId');
  if (!isUuid(walletId)) throw invalidField('walletId', 'must be an id');
  return {
    walletId: walletId.toLowerCase(),
    amount: required('amount'),
    bankCode: required('bankCode'),
    bankReference: required('bankReference'),
    receivedOn: required('receivedOn'),
    payerName: required('payerName'),
    note: required('note'),
  };
}

/** Of an address that no schema has looked at, because the route takes a form. @throws AppError 400 `VALIDATION_FAILED`. */
export function tenantOfAddress({ merchantId }: { merchantId: string }, { mode }: { mode?: Mode }): Tenant {
  if (!isUuid(merchantId)) throw invalidField('merchantId', 'must be an id');
  if (mode !== 'SANDBOX' && mode !== 'LIVE') throw invalidField('mode', 'must be SANDBOX or LIVE');
  return { merchantId: merchantId.toLowerCase(), mode };
}
