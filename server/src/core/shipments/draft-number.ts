import type { Identified } from '../../domain/identifiers.ts'
import type { Faults } from '../../platform/errors/faults.ts'

interface TypedNumber {
  path: string
  /** Words of a fault, below `errors:fields.rule.identifier`. */
  name: string
  read: (text: string) => Identified
  /** Somebody insists on it: a wrong check digit stands. */
  isUnchecked?: boolean | undefined
}

/** A number as it is to be stored, and whether it stands by an override alone; one that holds needs none. */
export function draftNumber(
  text: string | null | undefined,
  { path, name, read, isUnchecked = false }: TypedNumber,
  faults: Faults,
): { value: string | null; isUnchecked: boolean } {
  if (text === null || text === undefined) return { value: null, isUnchecked: false }
  const answer = read(text)
  if ('value' in answer) return { value: answer.value, isUnchecked: false }
  if (answer.unchecked !== undefined && isUnchecked) return { value: answer.unchecked, isUnchecked: true }
  const { didYouMean: meant } = answer
  if (meant) faults.add(path, `rule.identifier.${name}Meant`, { meant })
  else faults.add(path, `rule.identifier.${name}`)
  return { value: null, isUnchecked: false }
}
