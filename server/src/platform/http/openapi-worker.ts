// The thread that makes the OpenAPI document: see docs.ts.
import { parentPort } from 'node:worker_threads'
import { api } from '@isotherm/contract/api.ts'
import { openapi } from './openapi.ts'
import { toOpenapi30 } from './openapi-3-0.ts'
import { contractNames } from './openapi-names.ts'

const document = JSON.stringify(openapi(api, await contractNames()))
parentPort?.postMessage({
  'openapi.json': document,
  'openapi-3.0.json': JSON.stringify(toOpenapi30(JSON.parse(document))),
})
