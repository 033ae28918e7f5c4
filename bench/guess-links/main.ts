import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeScene } from '../dispatch/scene.ts'
import { openStage, settled } from '../pipeline/stage.ts'
import { type CodeGuesses, guessCodes } from './codes.ts'
import { simulateCodes, simulateLinks } from './simulate.ts'

/*
 * Guessing the links and the tracking codes of orders. 10 million guesses of each by simulation: random tokens against the hashes of 10,000 links, random codes against
 * 10,000 orders that run. Then real ones over HTTP: of links from one address and from many, while an honest receiver reads their page all the time, also from an address of a
 * guesser; of codes by one member and by many, while an honest colleague names the right ones. Fails where a guess finds anything, or where somebody honest is refused once.
 *
 *   npm run bench -- guess-links [--simulated 10000000] [--real 100000] [--codes 100000] [--orders 10000] [--seconds 1200]
 */

const figure = (name: string, usual: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const simulated = figure('simulated', 10_000_000)
const real = figure('real', 100_000)
const codes = figure('codes', 100_000)
const orders = figure('orders', 10_000)
const seconds = figure('seconds', 1_200)
const links = 10_000
const atOnce = 16

const hits = simulateLinks(simulated, links) + simulateCodes(simulated, orders)

const ports = { http: 15_750, mqtt: 15_751 }
const stage = await openStage(ports)
const counts = new Map<number, number>()
const honest: number[] = []
let asked = 0
let took = 0
let guessed: CodeGuesses | undefined
try {
  const scene = await makeScene(stage.client, { vehicles: 3, orders: 30, days: 1 })
  const [good = ''] = scene.receivers
  // Addresses come from a header, as behind a proxy. How often somebody may write is no limit here: that on guesses is tried.
  await stage.startServer({ TRUST_PROXY: '1', RATE_WRITES: '9000000/9000000/9000000/9000000' })
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
  const place = { client: stage.client, port: ports.http }
  guessed = await guessCodes(place, scene, { guesses: codes, atOnce, seconds })
} finally {
  await stage.stop()
}
const refused = honest.filter((status) => status !== 200).length
console.log(`real: ${asked} guesses in ${Math.round(took)} ms, ${JSON.stringify([...counts])}`)
console.log(`honest: ${honest.length} answers, ${refused} refused`)
console.log(
  `codes: ${guessed.made} guesses in ${Math.round(guessed.ms)} ms, ${JSON.stringify([...guessed.counts])}, ${guessed.found} found`,
)
console.log(`honest colleague: ${guessed.honest.answers} answers, ${guessed.honest.refused} refused`)
const isShort = asked < real || guessed.made < codes
if (isShort) console.error('not all guesses were made: give it more --seconds')
const isFound = hits > 0 || counts.has(200) || guessed.found > 0
if (isFound || refused > 0 || guessed.honest.refused > 0 || isShort) process.exitCode = 1
