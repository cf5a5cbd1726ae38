import { type HttpSession, startSession } from './session.ts';
import type { Person, Walk } from './walk.ts';

export interface NewMerchant extends Person {
  merchantId: string;
  session: HttpSession;
}

/** The smallest picture there is: one dot. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n';

/** A business that has signed up over HTTP and filled in its whole profile; nothing is submitted yet. */
export async function makeMerchant(
  walk: Pick<Walk, 'baseUrl' | 'readMail'>,
  businessName: string,
): Promise<NewMerchant> {
  const person = {
    email: `${businessName.toLowerCase().replaceAll(' ', '-')}@shop.example`,
    password: 'seven green kola baskets',
  };
  const session = startSession(walk.baseUrl);
  const done = async (method: string, path: string, body?: object | FormData) => {
    const { status, code, data } = await session.ask(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status} ${code}`);
    return data;
  };
  const owner = { firstName: 'Ngozi', lastName: 'Eze', phoneNumber: '2348031234567' };
  await done('POST', '/sign-up', { email: person.email });
  const { link } = await walk.readMail(person.email);
  const token = tokenIn(link ?? '');
  await done('POST', '/sign-up/confirm', { token, password: person.password, ...owner, businessName });
  await done('PATCH', '/onboarding/basic-details', {
    businessCategory: 'Kola nuts',
    businessType: 'REGISTERED',
    phoneNumber: '2348031234567',
  });
  await done('PATCH', '/onboarding/business-details', {
    registrationNumber: 'RC1234567',
    address: '4 Balogun Street',
    city: 'Lagos',
    state: 'Lagos',
  });
  await done('PATCH', '/onboarding/director-details', {
    directorFirstName: 'Ngozi',
    directorLastName: 'Eze',
    directorDateOfBirth: '1984-05-06',
    bvn: '22212345901',
  });
  await done('PATCH', '/onboarding/settlement-account', { bankCode: '058', accountNumber: '0123456785' });
  await done('POST', '/onboarding/document', documentOf('CAC_CERTIFICATE', 'certificate.png', PNG));
  await done('POST', '/onboarding/document', documentOf('DIRECTOR_ID', 'passport.pdf', Buffer.from(PDF)));
  await done('POST', '/onboarding/document', documentOf('PROOF_OF_ADDRESS', 'bill.pdf', Buffer.from(`${PDF}%2`)));
  const { merchant } = await done('GET', '/session');
  return { ...person, merchantId: merchant.merchantId, session };
}

function tokenIn(link: string): string {
  const { hash, searchParams } = new URL(link);
  return searchParams.get('token') ?? new URLSearchParams(hash.slice(1)).get('token') ?? hash.slice(1);
}

function documentOf(kind: string, name: string, content: Buffer): FormData {
  const form = new FormData();
  form.append('kind', kind);
  form.append('file', new Blob([new Uint8Array(content)]), name);
  return form;
}
