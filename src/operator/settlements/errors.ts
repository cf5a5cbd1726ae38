import { AppError } from '../../platform/errors.ts';

export const settlementFileMissing = () =>
  new AppError('invalid', 'FILE_MISSING', 'Send the file as multipart/form-data, in the field "file".');

export const settlementFileTooLarge = (maxBytes: number) =>
  new AppError('invalid', 'FILE_TOO_LARGE', `The file is larger than ${maxBytes / 1024 / 1024} MB.`);

export const settlementUploadBroken = () =>
  new AppError('invalid', 'UPLOAD_BROKEN', 'The upload broke off or is no valid form. Please send it again.');
