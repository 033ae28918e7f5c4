import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import helmet from '@fastify/helmet'
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import { apiBase, begunAtHeader } from '@isotherm/contract/call.ts'
import { errorStatus } from '@isotherm/contract/errors.ts'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import { holdsKey } from '../auth/api-key-format.ts'
import { AppError } from '../errors/app-error.ts'
import { longBodyBytes } from '../loop/pace.ts'
import { ConnectionCeilings, countedAddress } from '../net/connection-ceilings.ts'
import type { Services } from '../services.ts'
import { Buckets } from './buckets.ts'
import { compressAnswers } from './compression.ts'
import { errorBody, mapErrors, sendError } from './error-mapping.ts'
import { serveHealth } from './health.ts'
import { jsonFault } from './json-shape.ts'
import { tellLimits } from './key-limits.ts'
import { LimitStore } from './limit-store.ts'
import { asPluginStore, installLimits } from './limits.ts'
import { LoopDelay } from './loop-delay.ts'
import { measureRequests } from './metrics.ts'
import { isPageVisit } from './page-visit.ts'
import { trustedProxies } from './trusted-proxy.ts'

const bodyLimit = 1_048_576

/** The bare HTTP server: ids, log, security headers, limits, error mapping, and the rule that every route declares its guard. */
export async function createServer(services: Services): Promise<FastifyInstance> {
  const { config, log } = services
  const app = fastify({
    loggerInstance: log,
    bodyLimit,
    trustProxy: trustedProxies(config.trustProxy),
    genReqId: () => randomBytes(9).toString('base64url'),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    // Refused before any hook: what the hooks would have said of the answer is said here.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...bareHeaders, 'x-request-id': request.id })
      const isOfApp = isPageVisit(request) && !request.url.startsWith(apiBase)
      return isOfApp ? reply.redirect('/404') : sendError(error, request, reply)
    },
    clientErrorHandler: refuseUnreadable,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    // Fastify's own answer would be in another shape, and without a Retry-After.
    return503OnClosing: false,
  }) as unknown as FastifyInstance
  // JSON is what the API speaks; who else sends text gets a 415.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('locale', undefined)
  app.decorateRequest('companyId', undefined)
  app.decorateRequest('apiKey', undefined)
  app.decorateRequest('rateLimit', undefined)
  requireGuards(app)
  finishCalls(app)
  limitConnections(app, config)
  parseJson(app, services)
  mapErrors(app)
  app.setNotFoundHandler(() => {
    throw new AppError('ROUTE_NOT_FOUND')
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (isOfApi(request))
      reply.headers({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
        [begunAtHeader]: services.clock.now().getTime(),
      })
    // Addresses are kept by proxies and in histories. Before anything notes the call.
    const query = request.url.split('?').slice(1).join('?')
    if (isOfApi(request) && holdsKey(query)) throw new AppError('KEY_IN_ADDRESS')
  })
  refuseWhileClosing(app)
  // The time that the server itself needed: helps to find what is slow.
  app.addHook('onSend', async (_, reply) => {
    reply.header('server-timing', `app;dur=${reply.elapsedTime.toFixed(1)}`)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug({ req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered')
  })
  slowRefusals(app, services)
  tellLimits(app)
  measureRequests(app, services.metrics)
  compressAnswers(app)
  await app.register(helmet, securityHeaders(config))
  const counters = new LimitStore()
  services.shareLimit?.('calls', counters)
  await app.register(rateLimit, { global: false, store: asPluginStore(counters) })
  if (config.overloadDelayMs > 0) refuseOverload(app, config.overloadDelayMs)
  installLimits(app, services, counters)
  serveHealth(app, services)
  return app
}

/** A server that stops answers what it has begun; whoever asks for more over a connection that is open comes again once another one runs. */
function refuseWhileClosing(app: FastifyInstance) {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', async () => {
    if (isClosing) throw new AppError('BUSY', {}, restartS)
  })
}
const restartS = 5

/** Refusals by a limit that one address hears at once: so many together, then so many a minute. */
const quickRefusals = { burst: 100, perMinute: 600 }
const refusalPauseMs = 1_000

/** A client that goes on asking in a loop after it was refused for a limit, or for want of room, waits for each further refusal: refusing costs the others' time, too. */
function slowRefusals(app: FastifyInstance, { clock }: Services) {
  const refusals = new Buckets()
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode !== 429 && reply.statusCode !== 503) return
    const wait = refusals.take([{ key: normalizeIP(request.ip, 64), bucket: quickRefusals }], clock.now().getTime())
    if (wait > 0) await sleep(refusalPauseMs)
  })
}

function limitConnections(app: FastifyInstance, { connections, trustProxy }: Services['config']) {
  const addressOf = ({ remoteAddress }: Socket) => countedAddress(remoteAddress, trustProxy !== false)
  const ceilings = new ConnectionCeilings(connections.http, addressOf)
  app.server.on('connection', (socket: Socket) => ceilings.admit(socket))
}

/**
 * The usual parser, but for what is nested deeper, or has more values, than anything that is asked for. Long bodies of one
 * company take their time.
 */
function parseJson(app: FastifyInstance, { pace }: Services) {
  const parse = app.getDefaultJsonParser('error', 'error')
  const read: typeof parse = (request, body, done) => {
    const fault = jsonFault(body)
    if (fault) done(new AppError(fault === 'tooDeep' ? 'MALFORMED_BODY' : 'BODY_TOO_LARGE'), undefined)
    else parse(request, body, done)
  }
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    const { companyId } = request
    if (companyId === undefined || body.length < longBodyBytes) return void read(request, body, done)
    const isTaken = pace.when(companyId, () => pace.parse(companyId, () => read(request, body, done)))
    if (!isTaken) done(new AppError('BUSY', {}, 5))
  })
}

const bareHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** A connection that Node could not read as HTTP (or waited for too long) has no request: the answer is written by hand, in our shape. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable) return void socket.destroy(error)
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'BODY_TOO_LARGE' : 'MALFORMED_BODY'
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : errorStatus[code]
  const body = JSON.stringify(errorBody(new AppError(code), 'en', ''))
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries({ ...headers, ...bareHeaders }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Whether a request is for the API: by its route, because an address has other spellings that lead there (`/%61pp/api`, or with its host). */
const isOfApi = ({ url, routeOptions }: FastifyRequest): boolean =>
  url.startsWith(apiBase) || (routeOptions.url ?? '').startsWith(apiBase)

// Being busy is no reason to be taken for dead and restarted. The browser app's own files say in words that the server is busy.
function refuseOverload(app: FastifyInstance, maxDelayMs: number) {
  const delay = new LoopDelay()
  app.addHook('onClose', async () => delay.stop())
  app.addHook('onRequest', async (request) => {
    if (delay.ms > maxDelayMs && (isOfApi(request) || request.routeOptions.url === '/ready'))
      throw new AppError('BUSY', {}, 1)
  })
}

/** A route that does not say who may call it stops the start. */
function requireGuards(app: FastifyInstance) {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const open = routes.filter((route) => !route.config?.guard)
    if (open.length > 0)
      throw new Error(`No guard declared: ${open.map((route) => `${String(route.method)} ${route.url}`).join(', ')}`)
  })
}

/**
 * A call goes on where its caller is gone, and asks the database: the end waits for it, as for all others. It does not wait for streams that
 * have begun: they last as long as their connections.
 */
function finishCalls(app: FastifyInstance) {
  const running = new Map<Promise<unknown>, FastifyReply>()
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function (request, reply) {
      const answer: unknown = handler.call(this, request, reply)
      if (answer instanceof Promise) {
        const end = () => void running.delete(answer)
        running.set(answer, reply)
        answer.then(end, end)
      }
      return answer
    }
  })
  app.addHook('onClose', async () => {
    await Promise.allSettled([...running].flatMap(([answer, reply]) => (reply.raw.headersSent ? [] : [answer])))
  })
}

// The token lives in local storage, so no script but our own files may ever run.
function securityHeaders({ publicUrl, tileSources }: Services['config']) {
  const https = publicUrl.startsWith('https:')
  const tileHosts = tileSources.map((source) => new URL(source.url.replace(/\{[^}]*\}/g, '0')).origin)
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        workerSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...tileHosts],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...tileHosts],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    hsts: https ? { maxAge: 31_536_000 } : false,
    crossOriginOpenerPolicy: https ? { policy: 'same-origin' as const } : false,
    originAgentCluster: false,
    xFrameOptions: { action: 'deny' as const },
    referrerPolicy: { policy: 'no-referrer' as const },
  }
}
