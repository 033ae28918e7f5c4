// The thread that seals the log: see seal-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { signingKeys } from '../config/signing-keys.ts'
import type { LogPiece, ThreadSealer } from './seal-thread.ts'
import { seal } from './sealed.ts'

const port = parentPort
if (!port) throw new Error('this runs in a thread')
const { dataDir, recipients } = workerData as ThreadSealer
const sealer = { recipients, keys: await signingKeys(dataDir) }

const SLICE = 2 ** 18

/** Copies, as streams take no memory that is shared. */
async function* slices(bytes: Uint8Array): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) yield Buffer.from(bytes.subarray(at, at + SLICE))
}

async function sealed({ name, about, bytes }: LogPiece): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of seal(name, about, slices(bytes), sealer)) {
    chunks.push(chunk)
    total += chunk.length
  }
  const whole = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

port.on('message', async (piece: LogPiece) => {
  const whole = await sealed(piece)
  port.postMessage(whole, [whole.buffer])
})
