import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../server/test/database.ts'
import { LaneWatch } from './lane-watch.ts'

/** A connection to a database, closed at the end of the test; `lane` and `node` say whose it is. */
async function connectTo(url: string, lane?: number, node?: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    ...(node && { application_name: `isotherm lane ${lane} ${node}` }),
  })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const lockOf = (client: pg.Client, lock: 4919 | 4920, lane: number) =>
  client.query('select pg_advisory_lock($1, $2)', [lock, lane])
const write = (client: pg.Client) => client.query('begin; select pg_current_xact_id()')

/** Looks until one look was quick enough to tell. */
async function look(watch: LaneWatch, before: number): Promise<number> {
  for (;;) {
    await watch.note()
    const looks = watch.looks
    if (looks > before) return looks
  }
}

test('a watch of lanes sees who holds them, and two servers that write one lane or one that writes without its lock', async () => {
  const { url } = await testDatabase()
  const watch = new LaneWatch(() => connectTo(url))
  const [a, second, b, other] = [
    await connectTo(url, 3, 'a'),
    await connectTo(url, 3, 'a'),
    await connectTo(url, 3, 'b'),
    await connectTo(url, 4, 'b'),
  ]
  await lockOf(a, 4919, 3)
  await lockOf(second, 4920, 3)
  await lockOf(other, 4919, 4)
  await lockOf(other, 4920, 4)
  for (const client of [a, second, other]) await write(client)
  expect(await watch.shares()).toEqual(
    new Map([
      ['a', 1],
      ['b', 1],
    ]),
  )
  const looks = await look(watch, 0)
  await write(b)
  await look(watch, looks)
  const { faults, holders } = await watch.stop()
  expect(faults).toContain('lane 3 was written by b without its lock')
  expect(faults.filter((fault) => fault.startsWith('lane 3 was written at once by'))).toHaveLength(1)
  expect([...holders].sort()).toEqual([
    [3, ['a']],
    [4, ['b']],
  ])
})
