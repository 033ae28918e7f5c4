import { z } from 'zod'
import type { Part } from './deliver.ts'

const Count = z.number().int()
/** A part of a push that a receiver has, or perhaps has. */
const PushPart = z.object({
  ...{ from: Count, upTo: Count, url: z.string(), location: z.string() },
  outcome: z.enum(['accepted', 'unknown']),
})
export type PushPart = z.infer<typeof PushPart>

export const partsOf = ({ parts }: { parts: unknown }): PushPart[] => z.array(PushPart).parse(parts)

/** The parts of a push after an attempt: one whose outcome is known now is no longer unknown, one that was refused is not there. */
export function partsAfter(before: readonly PushPart[], url: string, parts: readonly Part[]): PushPart[] {
  const after = parts.reduce<PushPart[]>(
    (known, { outcome, ...part }) => {
      const others = part.location === '' ? known : known.filter(({ location }) => location !== part.location)
      return outcome === 'refused' ? others : [...others, { ...part, url, outcome }]
    },
    [...before],
  )
  return [...new Map(after.map((part) => [JSON.stringify(part), part])).values()]
}
