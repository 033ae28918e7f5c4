import { z } from 'zod'
import { del, get, patch, post } from './call.ts'
import { Done, Id, Instant, SeenVersion, text, Version } from './common.ts'
import { AnsweredByPasskey, NewPasskey, PasskeyQuestion } from './passkeys.ts'
import { LoginCode, RecoveryCode } from './second-factor.ts'

/** The ways in which a person can prove again that it is them. `sso`: at their company's identity provider. */
export const ProofMethod = z.enum(['password', 'code', 'recoveryCode', 'passkey', 'sso'])
export type ProofMethod = z.infer<typeof ProofMethod>

/** Just one of the ways. */
export const Proof = z
  .strictObject({
    password: z.string().min(1).max(200).optional(),
    code: LoginCode.optional(),
    recoveryCode: RecoveryCode.optional(),
    passkey: AnsweredByPasskey.optional(),
  })
  .refine((proof) => Object.values(proof).filter((each) => each !== undefined).length === 1, {
    path: ['password'],
    message: 'oneProof',
  })
export type Proof = z.infer<typeof Proof>

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** Kept by the maker of the phone or browser, so that it outlives the device. */
  isSynced: z.boolean(),
  /** It was made for another address of this server, and works no more. */
  isOfFormerHost: z.boolean(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** Recovery codes are told once; null: those before stay as they are. */
const WithCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })

export const OwnSecurity = z.object({
  /** Without one the person comes in, and signs, by single sign-on. */
  hasPassword: z.boolean(),
  /** Since when codes of an app are asked for; null: they are not. */
  codesSince: Instant.nullable(),
  recoveryCodesLeft: z.number().int(),
  passkeys: z.array(Passkey),
  /** The part of this server's address that passkeys lack; null: nothing. */
  passkeysMissing: z.enum(['https', 'domain']).nullable(),
  /** From when on the company asks its people for a second factor; null: it does not. */
  neededFrom: Instant.nullable(),
})
export type OwnSecurity = z.infer<typeof OwnSecurity>

export const LoginSession = z.object({
  id: Id,
  method: z.enum(['password', 'passkey', 'sso']),
  startedAt: Instant,
  lastSeenAt: Instant,
  address: z.string().nullable(),
  /** As the browser names itself, in a word each; null: unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The one that asks. */
  isThis: z.boolean(),
})
export type LoginSession = z.infer<typeof LoginSession>

const minutes = z.number().int().min(5).max(525_600)
const hours = z.number().int().min(1).max(8_760)

/** The rules of a company for the logins of its people; null: as the operator of the server has it. */
export const LoginRules = z.strictObject({
  /** From when on a second factor is needed; null: it is not. */
  secondFactorFrom: Instant.nullable(),
  idleMinutes: minutes.nullable(),
  sessionHours: hours.nullable(),
})
export type LoginRules = z.infer<typeof LoginRules>
/** They are a part of the company: its version counts their changes, too. */
export const LoginRulesChange = LoginRules.extend({ version: SeenVersion })
export type LoginRulesChange = z.infer<typeof LoginRulesChange>
const LoginRulesWithBounds = LoginRules.extend({
  version: Version,
  /** The operator's own, which no company goes beyond. */
  bounds: z.object({ idleMinutes: z.number(), sessionHours: z.number(), adminHours: z.number() }),
  /** People whom the rule would meet: without a second factor. */
  without: z.number().int(),
})

const own = { needs: 'session', enrols: true } as const
const proven = { needsProof: true } as const

/** Calls by which people guard their own login, and Admins those of their company. */
export const security = {
  own: get('/auth/security', {
    ...own,
    summary: 'Second factor and passkeys of the person who calls',
    returns: OwnSecurity,
  }),
  waysToProve: get('/auth/proof', {
    ...own,
    summary: 'Tells in which ways the person who calls can prove again that it is them',
    returns: z.object({ methods: z.array(ProofMethod) }),
  }),
  prove: post('/auth/proof', {
    ...own,
    limit: 'password',
    auditOptional: true,
    summary: 'Proves again who calls: for 15 minutes this session may make the calls that ask for it',
    body: Proof,
    returns: Done,
  }),
  provePasskey: post('/auth/proof/passkey', {
    ...own,
    limit: 'secondFactor',
    auditOptional: true,
    summary: 'A question to the browser for a passkey of the person who calls',
    returns: PasskeyQuestion,
  }),
  startCodes: post('/auth/totp', {
    ...own,
    ...proven,
    auditOptional: true,
    summary: 'Makes the secret of an authenticator app, which counts once a code confirms it',
    /** `qr`: the address as a code for cameras, a text of 0 and 1 for each row, 1 is dark. */
    returns: z.object({ secret: z.string(), uri: z.string(), qr: z.array(z.string()) }),
  }),
  confirmCodes: post('/auth/totp/confirm', {
    ...own,
    ...proven,
    limit: 'secondFactor',
    summary: 'From here on codes of the app are asked for; the first second factor comes with recovery codes',
    body: z.strictObject({ code: LoginCode }),
    returns: WithCodes,
  }),
  removeCodes: del('/auth/totp', {
    needs: 'session',
    ...proven,
    summary: 'Codes of the app are asked for no more',
    returns: Done,
  }),
  makeRecoveryCodes: post('/auth/recovery-codes', {
    ...own,
    ...proven,
    summary: 'Makes ten recovery codes and tells them once; those before work no more',
    returns: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
  startPasskey: post('/auth/passkeys/start', {
    ...own,
    ...proven,
    auditOptional: true,
    summary: 'A question to the browser for a new passkey',
    returns: PasskeyQuestion,
  }),
  addPasskey: post('/auth/passkeys', {
    ...own,
    ...proven,
    limit: 'secondFactor',
    summary: 'Keeps a new passkey; the first second factor comes with recovery codes',
    body: z.strictObject({ token: z.string().min(1).max(200), answer: NewPasskey, name: text(60) }),
    returns: WithCodes.extend({ passkey: Passkey }),
  }),
  renamePasskey: patch('/auth/passkeys/:id', {
    needs: 'session',
    summary: 'Names a passkey of one’s own',
    body: z.strictObject({ name: text(60) }),
    returns: Passkey,
  }),
  removePasskey: del('/auth/passkeys/:id', {
    needs: 'session',
    ...proven,
    summary: 'Removes a passkey of one’s own; never the last way in',
    returns: Done,
  }),
  sessions: get('/auth/sessions', {
    needs: 'session',
    summary: 'The sessions of the person who calls, the newest first',
    returns: z.object({ data: z.array(LoginSession) }),
  }),
  endSession: del('/auth/sessions/:id', { needs: 'session', summary: 'Ends a session of one’s own', returns: Done }),
  endOtherSessions: del('/auth/sessions', {
    needs: 'session',
    summary: 'Ends all sessions of the person who calls but this one',
    returns: Done,
  }),
  rules: get('/auth/company/logins', {
    needs: 'admin',
    summary: 'The rules of the company for the logins of its people',
    returns: LoginRulesWithBounds,
  }),
  changeRules: patch('/auth/company/logins', {
    needs: 'admin',
    ...proven,
    summary: 'Sets them: from when on a second factor is needed, and when sessions end',
    body: LoginRulesChange,
    returns: LoginRulesWithBounds,
  }),
  peopleWithFactor: get('/users/second-factors', {
    needs: 'admin',
    summary: 'The team members who have a second factor',
    returns: z.object({ userIds: z.array(Id) }),
  }),
  endSessionsOf: del('/users/:id/sessions', {
    needs: 'admin',
    summary: 'Ends all sessions of a team member',
    returns: Done,
  }),
  resetSecondFactor: del('/users/:id/second-factor', {
    needs: 'admin',
    ...proven,
    summary: 'Takes the second factor of another team member away, who lost it, and ends their sessions',
    returns: Done,
  }),
}
