import { z } from 'zod'
import { LoggedIn } from './auth.ts'
import { del, get, patch, post, put } from './call.ts'
import { Email, Id, Instant, text } from './common.ts'
import { SecondStep } from './second-factor.ts'

/** `offered`: beside the password; `enforced`: in its place, for people whose mail address is in a proved domain. */
export const SsoState = z.enum(['off', 'offered', 'enforced'])
export type SsoState = z.infer<typeof SsoState>

/** Figures of single sign-on that browser and server agree on. */
export const ssoLimits = { domains: 20, maxSessionHours: 720, breakGlass: 10 } as const

/** The role of people whom nobody invited; null: they are refused. */
const JoinRole = z.enum(['staff', 'manager']).nullable()
const SessionHours = z.number().int().min(1).max(ssoLimits.maxSessionHours)

/** The name of a mail domain, such as example.com, in small letters. */
export const MailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/, 'domain')

export const SsoDomain = z.object({
  id: Id,
  domain: z.string(),
  /** The text of the DNS record (TXT) of the domain that proves it. */
  record: z.string(),
  provedAt: Instant.nullable(),
  provedBy: z.enum(['dns', 'provider']).nullable(),
  checkedAt: Instant.nullable(),
  /** Since when the record of a proved domain is not found any more. */
  missingSince: Instant.nullable(),
})
export type SsoDomain = z.infer<typeof SsoDomain>

/** An Admin, as somebody who may keep their password where single sign-on is enforced: for that they need a second factor. */
export const SsoAdmin = z.object({
  id: Id,
  fullname: z.string(),
  email: z.string(),
  hasPassword: z.boolean(),
  hasFactor: z.boolean(),
})
export type SsoAdmin = z.infer<typeof SsoAdmin>

export const SsoConnection = z.object({
  issuer: z.string(),
  clientId: z.string(),
  state: SsoState,
  /** When somebody last came through the test with this issuer and client. */
  testedAt: Instant.nullable(),
  joinRole: JoinRole,
  sessionHours: z.number().int(),
  /** People who come in by it are asked for a second factor of their own here as well. */
  asksFactor: z.boolean(),
  version: z.number().int(),
})
export type SsoConnection = z.infer<typeof SsoConnection>

export const Sso = z.object({
  /** To be given to the issuer. */
  redirectUrl: z.string(),
  connection: SsoConnection.nullable(),
  domains: z.array(SsoDomain),
  /** The Admins who can log in. */
  admins: z.array(SsoAdmin),
  breakGlassIds: z.array(Id),
  /** How many people have come in by it, and who. */
  linked: z.number().int(),
  linkedIds: z.array(Id),
})
export type Sso = z.infer<typeof Sso>

export const SsoIssuer = z.strictObject({
  issuer: z.string().trim().min(1).max(500),
  clientId: text(300),
  /** Left out: the one that is kept for this issuer and client. */
  clientSecret: z.string().min(1).max(1_000).optional(),
  /** 0: there is none yet. */
  version: z.number().int().min(0),
})
export const SsoPolicy = z.strictObject({
  state: SsoState.optional(),
  joinRole: JoinRole.optional(),
  sessionHours: SessionHours.optional(),
  asksFactor: z.boolean().optional(),
  breakGlassIds: z.array(Id).max(ssoLimits.breakGlass).optional(),
  version: z.number().int(),
})
export type SsoPolicy = z.infer<typeof SsoPolicy>

/** Where the browser goes, and the secret that it keeps until it comes back; null: there is no single sign-on for that. */
export const SsoStart = z.object({ url: z.string().nullable(), browserSecret: z.string().nullable() })
export type SsoStart = z.infer<typeof SsoStart>

/**
 * The issuer's answer as it came with the browser, the browser's secret, and the company in the address that the browser came back to: each company has
 * an address of its own, so that no issuer can have the answer of another one sent to itself.
 */
export const SsoAnswer = z.strictObject({
  code: z.string().min(1).max(4_096),
  state: z.string().min(1).max(200),
  iss: z.string().max(500).optional(),
  companyId: Id,
  browserSecret: z.string().min(1).max(200),
})
export type SsoAnswer = z.infer<typeof SsoAnswer>

/** Reasons for which a single sign-on is refused. Whoever logs in is told none of them; the trail has them, and a test shows them. */
export const ssoReasons = [
  'ssoOff',
  'ssoIssuer',
  'ssoMailMissing',
  'ssoMailUnverified',
  'ssoForeignDomain',
  'ssoUnknown',
  'ssoArchived',
  'ssoElsewhere',
  'ssoOtherAccount',
  'ssoFull',
  'ssoNotFresh',
] as const
export type SsoReason = (typeof ssoReasons)[number]

export const SsoTested = z.object({
  reason: z.enum(ssoReasons).nullable(),
  /** As the issuer told it. */
  email: z.string().nullable(),
  name: z.string().nullable(),
})
export type SsoTested = z.infer<typeof SsoTested>

const admin = { needs: 'admin' } as const
const proved = { ...admin, needsProof: true } as const

export const sso = {
  read: get('/enterprise/sso', { ...admin, summary: 'Single sign-on of the company', returns: Sso }),
  save: put('/enterprise/sso', {
    ...proved,
    auditOptional: true,
    summary: 'Sets issuer and client, once the issuer has described itself; another client is to be tested again',
    body: SsoIssuer,
    returns: Sso,
  }),
  remove: del('/enterprise/sso', {
    ...proved,
    auditOptional: true,
    summary: 'Removes issuer, client and everything that links people to them; sessions opened by them end',
    returns: Sso,
  }),
  change: patch('/enterprise/sso', {
    ...proved,
    summary: 'Switches it on or off, and says whom it lets in, for how long, and who keeps a password',
    body: SsoPolicy,
    returns: Sso,
  }),
  addDomain: post('/enterprise/sso/domains', {
    ...proved,
    summary: 'Names a mail domain of the company; it counts once it is proved',
    body: z.strictObject({ domain: MailDomain }),
    returns: Sso,
  }),
  checkDomain: post('/enterprise/sso/domains/:id/check', {
    ...proved,
    limit: 'sso',
    auditOptional: true,
    summary: 'Looks for the record that proves a domain',
    returns: Sso,
  }),
  removeDomain: del('/enterprise/sso/domains/:id', { ...proved, summary: 'Gives a mail domain up', returns: Sso }),
  test: post('/enterprise/sso/test', {
    ...proved,
    limit: 'sso',
    auditOptional: true,
    summary: 'Begins a login that opens no session and shows what the issuer says',
    returns: SsoStart,
  }),
  finishTest: post('/enterprise/sso/test/finish', {
    ...admin,
    limit: 'sso',
    auditOptional: true,
    summary: 'Ends the test with the answer of the issuer',
    body: SsoAnswer,
    returns: SsoTested,
  }),
  unlink: del('/enterprise/sso/people/:id', {
    ...proved,
    summary: 'Forgets which account of the issuer a person has: the next login by their mail address links them anew',
    returns: Sso,
  }),
  start: post('/auth/sso/start', {
    needs: 'public',
    limit: 'sso',
    auditOptional: true,
    summary: 'Begins a login at the issuer of the company that the mail domain is of; known and unknown people alike',
    body: z.strictObject({ email: Email }),
    returns: SsoStart,
  }),
  finish: post('/auth/sso/finish', {
    needs: 'public',
    limit: 'sso',
    summary: 'Exchanges the answer of the issuer for an access token, once, or for the second step of the login',
    body: SsoAnswer,
    returns: z.union([LoggedIn, SecondStep]),
  }),
  startProof: post('/auth/sso/proof', {
    needs: 'session',
    enrols: true,
    limit: 'sso',
    auditOptional: true,
    summary: 'Begins a fresh proof of who calls, at the issuer; null where the person never came in by it',
    returns: SsoStart,
  }),
  finishProof: post('/auth/sso/proof/finish', {
    needs: 'session',
    enrols: true,
    limit: 'sso',
    auditOptional: true,
    summary: 'Ends the proof: the session counts as proved now, where the issuer asked for it anew',
    body: SsoAnswer,
    returns: z.object({ isProved: z.boolean() }),
  }),
}
