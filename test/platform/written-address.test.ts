import { describe, expect, it } from 'vitest';
import { PLAIN_ORIGIN, writingFault } from '../../src/platform/http/written-address.ts';

const faultOf = (text: string) => writingFault(text, new URL(text));

describe('an address as it is written', () => {
  it.each([
    'https://shop.example/thanks?order=7#done',
    'https://SHOP.example:8443/',
    'https://shop.example',
    'http://[::1]:3000/hooks',
    'https://café.example/hooks',
    'https://shop.example/@you?to=a@b.example',
    String.raw`https://shop.example/?pattern=a\b`,
    String.raw`https://shop.example/#a\b`,
  ])('%s is plain', (text) => {
    expect(faultOf(text)).toBeUndefined();
  });

  it.each([
    [String.raw`https://evil.example\@good.example`, 'must not have a backslash'],
    [String.raw`https://evil.example\.good.example/`, 'must not have a backslash'],
    [String.raw`https:\\evil.example/good.example`, 'must not have a backslash'],
    [String.raw`https://good.example/\evil.example`, 'must not have a backslash'],
    ['https://good.example@evil.example/', 'must not contain a user name or password'],
    ['https://@evil.example/', 'must not contain a user name or password'],
    ['https://:@evil.example/', 'must not contain a user name or password'],
    ['https:evil.example', 'must name its host plainly: "evil.example" is what it means'],
    ['https:///evil.example', 'must name its host plainly: "evil.example" is what it means'],
    ['https://%65vil.example/', 'must name its host plainly: "evil.example" is what it means'],
    ['https://2130706433/', 'must name its host plainly: "127.0.0.1" is what it means'],
    ['https://evil。example/', 'must name its host plainly: "evil.example" is what it means'],
    ['https://good.example/\u202egpj.exe', 'must not have invisible characters'],
    ['https://go\tod.example/', 'must not have invisible characters'],
    ['https://good.example/\u0001', 'must not have invisible characters'],
  ])('%j is not', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });
});

describe('a plain origin', () => {
  it.each(['https://shop.example', 'http://127.0.0.1:3000', 'http://[::1]:3000'])('%s is one', (text) => {
    expect(PLAIN_ORIGIN.test(text)).toBe(true);
  });

  it.each([
    "http://a'b.localhost",
    'http://$(id).localhost',
    'http://a;b.localhost',
    'http://a`b`.localhost',
    'http://',
  ])('%s is none', (text) => {
    expect(PLAIN_ORIGIN.test(text)).toBe(false);
  });
});
