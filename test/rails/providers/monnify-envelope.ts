import type { ProviderResponse } from './stand-in.ts';

/** What every answer of Monnify is wrapped in. */
export function ok(responseBody: unknown): ProviderResponse {
  return {
    status: 200,
    body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
  };
}

export function refusal(status: number, code: string, message: string): ProviderResponse {
  return { status, body: { requestSuccessful: false, responseMessage: message, responseCode: code } };
}
