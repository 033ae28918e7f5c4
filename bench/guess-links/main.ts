import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { tokenHash } from '../../server/src/platform/auth/tokens.ts'
import { makeScene } from '../dispatch/scene.ts'
import { openStage, settled } from '../pipeline/stage.ts'

/*
 * Guessing the links of orders. 10 million guesses by simulation: random tokens against the hashes of 10,000 links. Then real ones over
 * HTTP, from one address and from many, while an honest receiver reads their page all the time, also from an address of a guesser. Fails where a guess finds anything, or
 * where the honest receiver is refused once.
 *
 *   npm run bench -- guess-links [--simulated 10000000] [--real 100000] [--seconds 1200]
 */

const figure = (name: string, usual: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const simulated = figure('simulated', 10_000_000)
const real = figure('real', 100_000)
const seconds = figure('seconds', 1_200)
const links = 10_000
const atOnce = 16

const known = new Set(
  Array.from({ length: links }, () => tokenHash(randomBytes(32).toString('base64url')).toString('hex')),
)
let hits = 0
const beganToSimulate = performance.now()
for (let n = 0; n < simulated; n++)
  if (known.has(tokenHash(randomBytes(32).toString('base64url')).toString('hex'))) hits++
console.log(`simulated: ${simulated} guesses, ${hits} hits, ${Math.round(performance.now() - beganToSimulate)} ms`)

const ports = { http: 15_750, mqtt: 15_751 }
const stage = await openStage(ports)
const counts = new Map<number, number>()
const honest: number[] = []
let asked = 0
let took = 0
try {
  const { receivers } = await makeScene(stage.client, { vehicles: 3, orders: 30, days: 1 })
  const [good = ''] = receivers
  // Addresses come from a header, as behind a proxy.
  await stage.startServer({ TRUST_PROXY: '1' })
  await settled(ports.http)
  const ask = async (token: string, address: string): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1/track`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ token }),
    })
    await answer.arrayBuffer()
    return answer.status
  }
  const began = performance.now()
  const isOver = () => asked >= real || performance.now() - began > seconds * 1_000
  const guess = async (worker: number): Promise<void> => {
    while (!isOver()) {
      asked += 1
      const status = await ask(randomBytes(32).toString('base64url'), `10.${worker}.${asked % 200}.7`)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
  }
  const read = async (): Promise<void> => {
    while (!isOver()) {
      // Behind the address of a guesser, too.
      for (const address of ['10.1.1.7', '172.16.0.1']) honest.push(await ask(good, address))
      await sleep(100)
    }
  }
  await Promise.all([...Array.from({ length: atOnce }, (_, worker) => guess(worker)), read()])
  took = performance.now() - began
} finally {
  await stage.stop()
}
const refused = honest.filter((status) => status !== 200).length
console.log(`real: ${asked} guesses in ${Math.round(took)} ms, ${JSON.stringify([...counts])}`)
console.log(`honest: ${honest.length} answers, ${refused} refused`)
if (asked < real) console.error(`only ${asked} of ${real} guesses were made: give it more --seconds`)
if (hits > 0 || counts.has(200) || refused > 0 || asked < real) process.exitCode = 1
