import type { Pipeline } from '../pipeline.ts'
import { decode } from './decode/decode.ts'

/**
 * Takes in what a tracker of our own says, as if it had posted it; resolves once it is committed. False where the tracker is unknown, or
 * too much waits: then it is to say it again. `clock`: what counts as now for it, in a sandbox.
 */
export async function takeIn(pipeline: Pipeline, imei: string, message: object, clock?: Date): Promise<boolean> {
  const tracker = await pipeline.directory.find(imei)
  if (!tracker || pipeline.gate.isFullFor(tracker.owner)) return false
  const content = decode(Buffer.from(JSON.stringify(message)), pipeline.now(), imei)
  await pipeline.submit(tracker, 'http', content, clock?.getTime() ?? null)
  return true
}
