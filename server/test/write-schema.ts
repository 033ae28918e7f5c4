// `npm run schema`: brings server/src/platform/db/schema.ts up to the migrations.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/platform/db/embedded/supervisor.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { schemaFile, writeSchemaTypes } from './schema-types.ts'

const dir = await mkdtemp(join(tmpdir(), 'isotherm-schema-'))
await chmod(dir, 0o755)
const database = await startEmbedded({
  dataDir: dir,
  log: { info: () => {}, warn: console.warn, error: console.error },
})
try {
  await migrate(database.url, console.log)
  await writeSchemaTypes(database.url, schemaFile)
} finally {
  await database.stop()
  await rm(dir, { recursive: true })
}
