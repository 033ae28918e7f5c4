import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { apiBase, type Calls } from '@isotherm/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import { openapi } from './openapi.ts'

const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Isotherm API</title><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="${apiBase}/docs/swagger-ui.css"><link rel="icon" href="${apiBase}/docs/favicon-32x32.png"></head>
<body><main id="api"></main>
<script src="${apiBase}/docs/swagger-ui-bundle.js"></script><script src="${apiBase}/docs/start.js"></script></body></html>`

const start = `SwaggerUIBundle({ url: '${apiBase}/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null })`

/** The OpenAPI document and a page to browse it, under the same strict content policy as the rest. */
export function serveDocs(app: FastifyInstance, features: Record<string, Calls>) {
  const config = { guard: 'public' as const }
  const document = JSON.stringify(openapi(features))
  app.get(`${apiBase}/openapi.json`, { config }, (_, reply) => reply.type('application/json').send(document))
  app.get(`${apiBase}/docs`, { config }, (_, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get(`${apiBase}/docs/start.js`, { config }, (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(start),
  )
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  for (const [name, type] of Object.entries(assets))
    app.get(`${apiBase}/docs/${name}`, { config }, async (_, reply) =>
      reply.type(type).send(await readFile(join(folder, name))),
    )
}
