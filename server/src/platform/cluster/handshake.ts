import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import { frameWriter, readFrames } from './frames.ts'

/*
 * Each side proves that it has the secret of the installation, over random numbers of both, before it hears anything else. The secret itself
 * does not travel. Who can change what travels needs TLS against them.
 */

const Nonce = z.string().regex(/^[\w-]{43}$/)
const Hello = z.object({ nonce: Nonce, id: z.uuid() })
const Answer = z.object({ id: z.uuid(), nonce: Nonce, proof: Nonce })
const Proof = z.object({ proof: Nonce })

const patienceMs = 5_000
const newNonce = () => randomBytes(32).toString('base64url')
const proofOf = (secret: string, role: 'dials' | 'answers', ...facts: string[]) =>
  createHmac('sha256', secret)
    .update([role, ...facts].join(' '))
    .digest('base64url')
const isSame = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other))

export interface Link {
  /** The server at the other end. */
  peer: string
  send(value: unknown): void
  /** Set by who uses the link; frames before that are an error. */
  receive: (value: unknown) => void
}

interface Side {
  id: string
  secret: string
}

/** The side that was dialled. Resolves once the other has proved itself. */
export function answerHandshake(stream: Duplex, { id, secret }: Side): Promise<Link> {
  const nonce = newNonce()
  return shake(stream, (link, step, value) => {
    if (step === 0) {
      link.send({ nonce, id })
      return false
    }
    const answer = Answer.parse(value)
    if (!isSame(answer.proof, proofOf(secret, 'dials', nonce, answer.nonce, answer.id, id)))
      throw new Error('the other server has another secret')
    link.peer = answer.id
    link.send({ proof: proofOf(secret, 'answers', answer.nonce, nonce, id, answer.id) })
    return true
  })
}

/** The side that dials, to a server whose id it knows. */
export function dialHandshake(stream: Duplex, { id, secret }: Side, peer: string): Promise<Link> {
  const nonce = newNonce()
  let theirs = ''
  return shake(stream, (link, step, value) => {
    if (step === 0) return false
    if (step === 1) {
      const hello = Hello.parse(value)
      if (hello.id !== peer) throw new Error('another server answers at this address')
      theirs = hello.nonce
      link.peer = peer
      link.send({ id, nonce, proof: proofOf(secret, 'dials', theirs, nonce, id, peer) })
      return false
    }
    const { proof } = Proof.parse(value)
    if (!isSame(proof, proofOf(secret, 'answers', nonce, theirs, peer, id)))
      throw new Error('the other server has another secret')
    return true
  })
}

/** Takes one frame, the first time none; returns whether the other side is proved. */
type Step = (link: Link, step: number, value: unknown) => boolean

function shake(stream: Duplex, take: Step): Promise<Link> {
  return new Promise((resolve, reject) => {
    let isDone = false
    let step = 0
    const fail = (error: Error) => {
      clearTimeout(timer)
      stream.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error('the other server did not prove itself in time')), patienceMs)
    const link: Link = {
      peer: '',
      send: frameWriter(stream),
      receive: () => {
        throw new Error('nobody receives yet')
      },
    }
    const next = (value: unknown) => {
      if (isDone) return link.receive(value)
      try {
        if (!take(link, step++, value)) return
      } catch (error) {
        return fail(error instanceof Error ? error : new Error(String(error)))
      }
      isDone = true
      clearTimeout(timer)
      resolve(link)
    }
    stream.on('error', fail)
    stream.on('close', () => fail(new Error('the connection has ended')))
    readFrames(stream, next, () => isDone)
    next(null)
  })
}
