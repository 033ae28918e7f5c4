import { expect, test } from 'vitest'
import { refuseForeignAccount, vouchedMail } from './judge-claims.ts'
import type { IssuerAnswer } from './take-answer.ts'

const answer = (issuer: string, claims: object) =>
  ({
    connection: { issuer },
    claims: { sub: '1', ...claims },
    domains: new Set(['acme.test']),
  }) as unknown as IssuerAnswer

test('Google vouches for accounts of the company’s own domain: anybody may have a private account with any mail address', () => {
  const google = (claims: object) => () => refuseForeignAccount(answer('https://accounts.google.com', claims))
  expect(google({ email: 'ada@acme.test', hd: 'acme.test' })).not.toThrow()
  for (const claims of [{ email: 'ada@acme.test' }, { email: 'ada@acme.test', hd: 'other.test' }])
    expect(google(claims)).toThrow('ssoForeignDomain')
  expect(() => refuseForeignAccount(answer('https://login.acme.test', {}))).not.toThrow()
})

test('Entra ID: the address of a guest is what an Admin of theirs has typed, and counts where its domain’s owner vouches for it', () => {
  const mail = (claims: object) => () =>
    vouchedMail(answer('https://login.microsoftonline.com/0f0f/v2.0', { email: 'Ceo@acme.test', ...claims }))
  expect(mail({ preferred_username: 'ceo@ACME.test' })()).toBe('ceo@acme.test')
  for (const xms_edov of [true, '1', 1, 'true'])
    expect(mail({ preferred_username: 'mallory@evil.test', xms_edov })()).toBe('ceo@acme.test')
  for (const claims of [{}, { preferred_username: 'mallory@evil.test' }, { preferred_username: '', xms_edov: false }])
    expect(mail(claims)).toThrow('ssoMailUnverified')
})

test('a mail address counts where nothing speaks against it, and in a proved domain only', () => {
  const mail = (claims: object) => () => vouchedMail(answer('https://login.acme.test', claims))
  for (const verified of [{}, { email_verified: true }, { email_verified: 'true' }])
    expect(mail({ email: ' Ada@ACME.test', ...verified })()).toBe('ada@acme.test')
  for (const verified of [false, 'false', null, 0, 1, 'yes', {}])
    expect(mail({ email: 'ada@acme.test', email_verified: verified })).toThrow('ssoMailUnverified')
  for (const email of [undefined, '', 'ada', 'ada@acme.test@evil', 'a b@acme.test'])
    expect(mail({ email })).toThrow('ssoMailMissing')
  for (const email of ['ada@evil.test', 'ada@sub.acme.test', 'ada@acme.test.evil.test'])
    expect(mail({ email })).toThrow('ssoForeignDomain')
})
