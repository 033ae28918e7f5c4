import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FindAsset } from '../cluster/share-assets.ts'
import { AppError } from '../errors/app-error.ts'
import { takesGzip } from './compression.ts'

const folder = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))
export const assetFolder = join(folder, 'assets')

/** A worker's file sits where the pages are that it works for; the manifest is what makes the app installable. */
const besidePages = [
  ['worker.js', 'text/javascript'],
  ['drive-worker.js', 'text/javascript'],
  ['manifest.webmanifest', 'application/manifest+json'],
] as const

/** Pages for people without a login; web/public/worker.js keeps none of them as the app's. */
export const sharedPaths = ['/share', '/wall'] as const
export const byLink = ['track', 'drive', 'shipment-link'] as const

interface Page {
  text: string
  gzipped: Buffer
  /** The hashes of the scripts within the page, as the policy names them. */
  scripts: string
}

async function readPage(name: string): Promise<Page> {
  const text = await readFile(join(folder, name), 'utf8')
  return { text, gzipped: gzipSync(text, { level: 9 }), scripts: hashesOfScripts(text) }
}

/** Scripts that the build put into its page, one by one: whatever else stands in a page does not run. */
export const hashesOfScripts = (html: string): string =>
  [...html.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, code = '']) => ` 'sha256-${createHash('sha256').update(code).digest('base64')}'`)
    .join('')

function sendPage(request: FastifyRequest, reply: FastifyReply, { text, gzipped, scripts }: Page) {
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', policy.replace("script-src 'self'", `$&${scripts}`))
  reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' }).type('text/html; charset=utf-8')
  return takesGzip(request) ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(text)
}

/** The kinds of file that the build makes. */
const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}
const forEver = 'public, max-age=31536000, immutable'

/** Serves hashed files for ever: those of a folder, and those that only other nodes have. */
export async function serveAssets(app: FastifyInstance, root: string, find: FindAsset | undefined) {
  await app.register(
    async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, guard: 'public' }
      })
      scope.setNotFoundHandler(async (request, reply) => {
        const name = request.url.split('?')[0]?.slice('/assets/'.length) ?? ''
        const type = types[extname(name).slice(1)]
        const found = type ? await find?.(name, takesGzip(request)) : null
        if (!type || !found) throw new AppError('ROUTE_NOT_FOUND')
        if (found.isGzipped) reply.header('content-encoding', 'gzip')
        return reply.headers({ 'cache-control': forEver, vary: 'accept-encoding' }).type(type).send(found.content)
      })
      // Its own route would read the whole folder for each file that is asked for.
      await scope.register(fastifyStatic, { root, serve: false, immutable: true, maxAge: '1y', preCompressed: true })
      const names = new Set(await readdir(root))
      scope.get<{ Params: { '*': string } }>('/*', ({ params: { '*': name } }, reply) =>
        names.has(name) ? reply.sendFile(name) : reply.callNotFound(),
      )
    },
    { prefix: '/assets' },
  )
}

/** Serves the built browser app: hashed files for ever, and its page for every path that is not the API's. */
export async function serveWebApp(app: FastifyInstance, findAsset?: FindAsset) {
  if (!existsSync(join(folder, 'index.html'))) return
  const page = await readPage('index.html')
  const dashboard = await readPage('dashboard.html')
  const login = await readPage('login.html')
  const shared = await readPage('shared.html')
  const config = { guard: 'public' as const }
  await serveAssets(app, assetFolder, findAsset)
  for (const [name, type] of besidePages) {
    const content = await readFile(join(folder, name), 'utf8')
    app.get(`/${name}`, { config }, (_, reply) =>
      reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(content),
    )
  }
  app.get('/', { config }, (request, reply) => sendPage(request, reply, dashboard))
  app.get('/dashboard', { config }, (request, reply) => sendPage(request, reply, dashboard))
  app.get('/login', { config }, (request, reply) => sendPage(request, reply, login))
  // Pages for people without a login, whose token stands after the #. No search engine is to list them.
  for (const path of sharedPaths)
    app.get(path, { config }, (request, reply) => {
      reply.header('x-robots-tag', 'noindex, nofollow')
      return sendPage(request, reply, shared)
    })
  // The pages of receivers, drivers and consignees; an address that has the token in it is good, too.
  for (const name of byLink) {
    const content = await readPage(`${name}.html`)
    for (const path of [`/${name}`, `/${name}/*`])
      app.get(path, { config }, (request, reply) => {
        reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
        return sendPage(request, reply, content)
      })
  }
  app.get('/*', { config }, (request, reply) =>
    request.url.startsWith('/app/api/') ? reply.callNotFound() : sendPage(request, reply, page),
  )
}
