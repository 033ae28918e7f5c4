import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'

// The schema as a package carries it under a licence, and GS1's own file, which is not ours to give away, where it is beside the project.
const ownSchema = new URL('epcis-schema/epcis-document.schema.json', import.meta.url).pathname
const gs1Schema = '/work/shared/data/epcis-2.0-json-schema.json'
export const epcisSchemas = [ownSchema, gs1Schema].filter((path) => path === ownSchema || existsSync(path))

/** The judge of documents by a schema of EPCIS 2.0: the faults of one. */
export function epcisValidator(path: string = ownSchema): (document: unknown) => unknown[] {
  const ajv = new Ajv({
    ...{ strict: false, allErrors: true },
    formats: {
      uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
    },
  })
  const isValid = ajv.compile(JSON.parse(readFileSync(path, 'utf8')))
  return (document) => {
    isValid(JSON.parse(JSON.stringify(document)))
    return isValid.errors ?? []
  }
}
