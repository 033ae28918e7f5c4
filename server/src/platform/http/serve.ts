import { Readable } from 'node:stream'
import {
  apiBase,
  type Call,
  type Calls,
  type FileAnswer,
  type Input,
  isFile,
  replayedHeader,
} from '@isotherm/contract/call.ts'
import { Done, done } from '@isotherm/contract/common.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import type { Session } from '../auth/sessions.ts'
import type { Context, PublicContext } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { Uploads } from '../files/uploads.ts'
import type { Services } from '../services.ts'
import type { AfterCommit } from './after-commit.ts'
import { localeOf, sendError } from './error-mapping.ts'
import { formLimits, readForm, takeForms } from './form-body.ts'
import { originOf, readInput } from './input.ts'
import { countAccount, countAddress } from './limits.ts'
import { withinLoginLimits } from './login-limits.ts'
import { isLong, waitToRead } from './long-bodies.ts'
import { isPageVisit } from './page-visit.ts'
import { servicesOf } from './reading-call.ts'
import { asPerson, checkKey, sessionOf } from './session-call.ts'

/** The answer of a call whose row says `file(...)`. */
export interface FileBody {
  body: Readable | Buffer | string
  /** Offered to the browser as the download's name. */
  filename?: string
  /** Where it depends on what is asked for; else the row's. */
  contentType?: string | undefined
}

/** The handler of a call that answers no more than that it is done need return nothing. */
type Payload<R> = R extends FileAnswer
  ? FileBody | AfterCommit<FileBody>
  : R extends z.ZodType
    ? z.input<R> | AfterCommit<z.input<R>> | NothingIfDone<R>
    : never
// biome-ignore lint/suspicious/noConfusingVoidType: so that a handler may hand over to a verb that resolves with nothing
type NothingIfDone<R> = R extends typeof Done ? void : never
type ContextOf<C extends Call> = C['needs'] extends 'public' ? PublicContext : Context

/** One handler per row: leaving one out does not compile. */
export type Handlers<T extends Calls> = {
  [K in keyof T]: (ctx: ContextOf<T[K]>, input: Input<T[K]>) => Promise<Payload<T[K]['returns']>>
}
type AnyHandler = (ctx: PublicContext, input: unknown) => Promise<unknown>

/** Asks other services about an input, and stores its files, before the transaction begins; only for callers whom the guard lets through. */
export type Before<T extends Calls> = {
  [K in keyof T]?: (input: Input<T[K]>, uploads: Uploads, services: Services, session: Session) => Promise<void>
}
type AnyBefore = (input: unknown, uploads: Uploads, services: Services, session: Session) => Promise<void>

/** Registers every call of a feature: guard, limits, validation, transaction, audit and answer come from its row. */
export function serve<T extends Calls>(
  app: FastifyInstance,
  services: Services,
  calls: T,
  handlers: Handlers<T>,
  before?: Before<T>,
) {
  for (const [name, call] of Object.entries(calls)) {
    const handler = handlers[name as keyof T] as AnyHandler
    const first = before?.[name as keyof T] as AnyBefore | undefined
    addRoute(app, services, call, {
      method: call.method,
      url: `${apiBase}${call.path}`,
      config: { guard: call.needs },
      ...bodyLimitOf(call),
      // Before its body is read: 10 MB of JSON take most of a second, whoever sent them.
      onRequest: async (request, reply) => {
        if (call.needs === 'public') {
          await countAddress(call, request)
          services.strangersBodies.letIn(request, reply)
        } else if (hasBody(call)) {
          const session = await sessionOf(services, request)
          if (session.isKey && isLong(request)) await checkKey(services, session, request, reply)
          request.companyId = session.companyId
          await waitToRead(services.pace, request.companyId, request, reply)
        }
      },
      handler: async (request, reply) => {
        if (!first) return answer(services, call, handler, request, reply)
        const uploads = new Uploads(services.config)
        const before = (input: unknown, session: Session) => first(input, uploads, services, session)
        return uploads.during(() => answer(services, call, handler, request, reply, before))
      },
      // A link out of a mail that leads to a file no more.
      ...(call.needs === 'public' && isFile(call.returns) ? { errorHandler: tellVisitor } : {}),
    })
  }
}

function addRoute(app: FastifyInstance, { pace }: Services, call: Call, route: RouteOptions) {
  if (call.bodyKind !== 'form') return app.route(route)
  // A scope of its own: elsewhere a form is refused by its type.
  const limits = formLimits(call)
  app.register(async (scope) => {
    await takeForms(scope)
    scope.route({
      ...route,
      preValidation: (request, reply) => readForm(pace, limits, request.routeOptions.bodyLimit, request, reply),
    })
  })
}

function tellVisitor(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const isOver = error instanceof AppError && error.code === 'NOT_FOUND'
  return isOver && isPageVisit(request) ? reply.redirect('/link-over') : sendError(error, request, reply)
}

const hasBody = ({ method }: Call) => method !== 'GET' && method !== 'DELETE'

// Public calls take a form at most.
const publicBodyBytes = 65_536

function bodyLimitOf({ needs, maxBodyBytes }: Call): { bodyLimit?: number } {
  if (maxBodyBytes) return { bodyLimit: maxBodyBytes }
  return needs === 'public' ? { bodyLimit: publicBodyBytes } : {}
}

async function answer(
  services: Services,
  call: Call,
  handler: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
  before?: (input: unknown, session: Session) => Promise<void>,
) {
  const returned =
    call.needs === 'public'
      ? await asGuest(services, call, handler, request)
      : await asPerson(services, call, handler as Parameters<typeof asPerson>[2], request, before)
  if (request.isReplayed) reply.header(replayedHeader, 'true')
  if (isFile(call.returns)) return sendFile(reply, call.returns, returned as FileBody)
  const payload = call.returns === Done ? (returned ?? done) : returned
  const status = call.hasStatus ? { status: 'success' } : {}
  return { success: true, ...status, payload: services.config.checkAnswers ? call.returns.parse(payload) : payload }
}

async function asGuest(services: Services, call: Call, handler: AnyHandler, request: FastifyRequest) {
  const input = await readInput(call, request)
  const ctx: PublicContext = {
    services: servicesOf(services, call),
    clock: services.clock,
    locale: localeOf(request),
    origin: originOf(request),
  }
  const { email, token } = input.body as { email?: string; token?: string }
  if (call.limit === 'login' && email) return withinLoginLimits(services, request, email, () => handler(ctx, input))
  await countAccount(call, request, call.limit === 'share' ? token : email)
  return handler(ctx, input)
}

function sendFile(reply: FastifyReply, returns: FileAnswer, file: FileBody) {
  if (file.filename) reply.header('content-disposition', `attachment; filename="${file.filename}"`)
  reply.header('cache-control', 'no-store')
  if (file.body instanceof Readable) endWithReply(reply, file.body)
  const type = file.contentType ?? returns.contentType
  return reply.type(type.startsWith('text/') ? `${type}; charset=utf-8` : type).send(file.body)
}

/** Ends a stream with its answer: the caller may be gone, also before anything was sent, and nobody would read it to its end. */
function endWithReply({ raw }: FastifyReply, body: Readable) {
  if (raw.destroyed) body.destroy()
  else raw.once('close', () => body.destroy())
}
