import type { components, paths } from './api.d.ts'

/** The schemas of the API by name. */
export type Schemas = components['schemas']

type Base = '/app/api/v1'
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths below /app/api/v1 that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? (P extends `${Base}${infer Rest}` ? Rest : never) : never
}[keyof paths]

type OperationOf<M extends Method, P extends string> = `${Base}${P}` extends keyof paths
  ? paths[`${Base}${P}`] extends { [K in M]: infer O }
    ? O
    : never
  : never

type Part<O, Name extends 'path' | 'query'> = O extends { parameters: infer All }
  ? All extends { [N in Name]: infer V }
    ? { [N in Name]: V }
    : All extends { [N in Name]?: infer V }
      ? { [N in Name]?: V }
      : object
  : object

type BodyPart<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B }
  : O extends { requestBody: { content: { 'multipart/form-data': unknown } } }
    ? { form: FormData }
    : O extends { requestBody?: { content: { 'application/json': infer B } } }
      ? { body?: B }
      : object

/** What every call takes besides its own parts. */
export interface CallOptions {
  signal?: AbortSignal
  /** Of a call that writes: with the same key it is done once. Left out, each call has one of its own, so that tries of the client are safe. */
  idempotencyKey?: string
}

/** The input of a call: path, query, body or form, each only where the call has it. */
export type InputOf<M extends Method, P extends string> = Part<OperationOf<M, P>, 'path'> &
  Part<OperationOf<M, P>, 'query'> &
  BodyPart<OperationOf<M, P>> &
  CallOptions

/** The payload of the answer; a Response where the call answers a file or a stream. */
export type PayloadOf<M extends Method, P extends string> =
  OperationOf<M, P> extends { responses: { 200: { content: infer C } } }
    ? C extends { 'application/json': { payload: infer Payload } }
      ? Payload
      : Response
    : never

/** An input that may be left out where nothing in it is needed. */
export type Rest<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input]

/** The paths that answer pages, and what is in them. */
export type ItemOf<P extends string> =
  PayloadOf<'get', P> extends { data: (infer Item)[]; meta: { pageCount: number } } ? Item : never
export type PagedPath = { [P in PathOf<'get'>]: [ItemOf<P>] extends [never] ? never : P }[PathOf<'get'>]
