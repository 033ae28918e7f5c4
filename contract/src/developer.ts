import { z } from 'zod'
import { del, get, post, put } from './call.ts'
import { Done, Id, Instant, personalName, Version } from './common.ts'
import { NewKeyMatrix, PermissionMatrix } from './permissions.ts'
import { ChosenEvent, EndpointChange, WebhookEndpoint } from './webhooks.ts'

const needField = (context: z.RefinementCtx, path: string) =>
  context.addIssue({ code: 'invalid_type', expected: 'string', input: undefined, path: [path] })

/** For how many days a key may be made. */
export const keyLifetimes = [30, 90, 365] as const
/** As many keys of a company are good at once. */
export const maxKeys = 20
/** After a key is rotated the secret before the new one is good for so long. */
export const keyOverlapHours = 24
/** A key that nobody used for so long is pointed out. */
export const unusedKeyDays = 90
/** The calls by key can be looked at for so long. */
export const keyCallsKeptDays = 7

const isNetwork = (written: string) => z.cidrv4().safeParse(written).success || z.cidrv6().safeParse(written).success
const isAddress = (written: string) => z.ipv4().safeParse(written).success || z.ipv6().safeParse(written).success
/** A network in CIDR notation, or one address, which is the network of itself. */
export const Network = z
  .string()
  .trim()
  .max(50)
  .transform((written) => (isAddress(written) ? `${written}/${written.includes(':') ? 128 : 32}` : written))
  .refine(isNetwork, 'network')
const Networks = z.array(Network).max(20)

/** `stopped`: the Admin whom it depends on was removed; another one takes it over by changing it. */
export const KeyState = z.enum(['active', 'stopped', 'expired', 'revoked'])
export type KeyState = z.infer<typeof KeyState>

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  /** The last signs of its newest secret. */
  hint: z.string(),
  /** The permissions that it was given. It may do no more of them than its Admin may now. */
  permissions: PermissionMatrix,
  seesPrivate: z.boolean(),
  /** Empty: from anywhere. */
  networks: z.array(z.string()),
  state: KeyState,
  /** The Admin whom it depends on: who made it or changed it last. */
  admin: z.object({ id: Id, name: z.string() }),
  createdAt: Instant,
  createdBy: z.string(),
  expiresAt: Instant,
  /** Set while the secret before the newest one is good, too: until when. */
  oldSecretUntil: Instant.nullable(),
  /** To the minute. */
  lastUsedAt: Instant.nullable(),
  lastUsedAddress: z.string().nullable(),
  revokedAt: Instant.nullable(),
  revokedBy: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

/** `secret`: of a key that was made or rotated; it is told this once. */
export const KeyWithSecret = ApiKey.extend({ secret: z.string().optional() })
export type KeyWithSecret = z.infer<typeof KeyWithSecret>
export const RotatedKey = ApiKey.extend({ secret: z.string() })
export type RotatedKey = z.infer<typeof RotatedKey>

const lifetime = z.literal(keyLifetimes)
/** Without `id` a new key, which needs a name and permissions; else a change, in which what is left out stays as it is. */
export const KeyInput = z
  .strictObject({
    id: Id,
    name: personalName(80),
    permissions: NewKeyMatrix,
    /** From now on. Default of a new key: 365. */
    expiresInDays: lifetime,
    networks: Networks,
    seesPrivate: z.boolean(),
    state: z.literal('revoked'),
  })
  .partial()
  .superRefine(({ id, name, permissions, state }, context) => {
    if (id !== undefined) return
    if (name === undefined) needField(context, 'name')
    if (permissions === undefined) needField(context, 'permissions')
    if (state !== undefined) needField(context, 'id')
  })
export type KeyInput = z.infer<typeof KeyInput>

/** An endpoint as `enterprise/developer` takes it: without `id` a new one, which needs an address and events; else a change, in which what is left out stays. */
export const EndpointInput = EndpointChange.omit({ version: true })
  .extend({ id: Id.optional(), version: Version.optional() })
  .superRefine(({ id, url, events }, context) => {
    if (id !== undefined) return
    if (url === undefined) needField(context, 'url')
    if (events === undefined) needField(context, 'events')
  })
export type EndpointInput = z.infer<typeof EndpointInput>
const ShownEndpoint = WebhookEndpoint.extend({ secret: z.string().optional() })

export const DeveloperSettings = z.object({
  keys: z.array(KeyWithSecret),
  endpoints: z.array(ShownEndpoint),
  /** The events that an endpoint can choose. */
  events: z.array(ChosenEvent),
  docsUrl: z.string(),
})
export type DeveloperSettings = z.infer<typeof DeveloperSettings>

/** A call by key; or those of a day that were refused alike before their key was let in, as the newest of them was. */
export const KeyCall = z.object({
  id: Id,
  keyId: Id,
  keyName: z.string(),
  at: Instant,
  method: z.string(),
  /** Below the server's address, with what it asked for; values of its query that may be secret are left out. */
  path: z.string(),
  status: z.number().int(),
  /** Why it was refused. */
  code: z.string().nullable(),
  /** How long the server needed. */
  ms: z.number().int(),
  address: z.string(),
  /** The header x-request-id of its answer. */
  requestId: z.string(),
  /** So many calls; more than one only of those that were refused before their key was let in. */
  times: z.number().int(),
})
export type KeyCall = z.infer<typeof KeyCall>

/** `answer`: all of them, or those that were refused. `before`: the `next` of the answer before. */
export const KeyCallQuery = z.strictObject({
  keyId: Id.optional(),
  answer: z.enum(['done', 'refused', 'failed']).optional(),
  before: Id.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

const admin = { needs: 'admin' } as const
const secretOnce = 'its new secret is told this once'

export const developer = {
  settings: get('/enterprise/developer', {
    ...admin,
    summary: 'The API keys and the endpoints of webhooks, without their secrets',
    returns: DeveloperSettings,
  }),
  save: put('/enterprise/developer', {
    ...admin,
    needsProof: true,
    auditOptional: true,
    summary:
      'Makes or changes the keys and endpoints that are listed, and leaves the others; a secret is told this once',
    body: z.strictObject({
      keys: z.array(KeyInput).max(maxKeys).optional(),
      webhooks: z.array(EndpointInput).max(20).optional(),
    }),
    returns: DeveloperSettings,
  }),
  refresh: get('/enterprise/developer/refresh', {
    ...admin,
    needsProof: true,
    hasRules: true,
    writes:
      'The new secret: the call was asked for as a GET. Repeated it does no harm: while two secrets are good it is refused',
    summary: `Rotates a key, the only one where none is named: both secrets are good for a day, and ${secretOnce}`,
    query: z.strictObject({ keyId: Id.optional() }),
    returns: RotatedKey,
  }),
  rotate: post('/developer/keys/:id/rotate', {
    ...admin,
    needsProof: true,
    summary: `Rotates a key: both secrets are good for a day, and ${secretOnce}`,
    returns: RotatedKey,
  }),
  revoke: del('/developer/keys/:id', {
    ...admin,
    auditOptional: true,
    summary: 'Revokes a key with all its secrets, at once',
    returns: Done,
  }),
  calls: get('/developer/calls', {
    ...admin,
    summary: 'The last calls by key, newest first, for a week',
    query: KeyCallQuery,
    returns: z.object({ data: z.array(KeyCall), next: Id.nullable() }),
  }),
}
