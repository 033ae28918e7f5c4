import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Readiness } from './health.ts'

/** Where every metric of this process is registered; with those of the process itself where `ofProcess`, all with the name of one of several nodes. */
export function createMetrics({ ofProcess, node }: { ofProcess: boolean; node?: string | undefined }): Registry {
  const registry = new Registry()
  if (node !== undefined) registry.setDefaultLabels({ node })
  if (ofProcess) collectDefaultMetrics({ register: registry })
  return registry
}

/** Counts and times every request by its route's pattern, never by its path: a path holds ids and tokens. */
export function measureRequests(app: FastifyInstance, registry: Registry) {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, in seconds',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }
    duration.observe(labels, reply.elapsedTime / 1000)
  })
}

/** A page for the operator, by its path: its type and its text. */
export type OperatorPage = () => Promise<{ type: string; text: string }>

export interface MetricsAddress {
  /** 0 takes a free one. */
  port: number
  host: string
  /** It opens all of them: `Authorization: Bearer TOKEN`, or, in a browser, as the password of any user. Null: everybody who reaches the port may ask. */
  token: string | null
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function isAllowed({ token }: MetricsAddress, given = ''): boolean {
  if (token === null) return true
  const [scheme = '', value = ''] = given.split(' ')
  const login = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString() : `:${value}`
  return timingSafeEqual(digest(login.slice(login.indexOf(':') + 1)), digest(token))
}

/** Serves the registry as GET /metrics, each check of `/ready`, and pages for the operator. */
export function serveMetrics(
  registry: Registry,
  address: MetricsAddress,
  readiness: () => Promise<Readiness>,
  pages: Record<string, OperatorPage> = {},
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const path = request.method === 'GET' ? request.url : ''
    try {
      if (!isAllowed(address, request.headers.authorization))
        return response.writeHead(401, { 'www-authenticate': 'Basic realm="Isotherm"' }).end()
      if (path === '/ready') {
        const answer = await readiness()
        response.writeHead(answer.ready ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
        return response.end(JSON.stringify(answer))
      }
      const page = pages[path ?? '']
      if (page) {
        const { type, text } = await page()
        return response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
      }
      if (path !== '/metrics') return response.writeHead(404).end()
      const text = await registry.metrics()
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      }),
    )
  })
}
