import pg from 'pg'
import { connectionOf } from '../../server/src/platform/db/connection.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { type PostgresPair, startPair } from '../../server/test/postgres-pair.ts'

/** A primary and its standby, migrated and empty; servers get an address with both. Connections of the bench are a superuser's. */
export async function openPairStage(synchronous: boolean) {
  const pair: PostgresPair = await startPair({ synchronous })
  const url = pair.url.replace('isotherm@', 'postgres@')
  const connect = async () => {
    const client = new pg.Client(connectionOf(url))
    client.on('error', () => {})
    await client.connect()
    return client
  }
  try {
    await migrate(pair.url)
    const client = await connect()
    return {
      ...{ pair, databaseUrl: pair.url, client, connect },
      async stop() {
        await client.end().catch(() => {})
        await pair.stop()
      },
    }
  } catch (error) {
    await pair.stop()
    throw error
  }
}
