import { createHash, createHmac } from 'node:crypto'
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { type Address, resolveName } from '../net/resolve-name.ts'
import { keyed } from './providers/ask.ts'
import { standardSignature } from './standard-signature.ts'

// Loopback, private, link-local, carrier-grade, documentation, multicast, reserved and tunnelled addresses (an IPv6 one that
// wraps an IPv4 one leads wherever that does): not somebody else's server.
const inner = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inner.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  inner.addSubnet(net, bits, 'ipv6')

/** Whether an address is in a net of our own; IPv4 addresses in IPv6 clothes are judged as what they are. */
export function isInner(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return inner.check(mapped, 'ipv4')
  if (/^::ffff:/i.test(address)) return true
  return inner.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Names the fault of an address as it is written, as the key of a sentence; null where only its resolution can tell, which is
 * judged whenever something is posted.
 */
export function addressFault(url: string, allowPrivate: boolean): 'rule.webhookHttps' | 'rule.webhookPrivate' | null {
  if (allowPrivate) return null
  const { protocol, hostname } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) ? isInner(host) : /(^|\.)localhost\.?$/.test(host)) return 'rule.webhookPrivate'
  return protocol === 'https:' ? null : 'rule.webhookHttps'
}

const timeoutMs = 10_000

// One sentence for a name that does not exist, one that leads to an inner address, and a server that refuses: who may set an
// address must not learn from it which names and machines there are inside. The log has the cause.
const unreachable = 'the address cannot be reached'
const asUnreachable = (cause: unknown): never => {
  throw new Error(unreachable, { cause })
}

interface Signing {
  /** Tells one message from another, so that a receiver that gets it twice can tell. */
  key: string
  secret: Buffer
  allowPrivate: boolean
}

type Posted = { ok: true; provider: string; providerId: null } | { ok: false; reason: string }

/** The addresses that a connection may go to, all of them judged. */
export interface Reachable {
  target: URL
  to: readonly Address[]
}

/**
 * Resolves the name of an address that somebody gave us, once, and judges what it leads to: a connection that goes to one of these very addresses is
 * not led elsewhere by a name that changes its mind in between. Throws where it may be tried again; `signal` ends it.
 */
export async function resolveGuarded(
  url: string,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<{ refused: string } | Reachable> {
  const target = new URL(url)
  if (target.protocol !== 'https:' && !allowPrivate) return { refused: 'https is needed' }
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const to = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolveName(host, signal).catch(asUnreachable)
  if (to.length === 0 || (!allowPrivate && to.some(({ address }) => isInner(address)))) return { refused: unreachable }
  return { target, to }
}

/** Has a connection go to judged addresses and to no others, to the next one where one does not answer. */
export const toJudged = (to: readonly Address[]): Pick<RequestOptions, 'lookup'> => ({
  lookup: (_, __, done) => done(null, [...to]),
  ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 3_000 },
})

/** Hears of an answer that changes the protocol (101). Without it Node hangs up and tells nobody, not at the deadline either. */
export const onUpgrade = (sending: ClientRequest, answered: (answer: IncomingMessage) => void): ClientRequest =>
  sending.on('upgrade', (answer, socket) => {
    socket.destroy()
    answered(answer)
  })

/** Posts a body to an address that somebody gave us. Redirects are not followed. `refused`: for good. Throws where it may be tried again. */
export async function postGuarded(
  url: string,
  body: string | Buffer,
  headers: Record<string, string>,
  allowPrivate: boolean,
): Promise<{ refused: string } | { status: number }> {
  const deadline = AbortSignal.timeout(2 * timeoutMs)
  const resolved = await resolveGuarded(url, allowPrivate, deadline)
  if ('refused' in resolved) return resolved
  const sent = { 'user-agent': 'Isotherm', ...headers }
  return { status: await post(resolved, body, sent, deadline).catch(asUnreachable) }
}

/** The header `webhook-id` of a message: it holds no dot, which stands between the parts of what is signed. */
const idOf = (key: string) => `msg_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`

/**
 * Posts a body to a company's URL, guarded and signed twice: by Standard Webhooks, and for receivers of before by X-Isotherm-Signature, `sha256=` and
 * the HMAC of timestamp, a dot and the body. Throws where it may be tried again.
 */
export async function postWebhook(url: string, body: string, { key, secret, allowPrivate }: Signing): Promise<Posted> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    ...keyed(key),
    'x-isotherm-timestamp': timestamp,
    'x-isotherm-signature': `sha256=${signature}`,
    'webhook-id': idOf(key),
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature([secret.toString()], idOf(key), Number(timestamp), body),
  }
  const posted = await postGuarded(url, body, headers, allowPrivate)
  if ('refused' in posted) return { ok: false, reason: posted.refused }
  const { status } = posted
  if (status >= 200 && status < 300) return { ok: true, provider: 'webhook', providerId: null }
  if (status >= 500 || status === 408 || status === 429) throw new Error(`the webhook answered ${status}`)
  return { ok: false, reason: `the webhook answered ${status}` }
}

function post({ target, to }: Reachable, body: string | Buffer, headers: Record<string, string>, signal: AbortSignal) {
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise<number>((resolve, reject) => {
    const sending = request(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        timeout: timeoutMs,
        ...toJudged(to),
        signal,
      },
      (answer) => {
        // Nothing of the answer is of interest but its status.
        answer.destroy()
        resolve(answer.statusCode ?? 0)
      },
    )
    onUpgrade(sending, (answer) => resolve(answer.statusCode ?? 0))
    sending.on('timeout', () => sending.destroy(new Error('the webhook did not answer')))
    sending.on('error', reject)
    sending.end(body)
  })
}
