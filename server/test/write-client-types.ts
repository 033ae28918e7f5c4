import { writeFile } from 'node:fs/promises'
import { api } from '@isotherm/contract/api.ts'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openapi } from '../src/platform/http/openapi.ts'
import { contractNames } from '../src/platform/http/openapi-names.ts'

// Writes the types of the package `client` from the API document. They are not kept in the repository: they are 30,000 lines that say what the contract says.
const document = openapi(api, await contractNames()) as unknown as OpenAPI3
const file = new URL('../../client/src/api.d.ts', import.meta.url)
// A request may leave out a field that has a default.
await writeFile(file, astToString(await openapiTS(document, { defaultNonNullable: false })))
