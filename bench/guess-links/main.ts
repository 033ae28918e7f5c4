import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { tokenHash } from '../../server/src/platform/auth/tokens.ts'
import { buildUser } from '../../server/test/factories.ts'
import { startTestApp } from '../../server/test/harness.ts'
import { anOrder } from '../../server/test/order-factory.ts'

/*
 * Guessing the links of orders. 10 million guesses by simulation: random tokens against the hashes of 10,000 links. Then real ones over
 * HTTP, from one address and from many, while an honest receiver reads their page all the time. Fails where a guess finds anything, or
 * where the honest receiver is refused once.
 *
 *   npm run bench -- guess-links [--simulated 10000000] [--real 100000] [--seconds 300]
 */

const figure = (name: string, usual: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const simulated = figure('simulated', 10_000_000)
const real = figure('real', 100_000)
const seconds = figure('seconds', 300)
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

const app = await startTestApp()
const admin = await buildUser(app)
const order = await anOrder(app, { companyId: admin.companyId })
const path = `/dispatch/orders/${order.id}/receivers/${order.receivers[0]?.id}/link`
const { body } = await app.call('POST', path, { token: admin.token })
const good = (body.payload.url as string).split('#')[1]
const ask = async (token: string, address: string) =>
  (await app.call('POST', '/track', { body: { token }, address })).status

const counts = new Map<number, number>()
const honest: number[] = []
let asked = 0
const began = performance.now()
const isOver = () => asked >= real || performance.now() - began > seconds * 1_000
async function guess(worker: number): Promise<void> {
  while (!isOver()) {
    asked += 1
    const status = await ask(randomBytes(32).toString('base64url'), `10.${worker}.${asked % 200}.7`)
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
}
async function read(): Promise<void> {
  while (!isOver()) {
    // Behind the address of a guesser, too.
    for (const address of ['10.1.1.7', '172.16.0.1']) honest.push(await ask(good ?? '', address))
    await new Promise((later) => setTimeout(later, 100))
  }
}
await Promise.all([...Array.from({ length: atOnce }, (_, worker) => guess(worker)), read()])
const took = performance.now() - began
console.log(`real: ${asked} guesses in ${Math.round(took)} ms, ${JSON.stringify([...counts])}`)
console.log(`honest: ${honest.length} answers, ${honest.filter((status) => status !== 200).length} refused`)
await app.close()
if (hits > 0 || counts.has(200) || honest.some((status) => status !== 200)) process.exit(1)
process.exit(0)
