import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { apiBase } from '@isotherm/contract/call.ts'
import type { FastifyInstance } from 'fastify'

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

/** The document as JSON in UTF-8, by its version of OpenAPI. */
interface Documents {
  'openapi.json': Uint8Array
  'openapi-3.0.json': Uint8Array
}

/** Both documents, made in a thread of its own: it takes some 0.3 s of processor time. Rejects with what failed there. */
function buildDocuments(): Promise<Documents> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./openapi-worker.ts', import.meta.url))
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the thread of the OpenAPI document ended with ${code}`)))
  })
}

/** The OpenAPI document and a page to browse it, under the same strict content policy as the rest. */
export function serveDocs(app: FastifyInstance) {
  const config = { guard: 'public' as const }
  let documents: Promise<Documents> | undefined
  for (const name of ['openapi.json', 'openapi-3.0.json'] as const)
    app.get(`${apiBase}/${name}`, { config }, async (_, reply) => {
      // Made at the first request and kept; where that failed, the next request tries again.
      documents ??= buildDocuments().catch((error: unknown) => {
        documents = undefined
        throw error
      })
      return reply.type('application/json; charset=utf-8').send((await documents)[name])
    })
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
