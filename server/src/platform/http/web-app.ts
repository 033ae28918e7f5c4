import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

const folder = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))

/** A worker's file sits where the pages are that it works for; the manifest is what makes the app installable. */
const besidePages = [
  ['worker.js', 'text/javascript'],
  ['manifest.webmanifest', 'application/manifest+json'],
] as const

/** Serves the built browser app: hashed files for ever, and its page for every path that is not the API's. */
export async function serveWebApp(app: FastifyInstance) {
  if (!existsSync(join(folder, 'index.html'))) return
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const shared = await readFile(join(folder, 'shared.html'), 'utf8')
  const config = { guard: 'public' as const }
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...config }
    })
    await scope.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '1y',
      preCompressed: true,
    })
  })
  const sendPage = (reply: FastifyReply, text: string) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(text)
  const send = (_: unknown, reply: FastifyReply) => sendPage(reply, page)
  for (const [name, type] of besidePages) {
    const content = await readFile(join(folder, name), 'utf8')
    app.get(`/${name}`, { config }, (_, reply) =>
      reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(content),
    )
  }
  app.get('/', { config }, send)
  // Pages for people without a login, whose token stands after the #. No search engine is to list them.
  for (const path of ['/share', '/wall'])
    app.get(path, { config }, (_, reply) => {
      reply.header('x-robots-tag', 'noindex, nofollow')
      return sendPage(reply, shared)
    })
  app.get('/*', { config }, (request, reply) =>
    request.url.startsWith('/app/api/') ? reply.callNotFound() : send(request, reply),
  )
}
