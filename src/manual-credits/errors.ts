import { AppError } from '../platform/errors.ts';

export const manualCreditNotFound = () =>
  new AppError('not_found', 'MANUAL_CREDIT_NOT_FOUND', 'This merchant has no manual credit with this id in this mode.');

export const bankReferenceTaken = () =>
  new AppError(
    'conflict',
    'BANK_REFERENCE_TAKEN',
    'A credit with this reference of this bank is waiting or was approved. One bank credit is credited once.',
  );

export const manualCreditDecided = (actual: string | undefined) =>
  new AppError('conflict', 'MANUAL_CREDIT_DECIDED', `This credit is no longer open: it is ${actual ?? 'gone'}.`);

export const manualCreditAltered = () =>
  new AppError(
    'conflict',
    'MANUAL_CREDIT_ALTERED',
    'This credit is not what was shown to you, or not what was proposed. Nothing has moved. Look at it again.',
  );

export const manualCreditYours = () =>
  new AppError(
    'forbidden',
    'SECOND_PERSON_NEEDED',
    'You proposed this credit yourself: another person has to decide it. You may withdraw it.',
  );

export const manualCreditNotYours = () =>
  new AppError('forbidden', 'NOT_THE_MAKER', 'Only the person who proposed a credit withdraws it. You may reject it.');

export const bankUnknown = (code: string) => {
  const message = `There is no bank with the code ${code}. Choose one from the list.`;
  return new AppError('refused', 'BANK_NOT_FOUND', message, { errors: [{ field: 'bankCode', message }] });
};

export const documentMissing = () => {
  const message = 'Send the document as the form field "file".';
  return new AppError('invalid', 'DOCUMENT_MISSING', message, { errors: [{ field: 'file', message }] });
};

export const documentTypeRefused = () => {
  const message = 'The document must be a PDF, PNG or JPEG; what is in this file is none of them.';
  return new AppError('refused', 'DOCUMENT_TYPE_REFUSED', message, { errors: [{ field: 'file', message }] });
};

export const documentTooLarge = (maximumBytes: number) => {
  const message = `The document must be at most ${maximumBytes / 1024 / 1024} MB.`;
  return new AppError('refused', 'DOCUMENT_TOO_LARGE', message, { errors: [{ field: 'file', message }] });
};
