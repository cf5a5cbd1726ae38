import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { contentTypeUnsupported } from './json-body.ts';

/** A part of a form as it arrives. */
export type FormPart =
  | { type: 'field'; fieldname: string; value: unknown; valueTruncated: boolean }
  | { type: 'file'; fieldname: string; filename: string; file: AsyncIterable<Buffer> };

/** How much of a form is read. */
interface FormLimits {
  files: number;
  fileSize: number;
  fields: number;
  parts: number;
  fieldNameSize: number;
  fieldSize: number;
  headerPairs: number;
}

/**
 * For a form with one file and some fields. A second file is read far enough to be refused by name, and one byte more
 * than a file may have, so that the handler sees that it is too large.
 */
export function formLimits({
  maxFileBytes,
  fields,
  fieldBytes = 200,
}: {
  maxFileBytes: number;
  fields: number;
  fieldBytes?: number;
}): FormLimits {
  return {
    files: 2,
    fileSize: maxFileBytes + 1,
    fields: 2 * fields,
    parts: 2 * fields + 2,
    fieldNameSize: 100,
    fieldSize: fieldBytes,
    headerPairs: 20,
  };
}

/** What a form may have around its files: part headers, boundaries, and short fields. For the `bodyLimit` of its route. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

const FORM_EXPECTED = 'The body must be a form, sent with Content-Type: multipart/form-data.';

/**
 * The routes of this scope take multipart forms. None of them reads JSON in the usual way, as a whole.
 * @param expected the answer to a body of another kind.
 */
export async function acceptForms(app: FastifyInstance, expected = FORM_EXPECTED): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('*', (_request, _payload, done) => done(contentTypeUnsupported(expected)));
}

/** Why a form could not be read: an error of its parser is about the form, an error of the disk is ours. */
export function formFault(error: unknown, broken: () => AppError): unknown {
  if (error instanceof AppError) return error;
  return error instanceof Error && 'syscall' in error ? error : broken();
}

/**
 * Reads a form, part by part. A client that is still sending when it is refused does not read yet: the rest is read and
 * dropped.
 */
export async function takeForm<T>(
  request: FastifyRequest,
  limits: FormLimits,
  take: (parts: AsyncIterable<FormPart>) => Promise<T>,
): Promise<T> {
  return lettingTheRestThrough(request, () => take(request.parts({ limits }) as AsyncIterable<FormPart>));
}

/** Runs work that reads a body as it arrives. @throws what it throws, in a way that the client gets the answer. */
export async function lettingTheRestThrough<T>({ raw }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    raw.unpipe();
    raw.resume();
    throw error;
  }
}
