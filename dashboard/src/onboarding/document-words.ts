import type { Onboarding } from './step-fields.ts';

export type Document = Onboarding['documents'][number];
export type DocumentKind = Document['kind'];

/** By ending and by type: phones offer the camera for a type. */
export const ACCEPTED = '.pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg';

export interface DocumentWords {
  kind: DocumentKind;
  title: string;
  about: string;
}

export const DOCUMENTS: readonly DocumentWords[] = [
  { kind: 'CAC_CERTIFICATE', title: 'CAC certificate', about: 'The certificate of registration or incorporation.' },
  {
    kind: 'DIRECTOR_ID',
    title: "Director's identity document",
    about: 'Passport, driving licence, voter card or NIN slip: the whole page.',
  },
  { kind: 'PROOF_OF_ADDRESS', title: 'Proof of address', about: 'A bill or bank statement of the last three months.' },
  { kind: 'CAC_STATUS_REPORT', title: 'CAC status report', about: 'Names the directors and shareholders.' },
  { kind: 'MEMORANDUM', title: 'Memorandum and articles', about: 'For companies.' },
  { kind: 'OTHER', title: 'Anything else', about: 'What the reviewers asked for.' },
];
