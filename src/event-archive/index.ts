export { abandonArchive, requireArchive } from './abandon-archive.ts';
export { type ArchiveStep, archiveEvents } from './archive-events.ts';
export { ArchiveFileError, linesOf, requireSealed } from './files.ts';
export { type FileHeader, headOf, NO_HEAD, sequenceOf } from './seal.ts';
