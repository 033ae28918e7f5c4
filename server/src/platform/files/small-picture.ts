import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '../errors/app-error.ts'
import type { PictureType, Size } from './pictures.ts'

/** The order that the thread is started with. */
export interface DrawOrder {
  bytes: Uint8Array
  type: PictureType
  box: Size
}

/** The answer of the thread. */
export type Drawn = { bytes: Uint8Array } | { refused: 'PICTURE_BROKEN' | 'PICTURE_BLANK' | 'PICTURE_TOO_LARGE' }

/** No usual picture takes so long, or so much memory beside its pixels, on a busy machine either. */
const longestMs = 30_000
const memoryMb = 192
/** Each of them may take a hundred megabytes while it is drawn. */
const maxWaiting = 16

let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * Draws a picture anew, as PNG on white without its empty margins, turned as its Exif note asks, so small that it fits into a box. Nothing else of
 * the file is left: no place where it was taken, no comments, no code. In a thread of its own, one picture after the other. Throws PICTURE_BROKEN, PICTURE_BLANK,
 * PICTURE_TOO_LARGE, or BUSY where many wait.
 */
export async function drawSmall(bytes: Buffer, type: PictureType, box: Size): Promise<Buffer> {
  if (waiting >= maxWaiting) throw new AppError('BUSY', {}, 5)
  waiting += 1
  const drawn = last.then(() => drawInThread({ bytes: new Uint8Array(bytes), type, box }))
  last = drawn.catch(() => {})
  try {
    const answer = await drawn
    if ('refused' in answer) throw new AppError(answer.refused)
    return Buffer.from(answer.bytes)
  } finally {
    waiting -= 1
  }
}

/** A picture that a thread cannot draw in its time and memory is too large, whatever its head says. */
async function drawInThread(order: DrawOrder): Promise<Drawn> {
  const worker = new Worker(new URL('./small-picture-worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  // One that runs out of memory as its time is over has nobody else who hears it, and would end the server.
  worker.on('error', () => {})
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(longestMs) })
    return answer as Drawn
  } catch (error) {
    if (isTooMuch(error)) return { refused: 'PICTURE_TOO_LARGE' }
    throw error
  } finally {
    await worker.terminate()
  }
}

/** Whether a thread ended for want of time or memory. */
const isTooMuch = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ABORT_ERR' || error.code === 'ERR_WORKER_OUT_OF_MEMORY')
