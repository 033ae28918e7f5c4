// A process of its own, so that its work is none of the server's: rows at a steady rate, for so many seconds.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const [url, rate = 0, seconds = 0] = [process.argv[2], ...process.argv.slice(3).map(Number)]
const everyMs = 100

const client = new pg.Client({ connectionString: url })
await client.connect()
const rows = Math.round((rate * everyMs) / 1_000)
const began = performance.now()
let written = 0
for (let n = 0; n < (seconds * 1_000) / everyMs; n += 1) {
  await client.query(
    `insert into sealing_load select $1::int * 1000000 + n, now(), 20 * random(), random(), random()
     from generate_series(1, $2::int) n`,
    [n, rows],
  )
  written += rows
  const dueMs = (n + 1) * everyMs - (performance.now() - began)
  if (dueMs > 0) await sleep(dueMs)
}
console.log(JSON.stringify({ written, seconds: (performance.now() - began) / 1_000 }))
await client.end()
