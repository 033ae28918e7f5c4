import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { api } from '@isotherm/contract/api.ts'
import { eventNames } from '@isotherm/contract/webhook-events.ts'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { standardSignature } from '../../platform/messaging/standard-signature.ts'
import { bodyOf, messageIdOf, pathOf } from './message.ts'
import { maxAttempts, nextWaitMs, readRetryAfter, waitsMs } from './schedule.ts'

const event = {
  message_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  ...{ type: 'record.ended', data: { recordId: '7', name: 'Vaccins “été” — 2 °C' }, sequence: '12', at: new Date(0) },
}
const secret = `whsec_${randomBytes(32).toString('base64')}`
const [id, body] = [messageIdOf(event), bodyOf(event, 'https://cold.test')]

test('the library of Standard Webhooks verifies a message, with whichever of its secrets', () => {
  const other = `whsec_${randomBytes(32).toString('base64')}`
  const stamp = Math.floor(Date.now() / 1_000)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(stamp),
    'webhook-signature': standardSignature([other, secret], id, stamp, body),
  }
  for (const one of [secret, other]) expect(new Webhook(one).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
  expect(new Webhook(secret).sign(id, new Date(stamp * 1_000), body)).toBe(standardSignature([secret], id, stamp, body))
})

/** A receiver of somebody who has no library: the check as the specification writes it. */
const python = `
import base64, hashlib, hmac, json, sys
given = json.load(sys.stdin)
key = base64.b64decode(given['secret'].removeprefix('whsec_'))
signed = '.'.join([given['id'], given['stamp'], given['body']]).encode()
wanted = 'v1,' + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
print(json.dumps([hmac.compare_digest(wanted, one) for one in given['signature'].split(' ')]))
`
const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)('in Python, which this machine may not have', () => {
  test('a receiver of a few lines verifies it as well', () => {
    const other = `whsec_${randomBytes(24).toString('base64')}`
    const signature = standardSignature([secret, other], id, 1_700_000_000, body)
    const input = JSON.stringify({ secret, id, stamp: '1700000000', body, signature })
    const { stdout, stderr } = spawnSync('python3', ['-c', python], { input, encoding: 'utf8' })
    expect([stderr, JSON.parse(stdout || 'null')]).toEqual(['', [true, false]])
  })
})

test('an id has no dot, which stands between the parts of what is signed', () => {
  expect(id).toBe('msg_0f8fad5bd9cb469fa16570867728950e')
})

test('every event leads to a call that there is', () => {
  const paths = Object.values(api)
    .flatMap((calls) => Object.values(calls))
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`))
  const data = new Proxy({ kind: 'device' } as Record<string, string>, { get: (of, name: string) => of[name] ?? '7' })
  for (const name of eventNames) {
    const path = pathOf(name, data).split('?')[0] ?? ''
    expect([name, paths.some((one) => one.test(path))]).toEqual([name, true])
  }
  for (const kind of ['device', 'group', 'claim', 'coldTreatment', 'shipment', 'scheduled']) {
    const path = pathOf('report.ready', { kind, reportId: '7' })
    expect([kind, paths.some((one) => one.test(path))]).toEqual([kind, true])
  }
})

test('the schedule ends after ten attempts in about three days, spread by a fifth; a receiver may ask for up to a day', () => {
  expect([maxAttempts, waitsMs.reduce((sum, one) => sum + one, 0) / 3_600_000]).toEqual([10, expect.closeTo(75.6, 1)])
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.option(fc.nat(1e10)),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, asked, random) => {
        const wait = nextWaitMs(attempts, asked, random)
        if (attempts >= maxAttempts) return wait === null
        const usual = waitsMs[attempts] ?? 0
        const least = Math.max(usual * 0.8, Math.min(asked ?? 0, 86_400_000))
        return wait !== null && wait >= Math.floor(least) && wait <= Math.ceil(Math.max(usual * 1.2, least))
      },
    ),
  )
})

test('Retry-After is read in both of its forms, and nonsense says nothing', () => {
  const now = new Date('2026-11-27T12:00:00Z')
  expect(readRetryAfter('120', now)).toBe(120_000)
  expect(readRetryAfter('Fri, 27 Nov 2026 12:00:30 GMT', now)).toBe(30_000)
  expect(readRetryAfter('Fri, 27 Nov 2026 11:00:00 GMT', now)).toBe(0)
  for (const nonsense of [undefined, '', '-5', 'soon', '1e99']) expect(readRetryAfter(nonsense, now)).toBeNull()
})
