import { connect } from 'node:net'
import { AppError } from '../errors/app-error.ts'

/** Where clamd listens. */
export interface Scanner {
  host: string
  port: number
}

const patienceMs = 30_000
const chunkBytes = 65_536

/**
 * Has clamd look at the bytes (its command INSTREAM). Throws FILE_INFECTED with the name of what it found, and FILE_NOT_SCANNED (503)
 * where it does not answer or could not look: what was not scanned is not taken.
 */
export async function refuseInfected(scanner: Scanner, bytes: Buffer): Promise<void> {
  const answer = await ask(scanner, bytes).catch(() => '')
  if (answer === 'stream: OK') return
  const found = /^stream: (.{1,200}) FOUND$/.exec(answer)?.[1]
  if (found) throw new AppError('FILE_INFECTED', { found })
  throw new AppError('FILE_NOT_SCANNED', {}, 60)
}

/** Each piece is preceded by its length in four bytes; one of length 0 ends them. The answer ends with a zero byte. */
function ask({ host, port }: Scanner, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect({ host, port, signal: AbortSignal.timeout(patienceMs) })
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', (text: string) => {
      answer += text
      if (answer.includes('\0') || answer.length > 1_000) socket.end()
    })
    socket.on('close', () => resolve(answer.split('\0')[0]?.trim() ?? ''))
    socket.on('connect', () => {
      socket.write('zINSTREAM\0')
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        const piece = bytes.subarray(at, at + chunkBytes)
        socket.write(lengthOf(piece.length))
        socket.write(piece)
      }
      socket.write(lengthOf(0))
    })
  })
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}
