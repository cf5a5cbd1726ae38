import type { Reply, TestApp } from '../support/app.ts';
import type { TestPerson } from '../support/people.ts';

const BOUNDARY = 'a-boundary-that-no-file-holds';

export interface Part {
  name: string;
  content: string | Buffer;
  /** Of a file; a field without one. */
  fileName?: string;
  type?: string;
}

function formOf(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, content, fileName, type = 'application/pdf' }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: ${type}`;
    return [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** Sends a form as a browser does. @param cut so many bytes of its end are lost on the way; @param url where to. */
export async function sendForm(
  t: TestApp,
  person: TestPerson,
  parts: readonly Part[],
  { cut = 0, url = '/onboarding/document' }: { cut?: number; url?: string } = {},
): Promise<Reply> {
  const form = formOf(parts);
  const answer = await t.app.server.inject({
    method: 'POST',
    url,
    headers: {
      cookie: person.cookie(),
      'x-csrf-token': await person.csrfToken(),
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
    payload: form.subarray(0, form.length - cut),
  });
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body), text: answer.body };
}

export function upload(
  t: TestApp,
  person: TestPerson,
  kind: string,
  content: string | Buffer,
  fileName = 'certificate.pdf',
): Promise<Reply> {
  return sendForm(t, person, [
    { name: 'kind', content: kind },
    { name: 'file', content, fileName },
  ]);
}

/** Different content each time: the same twice would be one document. */
let made = 0;
export function pdf(size = 200): Buffer {
  made += 1;
  const bytes = Buffer.alloc(size, 0x20);
  bytes.write(`%PDF-1.7\n% ${made}\n`);
  return bytes;
}

export const png = () =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('x')]);
export const jpeg = () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('x')]);

export const BASIC = {
  businessName: 'Ada Foods Ltd',
  businessType: 'REGISTERED',
  businessCategory: 'Food and drink',
  email: 'hello@adafoods.example',
  phoneNumber: '0803 123 4567',
};
export const BUSINESS = {
  registrationNumber: 'rc 1234567',
  address: '12 Marina Road',
  city: 'Lagos',
  state: 'Lagos',
  country: 'Nigeria',
};
export const DIRECTOR = {
  directorFirstName: 'Ada',
  directorLastName: 'Obi',
  directorDateOfBirth: '1985-04-17',
  bvn: '22298765432',
};
export const ACCOUNT = { bankCode: '058', accountNumber: '0123456785' };

/** Fills every step; nothing is submitted. */
export async function fillEverything(t: TestApp, person: TestPerson): Promise<void> {
  const must = (reply: Reply) => {
    if (reply.status !== 200) throw new Error(reply.text);
  };
  must(await person.call('PATCH', '/onboarding/basic-details', BASIC));
  must(await person.call('PATCH', '/onboarding/business-details', BUSINESS));
  must(await person.call('PATCH', '/onboarding/director-details', DIRECTOR));
  must(await person.call('PATCH', '/onboarding/settlement-account', ACCOUNT));
  for (const kind of ['CAC_CERTIFICATE', 'DIRECTOR_ID', 'PROOF_OF_ADDRESS']) must(await upload(t, person, kind, pdf()));
}
