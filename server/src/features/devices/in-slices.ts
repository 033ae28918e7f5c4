import { inTurns, Turns } from '../../platform/loop/turns.ts'

/** The driver makes objects of an answer's rows in one go: some 10 ms of the event loop for so many. */
const sliceSize = 500

/** Reads all devices of a company, or of a large group, in the order of their ids; other answers are made between its slices. */
export async function inSlices<Found extends { id: number | string }>(
  ids: readonly number[],
  load: (some: number[]) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const asked = new Set(ids)
  const found = new Map<string, Found>()
  for await (const some of inTurns(asked, sliceSize, new Turns({ isShort: true })))
    for (const one of await load(some)) found.set(String(one.id), one)
  return [...asked].flatMap((id) => found.get(String(id)) ?? [])
}
