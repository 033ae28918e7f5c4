// The thread that makes the OpenAPI document: see docs.ts.
import { parentPort } from 'node:worker_threads'
import { api } from '@isotherm/contract/api.ts'
import { openapi } from './openapi.ts'
import { toOpenapi30 } from './openapi-3-0.ts'
import { contractNames } from './openapi-names.ts'

const document = JSON.stringify(openapi(api, await contractNames()))
const encoder = new TextEncoder()
const documents = {
  'openapi.json': encoder.encode(document),
  'openapi-3.0.json': encoder.encode(JSON.stringify(toOpenapi30(JSON.parse(document)))),
}
// Bytes change hands without a copy: a string of megabytes would hold the server's thread while it is read.
parentPort?.postMessage(
  documents,
  Object.values(documents).map(({ buffer }) => buffer),
)
