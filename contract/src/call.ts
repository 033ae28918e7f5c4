import { z } from 'zod'
import { neverOfKeys, type Permission } from './permissions.ts'

/** The callers that a row lets through: anyone, any logged-in user, role Admin, or whoever's role has the permission. */
export type Guard = 'public' | 'session' | 'admin' | Permission
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The thing a call begins, named by the number of a plan that it counts towards. Such a call is refused with SUBSCRIPTION_EXPIRED once the
 * company's subscription has expired. No other call is: whoever stopped paying still reads, exports, changes, deletes, acknowledges,
 * resolves, signs, swaps broken hardware and adds a licence, and their readings and alarms go on. Where plans are sold, LIMIT_REACHED refuses
 * a call after which the company would have more users or recipients than its licences allow; devices need a free place of a licence.
 */
export type Beginning = 'devices' | 'users' | 'recipients' | 'other'

/** Named limits on guessing and flooding; the figures are configuration. */
export type LimitName =
  | 'login'
  | 'mail'
  | 'invite'
  | 'token'
  | 'password'
  | 'signature'
  | 'licence'
  | 'share'
  | 'money'
  | 'support'
  | 'replay'
  | 'sso'
  | 'secondFactor'

const nothing = z.strictObject({})
type Nothing = typeof nothing

/** An answer that is not JSON: `returns: file('text/csv')`. */
export interface FileAnswer {
  contentType: string
  /** Where it is lines of JSON: each of them. */
  lines?: z.ZodType
}
export const file = (contentType: string, lines?: z.ZodType): FileAnswer => ({ contentType, ...(lines && { lines }) })
export const isFile = (returns: z.ZodType | FileAnswer): returns is FileAnswer => 'contentType' in returns

/** The properties of a row that few rows have. */
interface Options {
  /** Set where the call makes something new. A call that also changes what is there leaves it out and judges each part by itself. */
  begins?: Beginning
  /** Set where a call changes what is there and may thereby add to what plans limit: it goes on after expiry, but counts. */
  counts?: Beginning
  limit?: LimitName
  /** True where a POST, PUT or PATCH only reads, and so leaves no audit entry. */
  readOnly?: boolean
  /** True where a call writes, but may leave no audit entry: it may turn out to change nothing, or writes the caller's own state. */
  auditOptional?: boolean
  /** True where guesses that lead nowhere are limited, and so may be answered 429. */
  countsMisses?: true
  /** True where a GET may break a rule, and so answer 400. */
  hasRules?: true
  /** True where a call that only reads may go through many readings: where there is a replica of the database, it is asked first. */
  readsMany?: true
  /** Why a call that only reads (a GET, or one that is `readOnly`) writes all the same: the database refuses it to every other one. */
  writes?: string
  /**
   * The call changes who may come in: it is refused with PROOF_NEEDED where the session gave no proof (password, code or passkey) within the
   * last 15 minutes. The browser then asks for one and repeats the call.
   */
  needsProof?: true
  /** A session that may only set a second factor up, because its company asks for one, may make the call. */
  enrols?: true
  /**
   * A row that needs `session` only, and that an API key may call as well. Keys call rows that need a permission, never those that change people or
   * roles, those that need a fresh proof or `admin` rows, and no other `session` rows.
   */
  takesApiKey?: true
  /** The call does what is a person's own, such as a signature or a payment: an API key that has the permission may not call it either. */
  needsPerson?: true
  /** Where a body may be larger than the server's usual limit. */
  maxBodyBytes?: number
  /** How a body travels: as JSON where it is left out; as multipart/form-data where it has files, each a field of its own. */
  bodyKind?: 'form'
  /** Its answer says `status: "success"`, too, for those who have built on that. */
  hasStatus?: true
  /** There is a better call; this one stays for those who have built on it. */
  deprecated?: boolean
}

/** Whether an API key may ever call: rows that need a permission, or say so. */
export const isOpenToKeys = ({
  needs,
  takesApiKey,
  needsPerson,
  needsProof,
}: Pick<Call, 'needs' | 'takesApiKey' | 'needsPerson' | 'needsProof'>) => {
  if (needsProof || needsPerson) return false
  return needs === 'session' ? takesApiKey === true : needs !== 'public' && needs !== 'admin' && needs !== neverOfKeys
}

/** Whether a call takes the header Idempotency-Key: every write of somebody who is known, but for those that answer a file. */
export const takesIdempotencyKey = ({ method, needs, readOnly, returns }: Call): boolean =>
  method !== 'GET' && needs !== 'public' && !readOnly && !isFile(returns)

export interface Call<
  P extends string = string,
  N extends Guard = Guard,
  R extends z.ZodType | FileAnswer = z.ZodType | FileAnswer,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> extends Options {
  method: Method
  /** Below /app/api/v1, with `:name` parameters. */
  path: P
  needs: N
  summary: string
  returns: R
  query: Q
  body: B
}

interface Spec<N extends Guard, R extends z.ZodType | FileAnswer, Q extends z.ZodType, B extends z.ZodType>
  extends Options {
  needs: N
  summary: string
  returns: R
  query?: Q
  body?: B
}

const row =
  (method: Method) =>
  <
    const P extends string,
    N extends Guard,
    R extends z.ZodType | FileAnswer,
    Q extends z.ZodType = Nothing,
    B extends z.ZodType = Nothing,
  >(
    path: P,
    spec: Spec<N, R, Q, B>,
  ): Call<P, N, R, Q, B> => ({
    ...spec,
    method,
    path,
    query: spec.query ?? (nothing as unknown as Q),
    body: spec.body ?? (nothing as unknown as B),
  })

export const get = row('GET')
export const post = row('POST')
export const put = row('PUT')
export const patch = row('PATCH')
export const del = row('DELETE')

export type Calls = Record<string, Call>

type ParamNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never
export type Params<P extends string> = { [K in ParamNames<P>]: string }

/** The input of a handler, after validation. */
export interface Input<C extends Call> {
  params: Params<C['path']>
  query: z.output<C['query']>
  body: z.output<C['body']>
}
/** The input that a caller may send, before defaults are filled in. */
export interface Sent<C extends Call> {
  params: Params<C['path']>
  query: z.input<C['query']>
  body: z.input<C['body']>
}
/** The payload of the answer. */
export type Returned<C extends Call> = C['returns'] extends z.ZodType ? z.output<C['returns']> : Blob

export const apiBase = '/app/api/v1'
/** The header by which a call that takes it is done once, and the one of an answer that was given before. */
export const idempotencyKeyHeader = 'idempotency-key'
export const replayedHeader = 'idempotency-replayed'
/** The header of an answer that says when the server began with it, ms since 1970 of its clock. */
export const begunAtHeader = 'x-begun-at'

/** The names of the `:parameters` in a call's path. */
export const paramNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
