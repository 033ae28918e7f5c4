// The thread that makes the OpenAPI document: see docs.ts.
import { parentPort } from 'node:worker_threads'
import { api } from '@isotherm/contract/api.ts'
import { openapi } from './openapi.ts'
import { contractNames } from './openapi-names.ts'

parentPort?.postMessage(JSON.stringify(openapi(api, await contractNames())))
