import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const codegen = fileURLToPath(new URL('../../node_modules/kysely-codegen/dist/cli/bin.js', import.meta.url))

/** The types of the queries, kept in the repository. */
export const schemaFile = fileURLToPath(new URL('../src/platform/db/schema.ts', import.meta.url))

/** Writes the types of a migrated database's tables. */
export async function writeSchemaTypes(databaseUrl: string, file: string): Promise<void> {
  await promisify(execFile)(process.execPath, [
    codegen,
    '--dialect',
    'postgres',
    '--url',
    databaseUrl,
    '--out-file',
    file,
  ])
}
